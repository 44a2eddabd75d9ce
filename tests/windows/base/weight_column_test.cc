#include "windows/base/weight_column.h"

#include <gtest/gtest.h>

#include <vector>

namespace sash {
namespace {

using Kind = WeightColumn::Kind;

TEST(WeightColumnTest, EveryEdgeOfANewColumnHasTheIntegerOne) {
  for (const Kind kind : {Kind::kOnes, Kind::kIntegers, Kind::kMixed}) {
    const WeightColumn column(2, kind);
    EXPECT_EQ(column[0], Weight());
    EXPECT_EQ(column[1], Weight());
  }
}

TEST(WeightColumnTest, AWeightReadsBackWhateverWasThereBefore) {
  const std::vector<Weight> weights = {Weight::Integer(2), Weight::Real(1.5), Weight::Integer(1),
                                       Weight::Real(-0.0)};
  WeightColumn column(2, Kind::kMixed);
  for (const Weight before : weights) {
    for (const Weight weight : weights) {
      column.Set(0, before);
      column.Set(0, weight);
      EXPECT_EQ(column[0], weight);
      EXPECT_EQ(column[0].is_integer(), weight.is_integer());
      EXPECT_EQ(column[1], Weight()) << "the other edge keeps its weight";
    }
  }
}

}  // namespace
}  // namespace sash
