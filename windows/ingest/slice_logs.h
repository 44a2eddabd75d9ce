// SliceLogs: what is known of the events of a closed slice beside the columns of Slice: their
// times, the places of their records, ids, and duplicates. Exports write it.
//
// Thread safety: immutable, so it needs no locks.
//
// Invariants
//   (1) The logs are ordered by (rank of the partition, first offset). In a log, events ascend by
//       (offset, place in the record).
//   (2) An event of the slice's columns, or a duplicate, is in exactly one log, once.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/partition_log.h"

namespace sash {

// The place of an event in its stream; no two events of a lane have the same.
struct EventPlace {
  PartitionIndex partition = 0;
  std::int64_t offset = 0;
  std::uint32_t edges_before = 0;  // BufferedEvent::edges_before
  friend auto operator<=>(const EventPlace&, const EventPlace&) = default;
};

// Late and refused records of a pane in which the slicer has no event. So no slice counts them.
struct PaneCounts {
  std::optional<EventTime> begin{};  // of the pane; empty: the partition had no event before
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  friend bool operator==(const PaneCounts&, const PaneCounts&) = default;
};

struct SliceLogs {
  std::vector<PartitionLog> logs{};
  std::vector<EventPlace> duplicates{};  // ascending: the events that the slice leaves out
  std::size_t bytes = 0;                 // of memory
  // Slicer::KeepCountsApart(): of the panes between the slice before and this one, ascending.
  std::vector<PaneCounts> apart{};
};

}  // namespace sash
