#include "windows/jobs/reached_rows.h"

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/kernels/bfs_parents.h"

namespace sash {
namespace {

auto LeastKeyFirst(const VertexDictionary& keys) {
  return [&keys](VertexId a, VertexId b) { return keys.KeyLess(a, b); };
}

}  // namespace

std::vector<ReachedVertex> ReachedRows(const ReachedDepths& reached, std::size_t count,
                                       int threads) {
  return VisitView(reached.view, [&](const auto& graph) {
    const std::vector<VertexId> listed =
        NearestFirst(graph.vertices(), reached.depths, count, reached.keys);
    std::vector<ReachedVertex> rows;
    rows.reserve(listed.size());
    for (const VertexId v : listed) {
      rows.push_back({reached.keys.KeyOf(v), rows.size() + 1, reached.depths[v], std::nullopt});
    }
    if (!reached.parameters.parents) return rows;
    const std::vector<VertexId> parents =
        BfsParents(graph, reached.depths, Followed(reached.parameters.direction), listed, threads,
                   LeastKeyFirst(reached.keys));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (parents[i] != kNoVertex) rows[i].parent = reached.keys.KeyOf(parents[i]);
    }
    return rows;
  });
}

std::optional<VertexKey> ParentKey(const ReachedDepths& reached, VertexId vertex) {
  const VertexId parent = VisitView(reached.view, [&](const auto& graph) {
    return BfsParent(graph, reached.depths, Followed(reached.parameters.direction), vertex,
                     LeastKeyFirst(reached.keys));
  });
  if (parent == kNoVertex) return std::nullopt;
  return reached.keys.KeyOf(parent);
}

}  // namespace sash
