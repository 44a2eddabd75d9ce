// The shape of a window: how many edges, vertices and distinct pairs it has, and its total weight.
//
// A self-loop is an edge and a pair. Integer weights add up exactly. Infinite weights, which are
// sums of copies beyond the range of a double, are counted; if there are any, the total has no
// value.
//
// Thread safety: a pure function. Values do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/finite_weight.h"
#include "windows/base/parallel.h"
#include "windows/base/weight.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"

namespace sash {

struct ShapeResult {
  std::uint64_t edges = 0;
  std::uint64_t vertices = 0;
  std::uint64_t pairs = 0;             // edges of the same source and target count once
  Weight weight = Weight::Integer(0);  // not finite if it is beyond the range of a double
  std::uint64_t overflowed_edges = 0;  // edges with an infinite weight
  bool cancelled = false;              // `progress` said stop: pairs and weight are partial
};

namespace shape {

struct Partial {
  std::uint64_t pairs = 0;
  std::uint64_t overflowed = 0;
  WeightSum weight;
  Partial& operator+=(const Partial& other) {
    pairs += other.pairs;
    overflowed += other.overflowed;
    weight.Add(other.weight);
    return *this;
  }
};

template <BulkGraphView Graph>
Partial Count(const Graph& graph, std::span<const VertexId> vertices, int threads) {
  constexpr std::size_t kBlock = 1 << 12;
  return ParallelSum<Partial>(
      vertices.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
        Partial partial;
        std::vector<VertexId> row;
        for (const VertexId v : vertices.subspan(begin, end - begin)) {
          row.clear();
          for (const auto& neighbor : graph.weighted_out(v)) {
            partial.weight.Add(neighbor.weight);
            partial.overflowed += IsFinite(neighbor.weight) ? 0 : 1;
            row.push_back(neighbor.vertex);
          }
          std::ranges::sort(row);
          partial.pairs +=
              static_cast<std::uint64_t>(std::ranges::unique(row).begin() - row.begin());
        }
        return partial;
      });
}

}  // namespace shape

template <BulkGraphView Graph>
ShapeResult Shape(const Graph& graph, int threads = 0, const KernelProgress& progress = {}) {
  const std::span<const VertexId> vertices = graph.vertices();
  ShapeResult result;
  shape::Partial total;
  result.cancelled =
      !SweepParts(vertices.size(), progress, [&](std::size_t begin, std::size_t end) {
        total += shape::Count(graph, vertices.subspan(begin, end - begin), threads);
      });
  result.edges = graph.edge_count();
  result.vertices = vertices.size();
  result.pairs = total.pairs;
  result.weight = total.weight.Total();
  result.overflowed_edges = total.overflowed;
  return result;
}

}  // namespace sash
