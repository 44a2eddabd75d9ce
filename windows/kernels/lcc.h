// Local clustering coefficient: how many of the possible edges between the neighbours of a vertex
// exist.
//
// The neighbours of v are the other ends of its edges in both directions, without v itself. With d
// neighbours, the coefficient is the number of ordered pairs of neighbours that an edge connects,
// divided by d (d - 1); it is 0 with fewer than two neighbours. Self-loops and parallel edges do
// not count. In an undirected graph, given as edges both ways, it is the usual coefficient.
//
// Thread safety: a pure function. Coefficients do not depend on the number of threads.
//
// Source: LDBC Graphalytics (specification, algorithm LCC). Each pair of neighbours with an edge
// is found as a triangle: Schank, Wagner (WEA 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/simple_graph.h"
#include "windows/kernels/triangles.h"

namespace sash {

struct LccOptions {
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct LccResult {
  std::vector<double> coefficients;  // by id, from 0 to 1
  bool cancelled = false;            // `progress` said stop: there are no coefficients
};

template <BulkGraphView Graph>
LccResult Lcc(const Graph& graph, const LccOptions& options = {}) {
  using Number = SimpleGraph::Number;
  LccResult result;
  const SimpleGraph simple(graph, SimpleGraph::Kept::kGreater, options.threads);
  std::vector<std::uint64_t> among_neighbours(simple.size());  // arcs, by number
  // The arcs between two vertices of a triangle are among the neighbours of the third.
  const auto opposite = [](const triangles::Arcs& arcs) {
    return triangles::Gains{arcs.bc, arcs.ac, arcs.ab};
  };
  const auto sweep = [&](std::size_t first, std::size_t last) {
    ParallelBlocks(last - first, triangles::kBlock, options.threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     triangles::AddTriangles(simple, first + begin, first + end, opposite,
                                             among_neighbours);
                   });
  };
  result.cancelled = !SweepParts(simple.size(), options.progress, sweep, triangles::kPart);
  if (result.cancelled) return result;
  result.coefficients.resize(graph.id_limit());
  for (std::size_t i = 0; i < simple.size(); ++i) {
    const auto n = static_cast<Number>(i);
    const double degree = simple.degree(n);
    if (degree < 2) continue;
    result.coefficients[simple.vertex(n)] =
        static_cast<double>(among_neighbours[n]) / (degree * (degree - 1));
  }
  return result;
}

}  // namespace sash
