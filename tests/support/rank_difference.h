// The distance between two vectors of ranks.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace sash::testing {

inline double L1Difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += std::abs(a[v] - b[v]);
  return sum;
}

}  // namespace sash::testing
