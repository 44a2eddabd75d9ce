// Scores as results compare them: rounded to nine significant digits. So the order does not depend
// on the number of threads.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sash {

// A score and its rounded value differ by less than this share.
inline constexpr double kRoundingSlack = 1e-8;

// `score` to nine significant digits, as results compare it.
double RoundedScore(double score);

// For each of `asked`: 1 + the number of `scores` that are greater, rounded. NaN is not counted,
// and has the rank 0. O((scores + asked) * log(asked)).
std::vector<std::uint64_t> RanksAmong(std::span<const double> scores,
                                      std::span<const double> asked);

}  // namespace sash
