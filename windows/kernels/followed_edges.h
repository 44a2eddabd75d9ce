// FollowedEdges: the direction in which a search follows edges; and the lists of a vertex that hold
// these edges, in the direction of the search or against it.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "windows/base/fetch_step.h"
#include "windows/base/ids.h"
#include "windows/kernels/graph_view.h"

namespace sash {

enum class FollowedEdges : std::uint8_t { kOut, kIn, kBoth };

namespace bfs {

constexpr FollowedEdges Backwards(FollowedEdges follow) {
  if (follow == FollowedEdges::kBoth) return follow;
  return follow == FollowedEdges::kOut ? FollowedEdges::kIn : FollowedEdges::kOut;
}

// Calls visit(u) for the edges that a search follows from v, or backwards to v, until it returns
// false.
template <BulkGraphView Graph, typename Visit>
void VisitUntil(const Graph& graph, FollowedEdges follow, VertexId v, bool backwards,
                const Visit& visit) {
  const FollowedEdges lists = backwards ? Backwards(follow) : follow;
  bool goes_on = true;
  const auto read = [&](std::span<const VertexId> neighbours) {
    goes_on = std::ranges::all_of(neighbours, visit);
    return goes_on;
  };
  if (lists != FollowedEdges::kIn) graph.ReadOutNeighbours(v, read);
  if (lists != FollowedEdges::kOut && goes_on) graph.ReadInNeighbours(v, read);
}

template <BulkGraphView Graph>
void Fetch(const Graph& graph, FollowedEdges follow, VertexId v, FetchStep step) {
  if (follow != FollowedEdges::kIn) graph.FetchOut(v, step);
  if (follow != FollowedEdges::kOut) graph.FetchIn(v, step);
}

}  // namespace bfs
}  // namespace sash
