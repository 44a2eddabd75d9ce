// Reciprocity: how many of a vertex's out-neighbours have an edge back to it.
//
// For each vertex: the share of its out-neighbours, without itself, that have an edge back. A
// vertex without out-neighbours has no value. For the whole graph: the share of its pairs (source,
// target) for which the pair (target, source) exists. Self-loops and parallel edges do not count.
//
// Thread safety: a pure function. Values do not depend on the number of threads.
//
// Source: Newman, Forrest, Balthrop: Email networks and the spread of computer viruses (Physical
// Review E 66, 2002), the reciprocity of a directed network.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/neighbour_sets.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"

namespace sash {

struct ReciprocityOptions {
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct ReciprocityResult {
  std::vector<double> shares;  // by id, from 0 to 1; NaN: the vertex has no out-neighbours
  std::uint64_t pairs = 0;     // of different vertices
  std::uint64_t led_back = 0;  // pairs whose reverse is there too
  bool cancelled = false;      // `progress` said stop: shares are missing
};

namespace reciprocity {

// Counts common elements of two ascending lists.
inline std::uint64_t Common(const std::vector<VertexId>& a, const std::vector<VertexId>& b) {
  std::uint64_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const bool takes_a = a[i] <= b[j];
    const bool takes_b = b[j] <= a[i];
    common += takes_a && takes_b ? 1 : 0;
    i += takes_a ? 1 : 0;
    j += takes_b ? 1 : 0;
  }
  return common;
}

}  // namespace reciprocity

template <GraphView Graph>
ReciprocityResult Reciprocity(const Graph& graph, const ReciprocityOptions& options = {}) {
  constexpr std::size_t kBlock = 1 << 10;
  const std::span<const VertexId> vertices = graph.vertices();
  ReciprocityResult result;
  result.shares.resize(graph.id_limit(), std::numeric_limits<double>::quiet_NaN());
  const auto block = [&](std::span<const VertexId> of) {
    const auto same = [](VertexId u) { return u; };
    std::vector<VertexId> out;
    std::vector<VertexId> in;
    std::uint64_t pairs = 0;
    std::uint64_t led_back = 0;
    for (const VertexId v : of) {
      FillSet(graph.out(v), v, same, out);
      if (out.empty()) continue;
      FillSet(graph.in(v), v, same, in);
      const std::uint64_t back = reciprocity::Common(out, in);
      result.shares[v] = static_cast<double>(back) / static_cast<double>(out.size());
      pairs += out.size();
      led_back += back;
    }
    std::atomic_ref(result.pairs).fetch_add(pairs, std::memory_order_relaxed);
    std::atomic_ref(result.led_back).fetch_add(led_back, std::memory_order_relaxed);
  };
  const auto sweep = [&](std::size_t first, std::size_t last) {
    ParallelBlocks(last - first, kBlock, options.threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     block(vertices.subspan(first + begin, end - begin));
                   });
  };
  result.cancelled = !SweepParts(vertices.size(), options.progress, sweep);
  return result;
}

}  // namespace sash
