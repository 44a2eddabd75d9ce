// BiasedPageRank: PageRank that prefers heavier edges, or some vertices to restart at (weighted and
// personalised PageRank), or whose rank flows along in-edges, or along each edge both ways.
//
// A pull iteration as in pagerank.h, with the same stop condition. It uses doubles throughout and
// starts from the distribution of the restarts.
//
// Weighted: a vertex hands out its rank in proportion to the weights of its out-edges. Parallel
// edges each count. A vertex without an edge of a weight above 0 is a sink. If the graph has
// negative weights, nothing is ranked, since shares could be negative or infinite; `negative_edges`
// counts them. The same holds for infinite weights, which are sums of copies beyond the range of a
// double (`overflowed_edges`).
//
// Personalised: rank that does not follow edges, including the rank of sinks, goes to the sources
// in equal parts instead of to all vertices. A vertex that no path from the sources reaches has
// rank 0. Sources that are not in the graph, and duplicates, do not count. If no source is left,
// nothing is ranked.
//
// Both ways: the ranks of the undirected multigraph that has the same edges. A self-loop is one
// edge there, not two.
//
// Thread safety: a pure function. Ranks do not depend on the number of threads.
//
// Source: Page, Brin, Motwani, Winograd: The PageRank citation ranking (1999), section 6;
// Langville, Meyer: Deeper inside PageRank (Internet Mathematics 1, 2004). Sinks, weights of 0,
// the rank of sinks and undirected graphs are treated as in networkx.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/has_edge.h"
#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/rows/both_ways.h"
#include "windows/kernels/rows/in_blocks.h"
#include "windows/kernels/rows/in_runs.h"
#include "windows/kernels/rows/share_rows.h"

namespace sash {

struct BiasedPageRankOptions {
  double damping = 0.85;
  double tolerance = 1e-6;  // stop when the L1 change of one iteration is at most this
  int max_iterations = 100;
  bool weighted = false;
  std::optional<std::vector<VertexId>> sources{};  // none: all vertices
  FollowedEdges follow = FollowedEdges::kOut;
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct BiasedPageRankResult {
  std::vector<double> ranks;  // by id; 0 where there is no vertex; sums to 1; empty: not ranked
  int iterations = 0;
  double residual = 0;  // the L1 change of the last iteration
  bool converged = false;
  bool cancelled = false;     // `progress` said stop: the ranks mean nothing
  std::uint64_t sources = 0;  // sources that are in the graph
  // Only if weighted. If there are any, nothing is ranked.
  std::uint64_t negative_edges = 0;
  std::uint64_t overflowed_edges = 0;
};

namespace biased_pagerank {

// By id: the part that a vertex gets of the rank that does not follow edges. Parts sum to 1.
struct Beginnings {
  LargeArray<double> parts;
  std::uint64_t count = 0;  // vertices with a part above 0
};

template <BulkGraphView Graph>
Beginnings FindBeginnings(const Graph& graph, const BiasedPageRankOptions& options) {
  Beginnings found{LargeArray<double>(graph.id_limit())};
  std::ranges::fill(found.parts, 0.0);
  std::vector<VertexId> chosen;
  if (options.sources) {
    for (const VertexId v : *options.sources) {
      if (!HasEdge(graph, v)) continue;
      if (found.parts[v] == 0) chosen.push_back(v);
      found.parts[v] = 1;
    }
  }
  const std::span<const VertexId> all =
      options.sources ? std::span<const VertexId>(chosen) : graph.vertices();
  found.count = all.size();
  for (const VertexId v : all) found.parts[v] = 1.0 / static_cast<double>(all.size());
  return found;
}

// Ranks the vertices of the graph that has these in-edges.
void Rank(const InRuns& edges, const Beginnings& beginnings, const BiasedPageRankOptions& options,
          BiasedPageRankResult& result);
void Rank(const ShareRows& edges, const Beginnings& beginnings,
          const BiasedPageRankOptions& options, BiasedPageRankResult& result);

// Ranks along the out-edges of `graph`: a BulkGraphView, a TurnedRound or BothWays.
template <typename Graph>
void RankAlong(const Graph& graph, const Beginnings& beginnings,
               const BiasedPageRankOptions& options, BiasedPageRankResult& result) {
  if (!options.weighted) {
    return Rank(InRuns(graph, RowOrder::kHotFirst, options.threads), beginnings, options, result);
  }
  const ShareRows edges(graph, options.threads);
  result.negative_edges = edges.negative_edges();
  result.overflowed_edges = edges.overflowed_edges();
  if (result.negative_edges + result.overflowed_edges == 0) {
    Rank(edges, beginnings, options, result);
  }
}

}  // namespace biased_pagerank

template <BulkGraphView Graph>
BiasedPageRankResult BiasedPageRank(const Graph& graph, const BiasedPageRankOptions& options = {}) {
  BiasedPageRankResult result;
  const auto beginnings = biased_pagerank::FindBeginnings(graph, options);
  result.sources = beginnings.count;
  result.converged = true;
  if (beginnings.count == 0) return result;
  switch (options.follow) {
    case FollowedEdges::kOut:
      biased_pagerank::RankAlong(graph, beginnings, options, result);
      break;
    case FollowedEdges::kIn:
      biased_pagerank::RankAlong(TurnedRound<Graph>(graph), beginnings, options, result);
      break;
    case FollowedEdges::kBoth:
      biased_pagerank::RankAlong(BothWays<Graph>(graph, options.threads), beginnings, options,
                                 result);
      // Each edge was read at both of its ends, except for self-loops.
      if (result.negative_edges + result.overflowed_edges > 0) {
        const ShareRows once(graph, options.threads);
        result.negative_edges = once.negative_edges();
        result.overflowed_edges = once.overflowed_edges();
      }
      break;
  }
  return result;
}

}  // namespace sash
