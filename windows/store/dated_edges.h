// DatedEdges: the visible edges of a window with the slices in which they came.
//
// In `drop` an edge came with its newest copy. In `weigh` it came with each copy that its sum
// holds, and is listed once for each.
//
// Thread safety: pure function.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "windows/ingest/slice.h"
#include "windows/store/window_policy.h"

namespace sash {

struct DatedEdge {
  VertexId source = 0;
  VertexId target = 0;
  std::uint32_t slice = 0;  // 0: the oldest of the window
};

// Those of VisibleEdges() with these arguments that have at least `least_weight`, if it is given.
// The order is not specified. O(events + id_limit), by sorting digits.
std::vector<DatedEdge> DatedEdges(std::span<const std::shared_ptr<const Slice>> slices,
                                  DuplicatesPolicy duplicates, VertexId id_limit,
                                  EdgeIdentity identity, std::optional<double> least_weight);

}  // namespace sash
