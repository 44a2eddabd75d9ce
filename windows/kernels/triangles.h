// Triangles: three vertices with an edge between each two of them, whatever its direction.
//
// Counted for each vertex and in total. Self-loops do not count. Parallel edges and edges in the
// opposite direction add nothing.
//
// Thread safety: a pure function. Counts do not depend on the number of threads.
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
  std::vector<std::uint64_t> counts{};  // by id: the triangles that contain the vertex
  std::uint64_t triangles = 0;
  bool cancelled = false;  // `progress` said stop: the counts are partial
};

namespace triangles {

inline constexpr std::size_t kBlock = 1 << 8;
inline constexpr std::size_t kPart = 1 << 14;  // vertices between two calls of `progress`

// The number of arcs between each two of the vertices a < b < c of a triangle.
struct Arcs {
  std::uint8_t ab = 0;
  std::uint8_t ac = 0;
  std::uint8_t bc = 0;
};

// The amount that a triangle adds for each of its vertices.
struct Gains {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
};

// Adds gains(arcs) of every triangle whose least number is in [first, last) to `sums`, by number;
// returns the number of these triangles. `graph` keeps greater neighbours. Several threads may add
// at the same time.
template <typename GainsOf>
std::uint64_t AddTriangles(const SimpleGraph& graph, std::size_t first, std::size_t last,
                           const GainsOf& gains, std::vector<std::uint64_t>& sums) {
  using Number = SimpleGraph::Number;
  const auto add = [&](Number n, std::uint64_t gain) {
    if (gain > 0) std::atomic_ref(sums[n]).fetch_add(gain, std::memory_order_relaxed);
  };
  std::uint64_t found = 0;
  std::vector<std::uint64_t>
      gained;  // by the neighbours of a: one addition for all their triangles
  for (std::size_t a = first; a < last; ++a) {
    const SimpleGraph::List of_a = graph.list(static_cast<Number>(a));
    std::uint64_t gained_by_a = 0;
    gained.assign(of_a.others.size(), 0);
    for (std::size_t at_b = 0; at_b < of_a.others.size(); ++at_b) {
      const SimpleGraph::List of_b = graph.list(of_a.others[at_b]);
      std::size_t i = at_b + 1;
      std::size_t j = 0;
      while (i < of_a.others.size() && j < of_b.others.size()) {
        const Number x = of_a.others[i];
        const Number y = of_b.others[j];
        if (x == y) {
          const Gains gain = gains(Arcs{of_a.arcs[at_b], of_a.arcs[i], of_b.arcs[j]});
          gained_by_a += gain.a;
          gained[at_b] += gain.b;
          gained[i] += gain.c;
          ++found;
        }
        i += x <= y ? 1 : 0;
        j += y <= x ? 1 : 0;
      }
    }
    add(static_cast<Number>(a), gained_by_a);
    for (std::size_t i = 0; i < gained.size(); ++i) add(of_a.others[i], gained[i]);
  }
  return found;
}

}  // namespace triangles

template <BulkGraphView Graph>
TrianglesResult Triangles(const Graph& graph, const TrianglesOptions& options = {}) {
  TrianglesResult result;
  const SimpleGraph simple(graph, SimpleGraph::Kept::kGreater, options.threads);
  std::vector<std::uint64_t> counts(simple.size());
  const auto each = [](const triangles::Arcs&) { return triangles::Gains{1, 1, 1}; };
  const auto sweep = [&](std::size_t first, std::size_t last) {
    result.triangles += ParallelSum<std::uint64_t>(
        last - first, triangles::kBlock, options.threads, [&](std::size_t begin, std::size_t end) {
          return triangles::AddTriangles(simple, first + begin, first + end, each, counts);
        });
  };
  result.cancelled = !SweepParts(simple.size(), options.progress, sweep, triangles::kPart);
  result.counts.resize(graph.id_limit());
  for (std::size_t n = 0; n < counts.size(); ++n) {
    result.counts[simple.vertex(static_cast<SimpleGraph::Number>(n))] = counts[n];
  }
  return result;
}

}  // namespace sash
