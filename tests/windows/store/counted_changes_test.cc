#include "windows/store/counted_changes.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace sash {
namespace {

using CountRow = std::pair<VertexId, std::uint32_t>;
using SumRow = std::tuple<VertexId, std::optional<std::int64_t>, bool>;

// Slice n brings n edges to vertex 7, of the weight 10 each.
CountedSlice Weighed(SliceNumber n) {
  auto edges = std::make_shared<CodedCounts>();
  edges->Append(7, n);
  auto sums = std::make_shared<CodedSums>();
  sums->Append(10 * n);
  return {n, std::move(edges), std::move(sums)};
}

// Slice n brings n edges to vertex 7, without weights.
CountedSlice Plain(SliceNumber n) {
  auto edges = std::make_shared<CodedCounts>();
  edges->Append(7, n);
  return {n, std::move(edges), nullptr};
}

std::vector<SumRow> SumsOf(const CountedChanges& counted) {
  std::vector<SumRow> rows;
  counted.ForEachSum([&](VertexId v, std::optional<std::int64_t> sum, bool comes) {
    rows.emplace_back(v, sum, comes);
  });
  return rows;
}

class CountedChangesTest : public ::testing::Test {
 protected:
  // From a window of the slices 1 to 3 to one of the slices 3 to 5.
  std::optional<CountedChanges> Counted() const {
    return CountedChanges::Between({.oldest = 1, .newest = 3},
                                   {.oldest = 3, .newest = 5, .entered = entered_, .left = left_});
  }

  std::vector<CountedSlice> entered_{Weighed(4), Weighed(5)};
  std::vector<CountedSlice> left_{Weighed(1), Weighed(2)};
};

TEST_F(CountedChangesTest, WhatEnteredArrivesAndWhatAgedOutDeparts) {
  const auto counted = Counted();
  ASSERT_TRUE(counted);
  std::vector<CountRow> arrived;
  counted->ForEachArrival([&](VertexId v, std::uint32_t edges) { arrived.emplace_back(v, edges); });
  std::vector<CountRow> departed;
  counted->ForEachDeparture(
      [&](VertexId v, std::uint32_t edges) { departed.emplace_back(v, edges); });
  EXPECT_EQ(arrived, (std::vector<CountRow>{{7, 4}, {7, 5}}));
  EXPECT_EQ(departed, (std::vector<CountRow>{{7, 1}, {7, 2}}));
}

TEST_F(CountedChangesTest, SumsAreThoseOfTheSlices) {
  const auto counted = Counted();
  ASSERT_TRUE(counted);
  EXPECT_EQ(SumsOf(*counted),
            (std::vector<SumRow>{{7, 40, true}, {7, 50, true}, {7, 10, false}, {7, 20, false}}));
}

TEST_F(CountedChangesTest, WithoutWeightsEachEdgeWeighsOne) {
  entered_.back() = Plain(5);
  left_.front() = Plain(1);
  const auto counted = Counted();
  ASSERT_TRUE(counted);
  EXPECT_EQ(SumsOf(*counted),
            (std::vector<SumRow>{{7, 40, true}, {7, 5, true}, {7, 1, false}, {7, 20, false}}));
}

TEST_F(CountedChangesTest, AnUnknownSliceBetweenTheViewsTellsNothing) {
  left_.erase(left_.begin());
  EXPECT_FALSE(Counted());
  left_.clear();
  EXPECT_FALSE(Counted());
}

}  // namespace
}  // namespace sash
