// Histogram: counts durations by length.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <array>
#include <cstdint>

#include "windows/base/mutex.h"

namespace sash {

// Upper bounds of the buckets; one more bucket has no bound.
inline constexpr std::array<double, 17> kSecondsBounds = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};

struct HistogramCounts {
  std::array<std::uint64_t, kSecondsBounds.size() + 1> buckets{};  // not cumulative
  double sum = 0;
};

class Histogram {
 public:
  void Observe(double seconds);
  HistogramCounts counts() const;

 private:
  mutable Mutex mutex_;
  HistogramCounts counts_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
