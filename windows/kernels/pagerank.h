// PageRank by pull iteration.
//
// Each vertex sums the contributions of its in-neighbours, so no two threads ever write the same
// element and no atomics are needed. The iteration starts from 1/n, or from the ranks of a similar
// graph. The rank of vertices without out-edges is spread evenly over all vertices, as in LDBC
// Graphalytics (specification, algorithm PR). Without that, rank leaks in every iteration, and the
// ranks of windows with many sinks never sum to one. Parallel edges each count. An empty graph has
// no ranks and has converged.
//
// From the second iteration on, vertices pull the changes of the iteration before: ranks are linear
// in their inputs. In larger graphs, the part of a change that each out-edge gets is stored in two
// bytes, so that four times as many fit in the cache. Changes get smaller, and the rounding error
// of one is added to the next, exactly. So the eight bits of Bfloat16 cost no iteration, and at
// most 0.4 % of the last change as error, down to tolerances of 1e-13. Without a tolerance (0)
// parts are in single precision: the fixed number of iterations ends where that of the definition
// ends, within 1e-7 of the last change.
//
// Thread safety: a pure function. Ranks do not depend on the number of threads.
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

// The type of the parts that out-edges get. Ranks and sums are always doubles. kAsFits: depends on
// the tolerance and the size of the graph.
enum class Precision : std::uint8_t { kAsFits, kBfloat16, kSingle, kDouble };

struct PageRankOptions {
  double damping = 0.85;
  double tolerance = 1e-6;  // stop when the L1 change of one iteration is at most this
  int max_iterations = 100;
  int threads = 0;  // 0: all the cores
  Precision precision = Precision::kAsFits;
  // By id: ranks to start from. A vertex without one (0, or beyond the end) starts from 1/n. A run
  // from 1/n usually ends well below its tolerance. To be as exact as that run, a run from `start`
  // needs as tolerance the change with which that run ended (`residual`), or half of it.
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

// Ranks the graph that has these in-edges; ids are below `id_limit`. With a non-empty `state` the
// run continues from it instead of from `start`. At its end the run stores its own state there, or
// an empty one if it was cancelled.
PageRankResult PageRank(const InRuns& edges, VertexId id_limit, const PageRankOptions& options,
                        RankState* state = nullptr);

template <BulkGraphView Graph>
PageRankResult PageRank(const Graph& graph, const PageRankOptions& options = {}) {
  return PageRank(InRuns(graph, options.rows, options.threads), graph.id_limit(), options);
}

}  // namespace sash
