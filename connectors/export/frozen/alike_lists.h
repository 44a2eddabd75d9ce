// AlikeLists: both directions of a view as a frozen snapshot has them, if all edges are alike (one
// weight, no types).
//
// Nothing is compared or sorted. If each vertex, in the order of places, puts its place into the
// lists of its out-neighbours, the in-lists ascend; and these give the out-lists in the same way.
//
// Thread safety: pure; the caller pins the view and its ids.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "connectors/export/window_outline.h"
#include "windows/base/large_array.h"

namespace sash {

// The lists of one direction, by place.
struct PlacedLists {
  std::vector<std::uint32_t> starts;     // one more than vertices
  LargeArray<std::uint32_t> neighbours;  // places; each list ascends
};

struct AlikeLists {
  PlacedLists out;
  PlacedLists in;
};

// Making the lists takes 8 bytes for each edge. Beyond 1 GiB, edges are read list by list.
inline constexpr std::uint64_t kMostAlikeEdges = std::uint64_t{1} << 27;

// Nothing: stop was requested. REQUIRES: `outline` is that of `view`, its edges are alike, and at
// most kMostAlikeEdges.
std::optional<AlikeLists> PlaceAlikeEdges(const WindowView& view, const WindowOutline& outline,
                                          const std::stop_token& stop);

}  // namespace sash
