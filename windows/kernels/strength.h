// Strength: the sum of the weights of a vertex's edges (its weighted degree): what it sent, what it
// received, both, or the difference.
//
// Parallel edges each count. A self-loop counts once in each direction, so twice in both; its
// difference is 0. An edge without a weight weighs 1. Sums of integers are exact; a sum beyond 64
// bits, or of other numbers, is a double.
//
// Thread safety: a pure function. Sums do not depend on the number of threads.
//
// Source: Barrat, Barthélemy, Pastor-Satorras, Vespignani: The architecture of complex weighted
// networks (PNAS 101, 2004), the strength of a vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/finite_weight.h"
#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/base/weight.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"

namespace sash {

enum class StrengthEdges : std::uint8_t { kOut, kIn, kBoth, kInLessOut };

struct StrengthOptions {
  StrengthEdges edges = StrengthEdges::kBoth;
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct StrengthResult {
  std::vector<Weight> sums;      // by id; not finite: beyond the range of a double
  std::uint64_t overflowed = 0;  // vertices whose sum is not finite
  bool cancelled = false;        // `progress` said stop: sums are missing
};

namespace strength {

inline WeightSum Negative(Weight weight) {
  if (weight.is_integer()) return WeightSum(-WideInteger{weight.integer()});
  WeightSum negative;
  negative.Add(Weight::Real(-weight.AsDouble()));
  return negative;
}

template <BulkGraphView Graph>
Weight Sum(const Graph& graph, VertexId v, StrengthEdges edges) {
  WeightSum sum;
  if (edges != StrengthEdges::kOut) {
    for (const auto& neighbor : graph.weighted_in(v)) sum.Add(neighbor.weight);
  }
  if (edges == StrengthEdges::kInLessOut) {
    for (const auto& neighbor : graph.weighted_out(v)) sum.Add(Negative(neighbor.weight));
  } else if (edges != StrengthEdges::kIn) {
    for (const auto& neighbor : graph.weighted_out(v)) sum.Add(neighbor.weight);
  }
  return sum.Total();
}

}  // namespace strength

template <BulkGraphView Graph>
StrengthResult Strength(const Graph& graph, const StrengthOptions& options = {}) {
  constexpr std::size_t kBlock = 1 << 10;
  const std::span<const VertexId> vertices = graph.vertices();
  StrengthResult result;
  result.sums.resize(graph.id_limit(), Weight::Integer(0));
  const auto sweep = [&](std::size_t first, std::size_t last) {
    result.overflowed += ParallelSum<std::uint64_t>(
        last - first, kBlock, options.threads, [&](std::size_t begin, std::size_t end) {
          std::uint64_t overflowed = 0;
          for (const VertexId v : vertices.subspan(first + begin, end - begin)) {
            result.sums[v] = strength::Sum(graph, v, options.edges);
            overflowed += IsFinite(result.sums[v]) ? 0 : 1;
          }
          return overflowed;
        });
  };
  result.cancelled = !SweepParts(vertices.size(), options.progress, sweep);
  return result;
}

}  // namespace sash
