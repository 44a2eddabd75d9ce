// SliceSource: exported slices as a finite stream: those of one process, or those of all shards put
// together. An edge has the topic, the partition and the offset of its record.
//
// What the exporting run decided is not decided again: which edges are late, which records were
// refused, where records were never read, and what passes the filters. An edge that `source.dedupe`
// finds again here is a duplicate, as it was there.
//
// If a slice is missing between two others, or was removed before the first, windows that would
// show it have `gap: true`. If a slice is damaged, the source fails there (status().failure), and
// end_of_source is not sent, so that incomplete windows are never published as final.
//
// Thread safety: like Source. The source has its own reading thread.
//
// Invariants
//   (1) A batch has events of one slice (EventBatch::pane). Slices come in the order of time, each
//       once.
//   (2) It holds a shared lock (flock) on the manifests of the slice that it reads.
//   (3) Memory holds a batch, the manifests, and the columns of one row group of each shard as they
//       are stored.
//   (4) What not all shards have closed is not read.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "connectors/export/slices/slice_source_spec.h"
#include "connectors/export/slices/stored_slice.h"
#include "connectors/export/slices/stored_stream.h"
#include "connectors/finite_reading.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/filter_set.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"

namespace sash {

class SliceSource final : public Source {
 public:
  static constexpr std::size_t kBatchEvents = 4096;
  static constexpr std::size_t kBatchBytes = 1 << 20;

  struct Wanted {
    KeyKind keys = KeyKind::kString;
    Duration pane{};  // of the windows: a multiple of that of the slices
    FilterTexts filters{};
    bool dedupes = false;
  };

  // References must outlive the source.
  SliceSource(SliceSourceSpec spec, Wanted wanted, PartitionTable& partitions, BatchQueue& queue,
              const StreamProgress& progress, EventLog& log);
  ~SliceSource() override { Stop(); }

  // The slices that there are now are read. kInvalidArgument, kCorruption: there is none, they do
  // not serve these windows, or a shard has not closed what is asked for, and which.
  Status Start() override;
  void Stop() override { reading_.Stop(); }
  void Commit(const RewindPoint&) override {}  // it always begins with the first slice
  SourceStatus status() const override;
  Result<Switch> PrepareFilters(FilterSetPtr filters) override;

 private:
  Status CheckWhole() const;
  Status CheckSlices() const;
  Status CheckFilters(const FilterTexts& filters) const;
  void Run(const std::stop_token& stop);
  bool ReadSlice(const StreamSlice& slice, const std::stop_token& stop);
  void Put(const SliceRow& row);
  KeyRef KeyOf(std::string_view text, std::int64_t number);
  bool Push(const std::stop_token& stop);
  void JudgeBy(const FilterTexts& filters);
  bool Fail(const Error& error);

  const SliceSourceSpec spec_;
  const Wanted wanted_;
  PartitionTable& partitions_;
  EventLog& log_;
  StoredStream stream_;

  // Used by the reading thread, and by Start() before that thread begins.
  EventBatch batch_;
  FilterSetPtr filters_;
  const FilterTexts* judged_ = nullptr;   // those of the rows
  std::optional<FilterNumbers> numbers_;  // from those of the rows to those of filters_
  StoredPane pane_;
  PartitionIndex partition_ = 0;  // of the newest row
  bool is_lost_before_ = false;   // slices before the next one are not there any more

  std::atomic<std::uint64_t> rows_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> lost_ = 0;  // slices
  Mutex mutex_;
  FilterSetPtr next_filters_ SASH_GUARDED_BY(mutex_);

  FiniteReading reading_;  // last: its thread uses the rest
};

}  // namespace sash
