// The simple directed cycles in time order that an edge has closed: beginning with the edge after
// that one, no edge is older than the edge before it. Dates are those of slices, so edges of one
// slice are in any order. Each cycle is found once, at the first of the pairs that close it.
//
// Parallel edges are one pair, with several dates; a self-loop is not a cycle. A pair that had an
// edge before closes cycles again with each edge that comes later.
//
// Closing pairs are taken in order, and so are the neighbours of a vertex; see cycles.h on steps.
// Takes, beside `pairs`, at most 8 bytes a pair and 8 an id, and 20 more an id in each thread.
//
// Thread safety: a pure function. Cycles do not depend on the number of threads.
//
// Source: TimedCycleSearch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "windows/kernels/cycles.h"
#include "windows/kernels/dated_pairs.h"
#include "windows/kernels/timed_cycle_search.h"

namespace sash {

// `since`: the closing edge is not older. options.least_weight is not used: lighter edges are not
// among the pairs. A cycle of the result begins with the target of its closing edge.
inline CyclesResult TimedCycles(const DatedPairs& pairs, Date since,
                                const CyclesOptions& options = {}) {
  CyclesResult result;
  result.by_length.resize(std::size_t{kLongestCycle} + 1);
  const DatedRows rows(pairs);
  std::vector<DatedRows::PairNumber> closing;
  for (DatedRows::PairNumber i = 0; i < pairs.pairs.size(); ++i) {
    if (rows.Newest(i) >= since) closing.push_back(i);
  }
  result.entered = closing.size();
  const TimedCycleSearch::Goal goal{options.longest, since, options.passes};
  const auto make = [&] { return std::make_unique<TimedCycleSearch>(rows, closing, goal); };
  cycles::SearchEach(closing.size(), options, make, result);
  return result;
}

}  // namespace sash
