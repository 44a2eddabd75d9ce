// Scores as results compare them: rounded to nine significant digits. So the order does not depend
// on the number of threads.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sash {

// `score` to nine significant digits, as results compare it.
double RoundedScore(double score);

// A bound that the greatest `count` of `values` reach, compared exactly or rounded; minus infinity
// when there are not more. `values` have no NaN. O(values).
double LeastListed(std::vector<double> values, std::size_t count);

// For each of `asked`: 1 + the number of `scores` that are greater, rounded. NaN is not counted,
// and has the rank 0. O((scores + asked) * log(asked)).
std::vector<std::uint64_t> RanksAmong(std::span<const double> scores,
                                      std::span<const double> asked);

}  // namespace sash
