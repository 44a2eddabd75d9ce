// StatisticsOf: sum, extremes, mean and variance of a list of weights. They depend on the weights
// alone, not on their order.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/weight.h"
#include "windows/kernels/edges_of_end.h"

namespace sash {

namespace weight_statistics {

// For weights so small that no sum overflows. The sums are exact.
inline double ExactVariance(WideInteger sum, WideInteger squares, std::size_t count) {
  const auto times = static_cast<WideInteger>(count);
  const auto numerator = static_cast<long double>(times * squares - sum * sum);
  const auto denominator = static_cast<long double>(count) * static_cast<long double>(count);
  return static_cast<double>(numerator / denominator);
}

// `weights` in numeric order: the rounding depends on it.
inline double RoundedVariance(const std::vector<Weight>& weights, long double mean) {
  long double squares = 0;
  for (const Weight weight : weights) {
    const long double value = weight.is_integer() ? static_cast<long double>(weight.integer())
                                                  : static_cast<long double>(weight.AsDouble());
    squares += (value - mean) * (value - mean);
  }
  return static_cast<double>(squares / static_cast<long double>(weights.size()));
}

}  // namespace weight_statistics

// Changes the order of `weights`.
inline WeightStatistics StatisticsOf(std::vector<Weight>& weights) {
  WeightStatistics found;
  if (weights.empty()) return found;
  constexpr std::int64_t kSmall = std::int64_t{1} << 30;
  constexpr std::size_t kFew = std::size_t{1} << 31;
  const bool is_exact =
      weights.size() < kFew && std::ranges::all_of(weights, [](Weight weight) {
        return weight.is_integer() && weight.integer() > -kSmall && weight.integer() < kSmall;
      });
  const auto count = static_cast<long double>(weights.size());
  if (is_exact) {
    WideInteger sum = 0;
    WideInteger squares = 0;
    std::int64_t least = weights.front().integer();
    std::int64_t greatest = least;
    for (const Weight weight : weights) {
      const std::int64_t value = weight.integer();
      sum += value;
      squares += static_cast<WideInteger>(value) * value;
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
    found.sum = WeightSum(sum).Total();
    found.least = Weight::Integer(least);
    found.greatest = Weight::Integer(greatest);
    found.mean = static_cast<double>(static_cast<long double>(sum) / count);
    found.variance = weight_statistics::ExactVariance(sum, squares, weights.size());
    return found;
  }
  // An integer comes before an equal double, so that equal lists give equal ends.
  std::sort(weights.begin(), weights.end(), [](Weight a, Weight b) {
    return a < b || (!(b < a) && a.is_integer() && !b.is_integer());
  });
  WeightSum sum;
  long double total = 0;
  for (const Weight weight : weights) {
    sum.Add(weight);
    total += weight.is_integer() ? static_cast<long double>(weight.integer())
                                 : static_cast<long double>(weight.AsDouble());
  }
  found.sum = sum.Total();
  found.least = weights.front();
  found.greatest = weights.back();
  found.mean = static_cast<double>(total / count);
  // Equal weights give exactly 0: the mean may be rounded, and its square beyond a double.
  if (found.least < found.greatest) {
    found.variance = weight_statistics::RoundedVariance(weights, total / count);
  }
  return found;
}

}  // namespace sash
