// ReplaySource: files, one after the other, or standard input as a finite stream of one partition.
//
// They are topic "replay", partition 0. An offset is the number of the data row, from 0: refused
// rows count, the header and lines that are skipped do not. Offsets go on from file to file. Each
// file has its own header; with several files, an empty one needs none. The source sends
// end_of_source only if it read all input to its end. If reading fails earlier, it reports this in
// status().failure (and not_ready) and sends nothing more, so that incomplete windows are never
// published as final.
//
// With named CSV columns, Start() reads the first header and waits for it up to `header_patience`
// (a pipe may be slow). If that header arrives later and is wrong, or the header of a later file is
// wrong, the source fails; Start() has already returned without an error.
//
// Thread safety: like Source. The source has its own reading thread.
//
// Invariants
//   (1) The speed of the input does not change the events, only how they are split into batches.
//   (2) For every input, it keeps at most a block, a row, a batch, and the events that wait for the
//       decision about an event in doubt (OutlierGuard).
//   (3) Rows that were read are pushed to the queue within kFlushAfter, unless the queue is full,
//       or the pace, memory (StreamProgress) or an event in doubt delays them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/next_judging.h"
#include "connectors/codec/row_splitter.h"
#include "connectors/finite_reading.h"
#include "connectors/replay/event_pace.h"
#include "connectors/replay/file_sequence.h"
#include "connectors/replay/input_file.h"
#include "connectors/replay/replay_spec.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/outlier_guard.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"

namespace sash {

class ReplaySource final : public Source {
 public:
  static constexpr std::size_t kBatchEvents = 4096;
  static constexpr std::size_t kBatchBytes = 1 << 20;
  static constexpr std::chrono::milliseconds kFlushAfter{50};

  // All references must outlive the source. It uses only the memory limits of `progress`: the only
  // partition also determines the watermark, so it never runs ahead.
  ReplaySource(ReplaySpec spec, FormatSpec format, PartitionTable& partitions, BatchQueue& queue,
               RefusalSink& refusals, const Clock& clock, const StreamProgress& progress,
               std::chrono::milliseconds header_patience = std::chrono::seconds(5));
  ~ReplaySource() override { Stop(); }

  Status Start() override;
  void Stop() override;
  void Commit(const RewindPoint&) override {}  // a replay always begins at the beginning
  SourceStatus status() const override;
  // The error is kUnavailable while the header of the first file has not been read.
  Result<Switch> PrepareFilters(FilterSetPtr filters) override;

 private:
  enum class Progress : std::uint8_t { kGoOn, kEnd, kStopped };

  Progress EndFile(const std::stop_token& stop);
  Status AwaitHeader();
  Status TakeHeader();
  bool JudgeByNext();
  InputFile::Outcome ReadBlock(std::chrono::milliseconds patience);
  void Run(const std::stop_token& stop);
  Progress ReadOn(const std::stop_token& stop);
  bool DecodeRows(const std::stop_token& stop);
  bool DecodeRow(const Row& row, const std::stop_token& stop);
  // Counts a record that is filtered.
  std::optional<Refused> DecodeInto(EventBatch& batch, const Row& row, const RecordPlace& place);
  void Refuse(Row row, Refused refused, std::int64_t offset, EventBatch& into, std::size_t first);
  bool LetGo(bool at_end, const std::stop_token& stop);
  bool AwaitTurn(EventTime time, const std::stop_token& stop);
  bool Flush(const std::stop_token& stop);

  const ReplaySpec spec_;
  const FormatSpec first_format_;  // with the filters of the first windows
  BatchQueue& queue_;
  RefusalSink& refusals_;
  const Clock& clock_;
  const std::chrono::milliseconds header_patience_;
  const PartitionIndex partition_;
  const RecordEnvelope envelope_{.topic = "replay"};

  // Used by the reading thread, and by Start() before that thread begins.
  FormatSpec format_;
  FilterSetPtr filters_;  // by which records are judged
  FileSequence files_;
  OutlierGuard guard_;
  EventBatch batch_;
  SteadyTime batch_begun_;
  EventPace pace_;

  std::atomic<std::uint64_t> records_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> filtered_ = 0;
  std::atomic<bool> done_ = false;                   // all rows of all files are decoded
  std::atomic<std::uint64_t> in_doubt_ = 0;          // events that wait in guard_
  std::atomic<std::uint64_t> doubtful_times_ = 0;    // at the last batch
  std::atomic<std::uint64_t> replaced_weights_ = 0;  // likewise
  std::atomic<std::uint64_t> truncations_ = 0;       // likewise
  std::atomic<std::uint64_t> filter_failures_ = 0;   // likewise
  NextJudging next_judging_;
  mutable Mutex mutex_;
  std::optional<std::string> header_
      SASH_GUARDED_BY(mutex_);  // of the newest file, once it is read
  std::vector<MappingCount> mappings_ SASH_GUARDED_BY(mutex_);  // at the last batch

  FiniteReading reading_;  // last: its thread uses the rest
};

}  // namespace sash
