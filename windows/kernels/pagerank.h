// PageRank by pull iteration.
//
// Each vertex sums the contributions of its in-neighbours, so no two threads ever write the same
// element and no atomics are needed. Starts from 1/n, or from ranks of about the same graph. The
// rank of vertices without out-edges is spread evenly over all vertices, as in LDBC Graphalytics
// (specification, algorithm PR); without that, rank leaks every iteration and windows with many
// sinks never sum to one. Parallel edges count each. An empty graph has no ranks and has converged.
//
// After the first iteration what is pulled is what the one before has changed: ranks are linear in
// what they are made from. In larger graphs the part of a change that each out-edge gets is kept in
// two bytes, of which four times as many fit the cache: changes get smaller, and what rounding
// takes from one is added to the next, exactly. So the eight bits of Bfloat16 cost no iteration,
// and 0.4 % of the last change of error at most, down to tolerances of 1e-13. Without a tolerance
// (0) parts are in single precision: so many iterations end where those of the definition do,
// within 1e-7 of the last change.
//
// Source: Page, Brin, Motwani, Winograd: The PageRank citation ranking (1999).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "windows/kernels/graph_view.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/rows/in_runs.h"
#include "windows/kernels/rows/rank_state.h"

namespace sash {

// What is handed to out-edges, while ranks and sums are doubles. kAsFits: as the tolerance and the
// size of the graph ask for.
enum class Precision : std::uint8_t { kAsFits, kBfloat16, kSingle, kDouble };

struct PageRankOptions {
  double damping = 0.85;
  double tolerance = 1e-6;  // stop when the L1 change of one iteration is at most this
  int max_iterations = 100;
  int threads = 0;  // 0: all the cores
  Precision precision = Precision::kAsFits;
  // By id: ranks to start from. A vertex without one (0, or beyond the end) starts from 1/n. A run
  // from 1/n mostly ends well below the tolerance: one that is to be as near to the truth needs the
  // change that the other ended with (`residual`), or half of it, for tolerance.
  std::span<const double> start{};
  RowOrder rows = RowOrder::kHotFirst;
  KernelProgress progress{};
};

struct PageRankResult {
  std::vector<double> ranks;  // by id; 0 where there is no vertex; sums to 1
  int iterations = 0;
  double residual = 0;  // the L1 change of the last iteration
  bool converged = false;
  bool cancelled = false;  // `progress` said stop: the ranks mean nothing
};

// Of the graph whose in-edges these are; ids are below `id_limit`. With `state` the run goes on
// from there instead of from `start`, unless it is empty, and leaves where it ended; nothing if it
// was cancelled.
PageRankResult PageRank(const InRuns& edges, VertexId id_limit, const PageRankOptions& options,
                        RankState* state = nullptr);

template <GraphView Graph>
PageRankResult PageRank(const Graph& graph, const PageRankOptions& options = {}) {
  return PageRank(InRuns(graph, options.rows, options.threads), graph.id_limit(), options);
}

}  // namespace sash
