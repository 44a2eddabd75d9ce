#include "daemon/metrics/histogram.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

namespace sash {
namespace {

TEST(HistogramTest, ABoundBelongsToItsBucket) {
  Histogram histogram;
  histogram.Observe(kSecondsBounds[0]);
  histogram.Observe(kSecondsBounds[1]);
  histogram.Observe(0);
  histogram.Observe(1e9);
  const HistogramCounts counts = histogram.counts();
  EXPECT_EQ(counts.buckets[0], 2u);
  EXPECT_EQ(counts.buckets[1], 1u);
  EXPECT_EQ(counts.buckets.back(), 1u);
  EXPECT_DOUBLE_EQ(counts.sum, 1e9 + kSecondsBounds[0] + kSecondsBounds[1]);
}

TEST(HistogramTest, CountsFromManyThreads) {
  Histogram histogram;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) histogram.Observe(0.5);
    });
  }
  threads.clear();
  const HistogramCounts counts = histogram.counts();
  EXPECT_EQ(std::accumulate(counts.buckets.begin(), counts.buckets.end(), 0u), 4000u);
  EXPECT_DOUBLE_EQ(counts.sum, 2000);
}

}  // namespace
}  // namespace sash
