#include "tests/bench/samples.h"

#include <gtest/gtest.h>

namespace sash::bench {
namespace {

TEST(SamplesTest, MedianIsTheMiddleWhateverTheOrder) {
  EXPECT_EQ(Samples({5, 1, 3}).Median(), 3);
  EXPECT_EQ(Samples({4, 1, 2, 100}).Median(), 3);
}

TEST(SamplesTest, PercentileIsAValueThatOccurred) {
  Samples samples;
  for (int i = 300; i > 0; --i) samples.Add(i);
  EXPECT_EQ(samples.Percentile(99), 297);
  EXPECT_EQ(samples.Percentile(100), 300);
  EXPECT_EQ(Samples({7}).Percentile(99), 7);
}

TEST(SamplesTest, SpreadIsRelativeToTheMedian) {
  EXPECT_DOUBLE_EQ(Samples({9, 10, 12}).Spread(), 0.3);
  EXPECT_DOUBLE_EQ(Samples({4}).Spread(), 0);
}

TEST(SamplesTest, RatiosAreFormedWithinARepetition) {
  const Samples ratios = Ratios(Samples({2, 30, 4}), Samples({1, 10, 2}));
  EXPECT_EQ(ratios.values(), (std::vector<double>{2, 3, 2}));
}

}  // namespace
}  // namespace sash::bench
