// The loop of rankings by iteration: it runs until the change of an iteration is within the
// tolerance.
//
// Thread safety: that of its arguments.
#pragma once

#include <cstddef>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/progress.h"

namespace sash {

// The change of an iteration, in absolute values, and the rank that was handed to edges for the
// next one.
struct Pulled {
  double change = 0;
  double handed_out = 0;
  Pulled& operator+=(const Pulled& other) {
    change += other.change;
    handed_out += other.handed_out;
    return *this;
  }
};

// The sum of body(block) over the blocks of rows of `edges`.
template <typename Edges, typename Body>
Pulled SumOfBlocks(const Edges& edges, int threads, const Body& body) {
  return ParallelSum<Pulled>(edges.block_count(), 1, threads,
                             [&](std::size_t block, std::size_t) { return body(block); });
}

// Calls next(), which returns the change of an iteration, until it is within the tolerance, and
// fills `result` except for the ranks.
template <typename Next, typename Options, typename Result>
void IterateToTolerance(const Next& next, const Options& options, Result& result) {
  options.progress.Begin(RunPhase::kComputing);
  result.converged = false;
  while (!result.converged && !result.cancelled && result.iterations < options.max_iterations) {
    result.residual = next();
    ++result.iterations;
    result.converged = result.residual <= options.tolerance;
    result.cancelled = options.progress && !options.progress(result.iterations, result.residual);
  }
}

// Runs `iteration`, whose Next() returns the L1 change, over the rows of `edges`, and fills
// `result` with its rank(row) by id, below `id_limit`.
template <typename Edges, typename Iteration, typename Options, typename Result>
void RunToTolerance(const Edges& edges, Iteration& iteration, VertexId id_limit,
                    const Options& options, Result& result) {
  IterateToTolerance([&] { return iteration.Next(); }, options, result);
  options.progress.Begin(RunPhase::kFinishing);
  result.ranks.resize(id_limit);
  ParallelBlocks(edges.block_count(), 1, options.threads,
                 [&](std::size_t block, std::size_t, std::size_t) {
                   edges.ForEachRow(
                       block, [&](auto row) { result.ranks[edges.id(row)] = iteration.rank(row); });
                 });
}

}  // namespace sash
