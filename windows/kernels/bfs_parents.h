// Parents of the vertices that a breadth-first search has reached: among the neighbours one step
// nearer to a root, the first in an order that the caller gives.
//
// Parents are found from the depths on request, at the cost of reading the lists of the requested
// vertices. So they cost the search nothing, and the result does not show which neighbour was read
// first. Roots and unreached vertices have no parent. Parallel edges and self-loops change nothing.
//
// Thread safety: pure functions. Parents do not depend on the number of threads; they depend on ids
// only if the order does.
//
// Source: the definition of a breadth-first tree (Graph 500 specification, kernel 2), made unique
// by the order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/graph_view.h"

namespace sash {

// The parent of `v`, or kNoVertex. `depths`: by id, from a search that followed `follow`.
// `comes_first(a, b)`: a strict order of all vertices.
template <GraphView Graph, typename Order>
VertexId BfsParent(const Graph& graph, std::span<const std::int32_t> depths, FollowedEdges follow,
                   VertexId v, const Order& comes_first) {
  VertexId parent = kNoVertex;
  if (depths[v] <= 0) return parent;
  const std::int32_t wanted = depths[v] - 1;
  const auto look = [&](VertexId u) {
    if (depths[u] != wanted || u == parent) return;
    if (parent == kNoVertex || comes_first(u, parent)) parent = u;
  };
  if (follow != FollowedEdges::kIn) {
    for (const VertexId u : graph.in(v)) look(u);
  }
  if (follow != FollowedEdges::kOut) {
    for (const VertexId u : graph.out(v)) look(u);
  }
  return parent;
}

// The parents of `vertices`, in their order.
template <GraphView Graph, typename Order>
std::vector<VertexId> BfsParents(const Graph& graph, std::span<const std::int32_t> depths,
                                 FollowedEdges follow, std::span<const VertexId> vertices,
                                 int threads, const Order& comes_first) {
  constexpr std::size_t kBlock = 1 << 8;  // vertices: a hub's lists are long
  std::vector<VertexId> parents(vertices.size());
  ParallelBlocks(vertices.size(), kBlock, threads,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     parents[i] = BfsParent(graph, depths, follow, vertices[i], comes_first);
                   }
                 });
  return parents;
}

}  // namespace sash
