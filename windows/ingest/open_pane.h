// OpenPane: the events of a pane that has not closed, in a log for each partition, and what readers
// see of them.
//
// Thread safety: belongs to the engine thread; SliceTail says what others may read.
//
// Invariant: (1) the events of a log have ascending offsets. A partition has a second log only if
// its offsets went back: its topic was recreated while it was read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "windows/ingest/partition_log.h"
#include "windows/ingest/slice.h"
#include "windows/ingest/slice_tail.h"
#include "windows/ingest/slicer_state.h"
#include "windows/ingest/type_filters.h"

namespace sash {

class OpenPane {
 public:
  SliceAccount account{};

  // The newest log of the event's partition; a new log if there is none, or if the event's offset
  // is below the log's last offset. Adds the memory of a new log to `bytes`. `newest_before` is the
  // newest event time before the event's record in its partition.
  PartitionLog& LogFor(const BufferedEvent& event, std::optional<EventTime> newest_before,
                       bool keeps_places, std::size_t& bytes);

  std::uint64_t events() const;
  std::size_t log_bytes() const;
  std::size_t tail_bytes() const { return tail_ ? tail_->bytes() : 0; }

  // visit(source, target) for every event.
  template <typename Visit>
  void VisitEvents(const Visit& visit) const {
    for (const auto& [partition, log] : logs_) {
      log.ForEachChunk([&](std::span<const PartitionLog::Edge> edges) {
        for (const PartitionLog::Edge& edge : edges) visit(edge.source, edge.target);
      });
    }
  }

  // Slicer::ShowOpen() and HideOpen() for this pane, which begins at `begin`. `with_ids`: edges are
  // deduplicated.
  OpenTail Show(Position begin, bool with_ids);
  void Hide();

  // Slicer::Judge(). Returns by how many bytes the logs have grown.
  std::size_t Judge(FilterBits fresh, const NumberedTypeFilters& by_type);

  // The pane closes: adds the times and offsets of the events to the account. Returns the logs, by
  // rank of the partition (PartitionTable::Ranks), then oldest first. They are the pane's.
  std::vector<PartitionLog*> Close(std::span<const std::uint32_t> ranks);

  // Adds copies of the logs that have events to a state, which has the account.
  void CopyLogs(OpenSliceState& state) const;
  // Continues from a state. The pane has nothing yet.
  void Restore(OpenSliceState& state);

 private:
  std::multimap<PartitionIndex, PartitionLog> logs_;
  std::shared_ptr<SliceTail> tail_{};  // null: Show() was not called yet
};

}  // namespace sash
