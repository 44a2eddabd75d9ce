// The sources of the benchmark's searches: 16 seeded vertices with out-edges, as in the GAP
// benchmark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/generate/random.h"
#include "windows/kernels/graph_view.h"

namespace sash::bench {

template <BulkGraphView Graph>
std::vector<VertexId> DrawBfsSources(const Graph& graph, std::uint64_t seed) {
  constexpr std::size_t kSources = 16;
  Xoshiro256 random(seed);
  std::vector<VertexId> sources;
  while (sources.size() < kSources) {
    const VertexId v = graph.vertices()[random.Below(graph.vertices().size())];
    if (graph.out_degree(v) > 0) sources.push_back(v);
  }
  return sources;
}

}  // namespace sash::bench
