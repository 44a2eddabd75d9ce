#include "windows/jobs/rounded_score.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>

#include "windows/base/sort_distinct.h"

namespace sash {
namespace {

// A score and its rounded value differ by less than this share.
constexpr double kRoundingSlack = 1e-8;

}  // namespace

double RoundedScore(double score) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), score,
                                 std::chars_format::scientific, 8);
  double rounded = score;
  std::from_chars(text.data(), end.ptr, rounded);
  return rounded;
}

double LeastListed(std::vector<double> values, std::size_t count) {
  if (count >= values.size()) return -std::numeric_limits<double>::infinity();
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::nth_element(values, nth, std::greater<>());
  return std::isfinite(*nth) ? *nth - kRoundingSlack * std::abs(*nth) : *nth;
}

std::vector<std::uint64_t> RanksAmong(std::span<const double> scores,
                                      std::span<const double> asked) {
  std::vector<double> limits;  // rounded, ascending, each once
  for (const double score : asked) {
    if (!std::isnan(score)) limits.push_back(RoundedScore(score));
  }
  SortDistinct(limits);
  // below[i]: how many scores are greater than i limits. Rounding is slow, and matters only for a
  // score close to a limit.
  const auto is_close = [](double limit, double score) {
    return std::abs(limit - score) <= kRoundingSlack * std::abs(limit);
  };
  std::vector<std::uint64_t> below(limits.size() + 1);
  for (const double score : scores) {
    if (std::isnan(score)) continue;
    auto place = std::ranges::lower_bound(limits, score);
    const bool is_near = (place != limits.end() && is_close(*place, score)) ||
                         (place != limits.begin() && is_close(*std::prev(place), score));
    if (is_near) place = std::ranges::lower_bound(limits, RoundedScore(score));
    ++below[static_cast<std::size_t>(place - limits.begin())];
  }
  for (std::size_t i = limits.size(); i-- > 0;) below[i] += below[i + 1];
  std::vector<std::uint64_t> ranks;
  ranks.reserve(asked.size());
  for (const double score : asked) {
    if (std::isnan(score)) {
      ranks.push_back(0);
      continue;
    }
    const auto place = std::ranges::lower_bound(limits, RoundedScore(score)) - limits.begin();
    ranks.push_back(1 + below[static_cast<std::size_t>(place) + 1]);
  }
  return ranks;
}

}  // namespace sash
