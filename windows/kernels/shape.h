// The shape of a window: how many edges, vertices and distinct pairs it has, and its total weight.
//
// A self-loop is an edge and a pair. Integer weights add up exactly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/parallel.h"
#include "windows/base/weight.h"
#include "windows/kernels/graph_view.h"

namespace sash {

struct ShapeResult {
  std::uint64_t edges = 0;
  std::uint64_t vertices = 0;
  std::uint64_t pairs = 0;  // edges of the same source and target count once
  Weight weight = Weight::Integer(0);
};

namespace shape {

struct Partial {
  std::uint64_t pairs = 0;
  WeightSum weight;
  Partial& operator+=(const Partial& other) {
    pairs += other.pairs;
    weight.Add(other.weight);
    return *this;
  }
};

}  // namespace shape

template <GraphView Graph>
ShapeResult Shape(const Graph& graph, int threads = 0) {
  constexpr std::size_t kBlock = 1 << 12;
  const std::span<const VertexId> vertices = graph.vertices();
  const auto total = ParallelSum<shape::Partial>(
      vertices.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
        shape::Partial partial;
        std::vector<VertexId> row;
        for (const VertexId v : vertices.subspan(begin, end - begin)) {
          row.clear();
          for (const auto& neighbor : graph.weighted_out(v)) {
            partial.weight.Add(neighbor.weight);
            row.push_back(neighbor.vertex);
          }
          std::ranges::sort(row);
          partial.pairs +=
              static_cast<std::uint64_t>(std::ranges::unique(row).begin() - row.begin());
        }
        return partial;
      });
  return {graph.edge_count(), vertices.size(), total.pairs, total.weight.Total()};
}

}  // namespace sash
