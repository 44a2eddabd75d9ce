// SlicerState: the whole state of a slicer, from which another slicer can continue.
//
// Thread safety: a plain value. It shares nothing with the slicer.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "windows/ingest/deduplicator.h"
#include "windows/ingest/partition_log.h"
#include "windows/ingest/slice.h"

namespace sash {

// Without logs: counts in a pane that no event had entered, or a state without events.
struct OpenSliceState {
  Position begin = 0;
  SliceAccount account;
  std::vector<PartitionLog> logs;  // none empty; by partition, then oldest first
};

struct SlicerState {
  Position closed_until = std::numeric_limits<Position>::min();
  std::uint64_t next_id = 0;                          // id of the slice that closes next
  std::vector<OpenSliceState> open;                   // ascending
  std::vector<std::optional<Position>> newest_panes;  // by partition: of the newest on-time event
  std::optional<SliceAccount> waiting;                // counts that no pane has yet
  std::vector<IdentifiedEdge> counted{};              // Deduplicator::State()
};

}  // namespace sash
