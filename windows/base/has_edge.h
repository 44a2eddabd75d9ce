// HasEdge(): whether a vertex is in a window, which holds the vertices that have an edge.
//
// Thread safety: a pure function.
#pragma once

#include "windows/base/ids.h"

namespace sash {

// `graph` is any graph that kernels can read in bulk (kernels/graph_view.h). Any id is allowed.
bool HasEdge(const auto& graph, VertexId vertex) {
  return vertex < graph.id_limit() && graph.out_degree(vertex) + graph.in_degree(vertex) > 0;
}

}  // namespace sash
