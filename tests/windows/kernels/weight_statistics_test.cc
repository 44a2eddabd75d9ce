#include "windows/kernels/weight_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "windows/base/finite_weight.h"

namespace sash {
namespace {

constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

WeightStatistics StatsOf(std::vector<Weight> weights) { return StatisticsOf(weights); }

TEST(WeightStatisticsTest, OfNothingAreZeros) {
  const WeightStatistics found = StatsOf({});
  EXPECT_EQ(found.sum, Weight::Integer(0));
  EXPECT_EQ(found.least, Weight::Integer(0));
  EXPECT_EQ(found.greatest, Weight::Integer(0));
  EXPECT_EQ(found.mean, 0);
  EXPECT_EQ(found.variance, 0);
}

TEST(WeightStatisticsTest, OfIntegersAreExact) {
  const WeightStatistics found =
      StatsOf({Weight::Integer(5), Weight::Integer(1), Weight::Integer(2)});
  EXPECT_EQ(found.sum, Weight::Integer(8));
  EXPECT_EQ(found.least, Weight::Integer(1));
  EXPECT_EQ(found.greatest, Weight::Integer(5));
  EXPECT_EQ(found.mean, 8.0 / 3);
  EXPECT_EQ(found.variance, 26.0 / 9);
  // A formula in doubles would say that these differ by much, or that the variance is negative.
  const std::int64_t large = (std::int64_t{1} << 30) - 3;
  EXPECT_EQ(StatsOf({Weight::Integer(large), Weight::Integer(large + 2)}).variance, 1);
  const WeightStatistics wide =
      StatsOf({Weight::Integer(kGreatest), Weight::Integer(kGreatest - 2)});
  EXPECT_EQ(wide.greatest, Weight::Integer(kGreatest));
  EXPECT_EQ(wide.least, Weight::Integer(kGreatest - 2));
  EXPECT_FALSE(wide.sum.is_integer());  // beyond 64 bits
  EXPECT_NEAR(wide.variance, 1, 1e-6);
}

TEST(WeightStatisticsTest, OfLargeNumbersAreFiniteOrSaySo) {
  const double huge = 1.5e308;
  const WeightStatistics found =
      StatsOf({Weight::Real(huge), Weight::Real(huge), Weight::Integer(1)});
  EXPECT_FALSE(IsFinite(found.sum));
  EXPECT_DOUBLE_EQ(found.mean, 1e308);
  EXPECT_FALSE(std::isfinite(found.variance));
  EXPECT_EQ(found.least, Weight::Integer(1));
  EXPECT_EQ(StatsOf(std::vector<Weight>(7'001, Weight::Real(huge))).variance, 0);
}

TEST(WeightStatisticsTest, DoNotDependOnTheOrder) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    std::vector<Weight> weights;
    long double sum = 0;
    for (std::uint64_t i = random() % 30 + 1; i > 0; --i) {
      const auto whole = static_cast<std::int64_t>(random() % 2'000) - 1'000;
      const bool is_real = round % 3 != 0 && random() % 2 == 0;
      weights.push_back(is_real ? Weight::Real(static_cast<double>(whole) / 8 * 1e-3)
                                : Weight::Integer(round % 5 == 0 ? whole << 40 : whole));
      sum += static_cast<long double>(weights.back().AsDouble());
    }
    weights.push_back(Weight::Integer(3));
    weights.push_back(round % 3 == 0 ? Weight::Integer(3) : Weight::Real(3));
    sum += 6;
    const auto count = static_cast<long double>(weights.size());
    long double squares = 0;
    for (const Weight weight : weights) {
      squares += std::pow(static_cast<long double>(weight.AsDouble()) - sum / count, 2.0L);
    }
    const WeightStatistics found = StatsOf(weights);
    EXPECT_DOUBLE_EQ(found.mean, static_cast<double>(sum / count));
    const auto variance = static_cast<double>(squares / count);
    EXPECT_NEAR(found.variance, variance, variance * 1e-14);
    for (int turn = 0; turn < 4; ++turn) {
      std::ranges::shuffle(weights, random);
      const WeightStatistics again = StatsOf(weights);
      EXPECT_EQ(again.sum, found.sum);
      EXPECT_EQ(again.least, found.least);
      EXPECT_EQ(again.greatest, found.greatest);
      EXPECT_EQ(again.mean, found.mean);
      EXPECT_EQ(again.variance, found.variance);
    }
  }
}

}  // namespace
}  // namespace sash
