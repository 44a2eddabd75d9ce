#include "windows/base/weight.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "windows/base/finite_weight.h"
#include "windows/base/weight_column.h"

namespace sash {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(WeightTest, AnEdgeThatNamesNoneWeighsTheIntegerOne) {
  EXPECT_EQ(Weight(), Weight::Integer(1));
  EXPECT_FALSE(Weight::Integer(1) == Weight::Real(1.0));
}

TEST(WeightTest, ComparesLargeIntegersWithRealsExactly) {
  const auto real = Weight::Real(9223372036854774784.0);  // the largest double below 2^63
  EXPECT_TRUE(real < Weight::Integer(kMax));
  EXPECT_FALSE(Weight::Integer(kMax) < real);
  EXPECT_TRUE(Weight::Integer(kMax - 1) < Weight::Integer(kMax));
}

TEST(WeightSumTest, IntegersStayExactThroughAnOverflowThatEndsInRange) {
  WeightSum sum;
  sum.Add(Weight::Integer(kMax));
  sum.Add(Weight::Integer(kMax));
  sum.Add(Weight::Integer(-kMax));
  EXPECT_EQ(sum.Total(), Weight::Integer(kMax));
}

TEST(WeightSumTest, ASumBeyond64BitsIsReal) {
  WeightSum sum;
  sum.Add(Weight::Integer(kMax));
  sum.Add(Weight::Integer(kMax));
  EXPECT_EQ(sum.Total(), Weight::Real(18446744073709551614.0));
}

TEST(WeightSumTest, ASumBeyondTheDoublesIsNotFinite) {
  const Weight most = Weight::Real(std::numeric_limits<double>::max());
  WeightSum sum;
  sum.Add(most);
  EXPECT_TRUE(IsFinite(sum.Total()));
  sum.Add(most);
  EXPECT_FALSE(IsFinite(sum.Total()));
  sum.Add(Weight::Real(-most.AsDouble()));
  EXPECT_EQ(sum.Total(), most);
  EXPECT_TRUE(IsFinite(Weight::Integer(std::numeric_limits<std::int64_t>::min())));
  EXPECT_FALSE(IsFinite(Weight::Real(std::numeric_limits<double>::quiet_NaN())));
}

TEST(WeightSumTest, OneRealMakesTheSumReal) {
  WeightSum sum;
  sum.Add(Weight::Integer(2));
  sum.Add(Weight::Real(0.5));
  EXPECT_EQ(sum.Total(), Weight::Real(2.5));
}

TEST(WeightColumnTest, StoresNothingWhileAllAreOne) {
  EXPECT_EQ(WeightColumn(1000, WeightColumn::Kind::kOnes).bytes(), 0u);
}

TEST(WeightColumnTest, KeepsIntegersAndRealsApart) {
  WeightColumn column(3, WeightColumn::Kind::kMixed);
  column.Set(0, Weight::Integer(-7));
  column.Set(2, Weight::Real(-7.0));
  EXPECT_EQ(column[0], Weight::Integer(-7));
  EXPECT_EQ(column[1], Weight());
  EXPECT_EQ(column[2], Weight::Real(-7.0));
}

}  // namespace
}  // namespace sash
