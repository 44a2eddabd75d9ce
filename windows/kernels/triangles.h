// Triangles: three vertices of which each two have an edge between them, whatever its direction.
//
// Counted for each vertex and in all. Self-loops and parallel edges do not count, nor does an edge
// that goes back.
//
// Source: Schank, Wagner: Finding, counting and listing all triangles in large graphs, an
// experimental study (WEA 2005); degree-ordered as in the GAP benchmark suite (TC).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/simple_graph.h"

namespace sash {

struct TrianglesOptions {
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct TrianglesResult {
  std::vector<std::uint64_t> counts;  // by id: the triangles that the vertex is in
  std::uint64_t triangles = 0;
  bool cancelled = false;  // `progress` said stop: the counts are partial
};

namespace triangles {

inline constexpr std::size_t kBlock = 1 << 8;
inline constexpr std::size_t kPart = 1 << 14;  // vertices between two calls of `progress`

// By how many arcs the vertices of a triangle are tied.
struct Arcs {
  std::uint8_t ab = 0;
  std::uint8_t ac = 0;
  std::uint8_t bc = 0;
};

// Calls visit(a, b, c, arcs) for every triangle a < b < c with a in [first, last). `graph` keeps
// greater neighbours.
template <typename Visit>
void ForEachTriangle(const SimpleGraph& graph, std::size_t first, std::size_t last,
                     const Visit& visit) {
  using Number = SimpleGraph::Number;
  for (std::size_t a = first; a < last; ++a) {
    const SimpleGraph::List of_a = graph.list(static_cast<Number>(a));
    for (std::size_t at_b = 0; at_b < of_a.others.size(); ++at_b) {
      const Number b = of_a.others[at_b];
      const SimpleGraph::List of_b = graph.list(b);
      std::size_t i = at_b + 1;
      std::size_t j = 0;
      while (i < of_a.others.size() && j < of_b.others.size()) {
        const Number x = of_a.others[i];
        const Number y = of_b.others[j];
        if (x == y) {
          visit(static_cast<Number>(a), b, x, Arcs{of_a.arcs[at_b], of_a.arcs[i], of_b.arcs[j]});
        }
        i += x <= y ? 1 : 0;
        j += y <= x ? 1 : 0;
      }
    }
  }
}

}  // namespace triangles

template <GraphView Graph>
TrianglesResult Triangles(const Graph& graph, const TrianglesOptions& options = {}) {
  using Number = SimpleGraph::Number;
  TrianglesResult result;
  result.counts.resize(graph.id_limit());
  const SimpleGraph simple(graph, SimpleGraph::Kept::kGreater, options.threads);
  const auto count = [&](Number n) {
    std::atomic_ref(result.counts[simple.vertex(n)]).fetch_add(1, std::memory_order_relaxed);
  };
  const auto sweep = [&](std::size_t first, std::size_t last) {
    result.triangles += ParallelSum<std::uint64_t>(
        last - first, triangles::kBlock, options.threads, [&](std::size_t begin, std::size_t end) {
          std::uint64_t found = 0;
          triangles::ForEachTriangle(simple, first + begin, first + end,
                                     [&](Number a, Number b, Number c, const triangles::Arcs&) {
                                       ++found;
                                       for (const Number n : {a, b, c}) count(n);
                                     });
          return found;
        });
  };
  result.cancelled = !SweepParts(simple.size(), options.progress, sweep, triangles::kPart);
  return result;
}

}  // namespace sash
