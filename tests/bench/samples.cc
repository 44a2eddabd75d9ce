#include "tests/bench/samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "windows/base/check.h"

namespace sash::bench {

double Samples::Mean() const {
  SASH_CHECK(!values_.empty());
  return std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
}

double Samples::Least() const {
  SASH_CHECK(!values_.empty());
  return *std::ranges::min_element(values_);
}

double Samples::Greatest() const {
  SASH_CHECK(!values_.empty());
  return *std::ranges::max_element(values_);
}

double Samples::Percentile(double percent) const {
  SASH_CHECK(!values_.empty() && percent > 0 && percent <= 100);
  std::vector<double> sorted = values_;
  std::ranges::sort(sorted);
  if (percent == 50 && sorted.size() % 2 == 0) {
    return (sorted[sorted.size() / 2 - 1] + sorted[sorted.size() / 2]) / 2;
  }
  const double rank = std::ceil(percent / 100 * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(rank) - 1];
}

double Samples::Spread() const { return (Greatest() - Least()) / Median(); }

Samples Ratios(const Samples& over, const Samples& under) {
  SASH_CHECK(over.size() == under.size());
  Samples ratios;
  for (std::size_t i = 0; i < over.size(); ++i) ratios.Add(over.values()[i] / under.values()[i]);
  return ratios;
}

}  // namespace sash::bench
