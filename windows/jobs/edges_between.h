// ForEachEdgeBetween(): the edges from one vertex to another in a graph.
//
// Thread safety: a pure function.
#pragma once

#include "windows/base/ids.h"
#include "windows/store/neighbor.h"

namespace sash {

// Calls visit(edge) for each of them, in any order, as the out-neighbour `target`. Reads the
// shorter of the two lists that have the edges. Both ids are below graph.id_limit().
template <typename Graph, typename Visit>
void ForEachEdgeBetween(const Graph& graph, VertexId source, VertexId target, const Visit& visit) {
  if (graph.out_degree(source) <= graph.in_degree(target)) {
    for (const Neighbor& each : graph.weighted_out(source)) {
      if (each.vertex == target) visit(each);
    }
  } else {
    for (Neighbor each : graph.weighted_in(target)) {
      if (each.vertex != source) continue;
      each.vertex = target;
      visit(each);
    }
  }
}

}  // namespace sash
