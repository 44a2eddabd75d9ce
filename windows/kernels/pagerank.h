// PageRank by pull iteration.
//
// Each vertex sums the contributions of its in-neighbours, so no two threads ever write the same
// element and no atomics are needed. Starts from 1/n. The rank of vertices without out-edges is
// spread evenly over all vertices, as in LDBC Graphalytics (specification, algorithm PR); without
// that, rank leaks every iteration and windows with many sinks never sum to one. Parallel edges
// count each. An empty graph has no ranks and has converged.
//
// Source: Page, Brin, Motwani, Winograd: The PageRank citation ranking (1999).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/progress.h"

namespace sash {

struct PageRankOptions {
  double damping = 0.85;
  double tolerance = 1e-6;  // stop when the L1 change of one iteration is at most this
  int max_iterations = 100;
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct PageRankResult {
  std::vector<double> ranks;  // by id; 0 where there is no vertex; sums to 1
  int iterations = 0;
  double residual = 0;  // the L1 change of the last iteration
  bool converged = false;
  bool cancelled = false;  // `progress` said stop: the ranks mean nothing
};

namespace pagerank {

inline constexpr std::size_t kBlock = 1 << 14;  // ids; the accumulators of a block fit the L2 cache

// The part of the ascending `vertices` with ids in [first, last).
inline std::span<const VertexId> Within(std::span<const VertexId> vertices, std::size_t first,
                                        std::size_t last) {
  const auto begin = std::ranges::lower_bound(vertices, first);
  const auto end = std::ranges::lower_bound(begin, vertices.end(), last);
  return {begin, end};
}

// Fills the rank each vertex hands to each of its out-edges; returns the rank of the sinks.
template <GraphView Graph>
double Contribute(const Graph& graph, const std::vector<double>& ranks, int threads,
                  std::vector<double>& contributions) {
  const std::span<const VertexId> vertices = graph.vertices();
  return ParallelSum<double>(vertices.size(), kBlock, threads,
                             [&](std::size_t begin, std::size_t end) {
                               double dangling = 0;
                               for (const VertexId v : vertices.subspan(begin, end - begin)) {
                                 const std::uint32_t degree = graph.out_degree(v);
                                 contributions[v] = degree > 0 ? ranks[v] / degree : 0;
                                 if (degree == 0) dangling += ranks[v];
                               }
                               return dangling;
                             });
}

// One pull over the whole graph; returns the L1 change.
template <GraphView Graph>
double Pull(const Graph& graph, const std::vector<double>& contributions, double base,
            double damping, int threads, std::vector<double>& ranks) {
  const std::span<const VertexId> vertices = graph.vertices();
  const std::size_t id_limit = graph.id_limit();
  return ParallelSum<double>(id_limit, kBlock, threads, [&](std::size_t first, std::size_t last) {
    const std::span<const VertexId> here = Within(vertices, first, last);
    if (here.empty()) return 0.0;
    std::vector<double> incoming(last - first);
    graph.ForEachIn(static_cast<VertexId>(first), static_cast<VertexId>(last),
                    [&](VertexId v, VertexId u) { incoming[v - first] += contributions[u]; });
    double change = 0;
    for (const VertexId v : here) {
      const double rank = base + damping * incoming[v - first];
      change += std::abs(rank - ranks[v]);
      ranks[v] = rank;
    }
    return change;
  });
}

}  // namespace pagerank

template <GraphView Graph>
PageRankResult PageRank(const Graph& graph, const PageRankOptions& options = {}) {
  PageRankResult result;
  const std::span<const VertexId> vertices = graph.vertices();
  if (vertices.empty()) {
    result.converged = true;
    return result;
  }
  const double uniform = 1.0 / static_cast<double>(vertices.size());
  result.ranks.resize(graph.id_limit());
  for (const VertexId v : vertices) result.ranks[v] = uniform;
  std::vector<double> contributions(graph.id_limit());
  while (!result.converged && result.iterations < options.max_iterations) {
    const double dangling =
        pagerank::Contribute(graph, result.ranks, options.threads, contributions);
    const double base = (1 - options.damping + options.damping * dangling) * uniform;
    result.residual =
        pagerank::Pull(graph, contributions, base, options.damping, options.threads, result.ranks);
    ++result.iterations;
    result.converged = result.residual <= options.tolerance;
    if (options.progress && !options.progress(result.iterations, result.residual)) {
      result.cancelled = true;
      break;
    }
  }
  return result;
}

}  // namespace sash
