// The simple directed cycles that a graph has and an earlier graph had not: they pass at least one
// edge that entered. Each is found once, at the first of its entered edges.
//
// Parallel edges are one; a self-loop is not a cycle. A cycle has 2 to `longest` edges. With a
// least weight, only edges that have it count, in both graphs.
//
// Edges are taken in the order of their keys, and so are the neighbours of a vertex. The work is
// bounded in steps, and a step is a neighbour that is looked at; so the same cycles are found on
// every machine, with any number of threads. Takes eight bytes an edge of the later graph and 40 an
// id, and eight more an id in each thread.
//
// Thread safety: a pure function.
//
// Source: cycles through a new edge, Qiu et al.: Real-time constrained cycle detection in large
// dynamic graphs (PVLDB 11, 2018); CycleSearch says how one edge is searched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/cycle_search.h"
#include "windows/kernels/cycle_sweep.h"
#include "windows/kernels/entered_edges.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/ordered_rows.h"
#include "windows/kernels/progress.h"

namespace sash {

struct CyclesOptions {
  int longest = 5;                        // 2 to kLongestCycle edges
  std::optional<double> least_weight{};   // of each edge of a cycle
  std::vector<VertexId> passes{};         // vertices that every cycle has
  std::uint64_t most_steps = 10'000'000;  // for all edges together
  std::size_t listed = 50;
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct CyclesResult {
  std::uint64_t entered = 0;                 // edges
  std::uint64_t cycles = 0;                  // that were found
  std::vector<std::uint64_t> by_length{};    // by the number of edges, from 0
  std::vector<std::vector<VertexId>> first;  // each begins with an edge that entered
  std::uint64_t steps = 0;
  bool truncated = false;  // the steps were used up: there may be more cycles
  bool cancelled = false;  // `progress` said stop: all of this is partial
};

namespace cycles {

// Adds what was found at the next edge.
inline void Add(CyclesOfEdge&& found, std::size_t listed, CyclesResult& result) {
  for (std::size_t length = 0; length < found.by_length.size(); ++length) {
    result.by_length[length] += found.by_length[length];
    result.cycles += found.by_length[length];
  }
  for (std::vector<VertexId>& cycle : found.first) {
    if (result.first.size() < listed) result.first.push_back(std::move(cycle));
  }
}

// Searches the cycles of each edge; make() returns a new search.
template <typename Make>
void SearchEach(std::size_t edges, const CyclesOptions& options, const Make& make,
                CyclesResult& result) {
  const CycleSweep swept = SweepCycles(
      edges, options.most_steps, options.threads, options.progress, make,
      [&] { return options.listed - result.first.size(); },
      [&](std::size_t, CyclesOfEdge&& found) { Add(std::move(found), options.listed, result); });
  result.steps = swept.steps;
  result.truncated = swept.truncated;
  result.cancelled = swept.cancelled;
}

}  // namespace cycles

// `less` orders vertices, and must outlive the call.
template <BulkGraphView Before, BulkGraphView After, typename Less = std::less<VertexId>>
CyclesResult Cycles(const Before& before, const After& after, const CyclesOptions& options = {},
                    const Less& less = {}) {
  using Search = CycleSearch<Less>;
  CyclesResult result;
  result.by_length.resize(std::size_t{kLongestCycle} + 1);
  const EnteredEdges entered(before, after, options.least_weight, options.threads, less);
  const std::size_t count = entered.pairs().size();
  result.entered = count;
  const OrderedRows<Less> out(after, RowDirection::kOut, options.least_weight, options.threads,
                              less);
  const OrderedRows<Less> in(after, RowDirection::kIn, options.least_weight, options.threads, less);
  const auto make = [&] {
    return std::make_unique<Search>(
        out, in, entered, typename Search::Goal{options.longest, options.passes}, after.id_limit());
  };
  cycles::SearchEach(count, options, make, result);
  return result;
}

}  // namespace sash
