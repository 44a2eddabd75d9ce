// The triangles of which at least one pair of neighbours is flagged.
//
// Thread safety: a pure function, except that it changes `counts`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "windows/kernels/following/pair_lists.h"
#include "windows/kernels/progress.h"

namespace sash {

// Adds `gain` (1 or -1) to counts[v] for each such triangle that contains v, and returns their
// number. `flagged`: all flagged pairs, in any order. Each triangle is counted at the first of its
// flagged pairs, by lower, then by higher id. Returns nothing if `progress` said stop.
std::optional<std::uint64_t> AddFlaggedTriangles(const PairLists& pairs,
                                                 std::vector<PairLists::Pair> flagged,
                                                 std::int64_t gain, int threads,
                                                 const KernelProgress& progress,
                                                 std::vector<std::uint64_t>& counts);

}  // namespace sash
