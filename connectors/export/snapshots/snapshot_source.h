// SnapshotSource: a window's snapshot in Parquet as a finite stream. All of its edges enter in the
// last slice before the end of the window, so that the window that ends there has them all.
//
// A snapshot does not state when its edges entered, nor whether their records pass a filter; only
// filters of types alone can judge its edges. The late and refused records and the gap that it
// states count in that slice. If a file is damaged, the source fails there (status().failure), and
// end_of_source is not sent.
//
// Thread safety: like Source. The source has its own reading thread.
//
// Invariants
//   (1) It holds a shared lock (flock) on snapshot.json while it reads.
//   (2) An edge has the name of the window as its topic, partition 0, and its row as the offset.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/slices/slice_source.h"
#include "connectors/export/snapshots/stored_snapshot.h"
#include "connectors/finite_reading.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"
#include "windows/ingest/type_filters.h"

namespace sash {

// The folder of the snapshot that `path` names: itself, or if it is the folder of a window, that of
// the newest snapshot in it. Nothing if it is neither.
std::optional<std::string> FindSnapshot(const std::string& path);

class SnapshotSource final : public Source {
 public:
  // References must outlive the source. `wanted`: as for slices; only its keys, pane and filters
  // are used.
  SnapshotSource(SliceSourceSpec spec, SliceSource::Wanted wanted, PartitionTable& partitions,
                 BatchQueue& queue, const StreamProgress& progress);
  ~SnapshotSource() override { Stop(); }

  // kInvalidArgument, kCorruption: the snapshot cannot be read, or does not serve these windows,
  // and why.
  Status Start() override;
  void Stop() override { reading_.Stop(); }
  void Commit(const RewindPoint&) override {}  // it always begins with the first edge
  SourceStatus status() const override;
  // Only filters of types alone can judge.
  Result<Switch> PrepareFilters(FilterSetPtr filters) override;

 private:
  Status Check() const;
  Status CheckFilters(const FilterTexts& filters) const;
  void Run(const std::stop_token& stop);
  void Put(const SnapshotEdge& edge);
  KeyRef KeyOf(std::uint64_t place);
  bool Push(const std::stop_token& stop);

  const SliceSourceSpec spec_;
  const SliceSource::Wanted wanted_;
  const TypeFilters by_type_;
  PartitionTable& partitions_;
  std::optional<OwnedDescriptor> folder_;
  std::optional<OwnedDescriptor> lock_;
  std::optional<StoredSnapshot> snapshot_;

  // Used by the reading thread, and by Start() before that thread begins.
  EventBatch batch_;
  PartitionIndex partition_ = 0;
  std::int64_t next_row_ = 0;

  std::atomic<std::uint64_t> rows_ = 0;

  FiniteReading reading_;  // last: its thread uses the rest
};

}  // namespace sash
