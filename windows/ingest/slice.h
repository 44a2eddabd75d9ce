// Slice: the edge events of one pane, frozen.
//
// Thread safety: immutable, so it needs no locks.
//
// Invariants
//   (1) Events are in the order in which they take effect: (event time, topic, partition, offset,
//       place in the record).
//   (2) The ids of one slicer's slices are dense and grow with time; a pane that no event has
//       entered has no slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/base/type_column.h"
#include "windows/base/weight_column.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// A position on a window's axis: nanoseconds since the epoch, or a number of accepted events.
using Position = std::int64_t;

// The part of a slice that comes from one partition.
struct PartitionShare {
  // Offsets of the events in the slice, inclusive; least > greatest while there are none.
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
  // The offset from which the partition must be read again to get the whole slice (late and refused
  // records that it counts included), and the newest accepted event time before that record.
  std::int64_t rewind_offset = 0;
  std::optional<EventTime> newest_before;

  bool has_events() const { return least <= greatest; }
};

// The facts about a slice that results report.
struct SliceAccount {
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::uint64_t last_accepted = 0;  // number of the last accepted event, from 1; 0: none
  // By events: the number of events accepted before the record of the slice's first event. A record
  // may begin in an earlier slice.
  std::uint64_t accepted_before = 0;
  bool has_on_time = false;             // has an event that was not late: may be first or last
  FilterBits on_time_passes = 0;        // the filters that such an event passes
  bool gap = false;                     // records just before one of its events were never read
  std::optional<EventTime> least_time;  // of all events in the slice
  std::optional<EventTime> greatest_time;
  std::map<PartitionIndex, PartitionShare> shares;

  // The share of a partition. A new one begins with the record at `offset`; `newest_before` is the
  // newest event time of its partition before that record.
  PartitionShare& ShareOf(PartitionIndex partition, std::int64_t offset,
                          std::optional<EventTime> newest_before) {
    const auto [found, added] = shares.try_emplace(partition);
    if (added) {
      found->second.rewind_offset = offset;
      found->second.newest_before = newest_before;
    }
    return found->second;
  }
};

struct Slice {
  SliceId id;
  Position begin = 0;  // the pane is [begin, end)
  Position end = 0;
  SliceAccount account;

  // The events, as parallel columns.
  std::vector<VertexId> sources;
  std::vector<VertexId> targets;      // for remove_vertex the same as the source
  std::vector<Operation> operations;  // empty: every event is an add
  WeightColumn weights;
  std::vector<FilterBits> passes;  // empty: every event passes every filter
  TypeColumn types;                // empty: no event has a type

  std::size_t size() const { return sources.size(); }
  Operation operation(std::size_t i) const {
    return operations.empty() ? Operation::kAdd : operations[i];
  }
  std::size_t bytes() const {
    return sizeof(Slice) + AllocatedBytes(sources) + AllocatedBytes(targets) +
           AllocatedBytes(operations) + weights.bytes() + AllocatedBytes(passes) + types.bytes() +
           account.shares.size() * (sizeof(PartitionShare) + kMapNodeBytes);
  }
};

}  // namespace sash
