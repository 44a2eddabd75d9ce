// PresentVertices(): those of some ids that are vertices of a graph.
//
// Thread safety: a pure function.
#pragma once

#include <span>
#include <vector>

#include "windows/base/has_edge.h"
#include "windows/base/ids.h"
#include "windows/base/sort_distinct.h"
#include "windows/kernels/graph_view.h"

namespace sash {

// In ascending order, each once. Any ids are allowed.
template <BulkGraphView Graph>
std::vector<VertexId> PresentVertices(const Graph& graph, std::span<const VertexId> ids) {
  std::vector<VertexId> present;
  for (const VertexId v : ids) {
    if (HasEdge(graph, v)) present.push_back(v);
  }
  SortDistinct(present);
  return present;
}

}  // namespace sash
