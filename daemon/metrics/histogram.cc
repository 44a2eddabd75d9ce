#include "daemon/metrics/histogram.h"

#include <algorithm>
#include <cstddef>

namespace sash {

void Histogram::Observe(double seconds) {
  const auto bucket = static_cast<std::size_t>(std::ranges::lower_bound(kSecondsBounds, seconds) -
                                               kSecondsBounds.begin());
  const MutexLock lock(mutex_);
  ++counts_.buckets[bucket];
  counts_.sum += seconds;
}

HistogramCounts Histogram::counts() const {
  const MutexLock lock(mutex_);
  return counts_;
}

}  // namespace sash
