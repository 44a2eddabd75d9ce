// An event of an open slice as readers see it, and its place in the order of effect.
//
// Thread safety: plain values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/base/type_column.h"
#include "windows/base/weight.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// An accepted event of an open slice. Its log is named by partition and first offset.
struct TailEvent {
  EventTime time{};
  VertexId source = 0;
  VertexId target = 0;
  Weight weight{};
  FilterBits passes = kPassesAll;
  std::int64_t log_offset = 0;
  PartitionIndex partition = 0;
  TypeNumber type = kNoType;
  Operation operation = Operation::kAdd;
};

// The place of an event of open slices in the order of effect.
struct TailPlace {
  std::uint32_t slice = 0;
  EventTime time{};
  std::uint32_t rank = 0;  // of its partition
  std::int64_t log_offset = 0;
  std::uint32_t number = 0;  // SliceTail (1); events of one log ascend
  friend auto operator<=>(const TailPlace&, const TailPlace&) = default;
};

// `ranks`: PartitionTable::Ranks().
inline TailPlace PlaceInEffect(std::size_t slice, const TailEvent& event, std::uint32_t number,
                               std::span<const std::uint32_t> ranks) {
  return {static_cast<std::uint32_t>(slice), event.time, ranks[event.partition], event.log_offset,
          number};
}

}  // namespace sash
