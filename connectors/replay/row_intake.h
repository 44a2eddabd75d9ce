// RowIntake: takes the rows of a replay one by one: decodes each, holds events in doubt, waits
// until an event is due, and gathers the events in batches for the engine.
//
// Thread safety: AddTo() may be called from any thread, the rest belongs to the reading thread, and
// before it begins to the owner of the source.
//
// Invariants
//   (1) It keeps a batch, and the events that wait for the decision about an event in doubt
//       (OutlierGuard).
//   (2) A refused row counts like an accepted one: its number is its offset.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/row_splitter.h"
#include "connectors/finite_reading.h"
#include "connectors/replay/event_pace.h"
#include "connectors/replay/file_sequence.h"
#include "connectors/replay/replay_spec.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/filter_set.h"
#include "windows/ingest/outlier_guard.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"

namespace sash {

class RowIntake {
 public:
  static constexpr const char* kTopic = "replay";
  static constexpr std::size_t kBatchEvents = 4096;
  static constexpr std::size_t kBatchBytes = 1 << 20;
  static constexpr std::chrono::milliseconds kFlushAfter{50};

  // All references outlive it. `files`: the current one has the rows. `format`: that of the rows;
  // its filters may change between two rows.
  struct Surroundings {
    const ReplaySpec& spec;
    const FormatSpec& format;
    FileSequence& files;
    BatchQueue& queue;
    RefusalSink& refusals;
    const Clock& clock;
    FiniteReading& reading;
    PartitionIndex partition = 0;
  };
  // `filters`: by which the first records are judged.
  RowIntake(Surroundings around, FilterSetPtr filters);

  // Begins the stream. Call it once, before the first row.
  void Begin();
  // Rows from here on are judged by these.
  void JudgeBy(FilterSetPtr filters);

  // False: the source must stop before the row is in a batch.
  bool Take(const Row& row, const std::stop_token& stop);
  // The rows have ended: decides about the events in doubt. False: the source must stop before.
  bool Decide(const std::stop_token& stop) { return LetGo(true, stop); }

  bool is_full() const {
    return batch_.events().size() >= kBatchEvents || batch_.bytes() >= kBatchBytes;
  }
  bool has_batch() const { return !batch_.empty(); }
  // When the newest batch should be pushed, although it is not full.
  SteadyTime due() const { return batch_begun_ + kFlushAfter; }
  // Pushes the batch. False: the source must stop before there is room in the queue.
  bool Flush(const std::stop_token& stop);
  // Pushes what is left. `is_whole`: all rows of all files were taken.
  void End(bool is_whole, const std::stop_token& stop);

  void AddTo(SourceStatus& status) const;

 private:
  // Counts a record that is filtered.
  std::optional<Refused> DecodeInto(EventBatch& batch, const Row& row, const RecordPlace& place);
  void Refuse(Row row, Refused refused, std::int64_t offset, EventBatch& into, std::size_t first);
  bool LetGo(bool at_end, const std::stop_token& stop);
  bool AwaitTurn(EventTime time, const std::stop_token& stop);

  const Surroundings around_;
  const RecordEnvelope envelope_{.topic = kTopic};
  FilterSetPtr filters_;
  OutlierGuard guard_;
  EventBatch batch_;
  SteadyTime batch_begun_;
  EventPace pace_;

  std::atomic<std::uint64_t> records_ = 0;
  std::atomic<std::uint64_t> filtered_ = 0;
  std::atomic<bool> done_ = false;                   // all rows of all files are decoded
  std::atomic<std::uint64_t> in_doubt_ = 0;          // events that wait in guard_
  std::atomic<std::uint64_t> doubtful_times_ = 0;    // at the last batch
  std::atomic<std::uint64_t> replaced_weights_ = 0;  // likewise
  std::atomic<std::uint64_t> truncations_ = 0;       // likewise
  std::atomic<std::uint64_t> filter_failures_ = 0;   // likewise
  mutable Mutex mutex_;
  std::vector<MappingCount> mappings_ SASH_GUARDED_BY(mutex_);  // at the last batch
};

}  // namespace sash
