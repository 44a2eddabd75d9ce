// The edges along which a search for paths continues from a vertex.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "windows/base/finite_weight.h"
#include "windows/base/ids.h"
#include "windows/base/weight.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/path_side.h"  // NoPathWeight

namespace sash {

// Which lists of a vertex have these edges.
struct PathLists {
  bool out = false;
  bool in = false;

  // `backwards`: from the end of a path to its start.
  static constexpr PathLists Of(FollowedEdges follow, bool backwards) {
    const bool both = follow == FollowedEdges::kBoth;
    const bool along = (follow == FollowedEdges::kOut) != backwards;
    return {both || along, both || !along};
  }
};

// visit(u, weight) for each edge of v in these lists; with NoPathWeight, weights are 0 and the same
// edge may be visited more than once. Edges with an infinite weight are left out. Returns how many
// have a negative weight.
template <typename Sum, BulkGraphView Graph, typename Visit>
std::uint64_t ForEachPathEdge(const Graph& graph, VertexId v, PathLists lists, const Visit& visit) {
  std::uint64_t negative = 0;
  if constexpr (std::is_same_v<Sum, NoPathWeight>) {
    const auto read = [&](std::span<const VertexId> some) {
      for (const VertexId u : some) visit(u, 0);
      return true;
    };
    if (lists.out) graph.ReadOutNeighbours(v, read);
    if (lists.in) graph.ReadInNeighbours(v, read);
  } else {
    const auto read = [&](const auto& list) {
      for (const auto& neighbour : list) {
        const Weight weight = neighbour.weight;
        negative += weight.AsDouble() < 0 ? 1 : 0;
        if (!IsFinite(weight)) continue;
        visit(neighbour.vertex, weight.is_integer() ? static_cast<Sum>(weight.integer())
                                                    : static_cast<Sum>(weight.AsDouble()));
      }
    };
    if (lists.out) read(graph.weighted_out(v));
    if (lists.in) read(graph.weighted_in(v));
  }
  return negative;
}

}  // namespace sash
