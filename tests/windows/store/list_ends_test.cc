#include "windows/store/list_ends.h"

#include <gtest/gtest.h>

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace sash {
namespace {

using Counts = std::vector<std::pair<VertexId, std::uint32_t>>;
using EndsRow = std::tuple<VertexId, std::uint32_t, std::uint32_t>;  // vertex, left, came

CountedSlice Counted(SliceNumber number, const Counts& counts) {
  auto edges = std::make_shared<CodedCounts>();
  for (const auto& [vertex, count] : counts) edges->Append(vertex, count);
  return {number, std::move(edges), nullptr};
}

// The slices 1 to 6; slice n brings n edges to vertex 7 and one to vertex n.
std::vector<CountedSlice> SlicesOf(SliceNumber first, SliceNumber last) {
  std::vector<CountedSlice> slices;
  for (SliceNumber n = first; n <= last; ++n) slices.push_back(Counted(n, {{n, 1}, {7, n}}));
  return slices;
}

std::vector<EndsRow> RowsOf(const ListEnds& ends, VertexId first = 0, VertexId last = 100) {
  std::vector<EndsRow> rows;
  for (const ListEnds::Ends& each : ends.Of(first, last)) {
    rows.emplace_back(each.vertex, each.left, each.came);
  }
  return rows;
}

TEST(ListEndsTest, AddUpWhatEnteredAndWhatLeft) {
  const auto entered = SlicesOf(4, 6);
  const auto left = SlicesOf(1, 2);
  const auto ends = ListEnds::Between({.oldest = 1, .newest = 4},
                                      {.oldest = 3, .newest = 6, .entered = entered, .left = left});
  ASSERT_TRUE(ends);
  EXPECT_EQ(RowsOf(*ends),
            (std::vector<EndsRow>{{1, 1, 0}, {2, 1, 0}, {5, 0, 1}, {6, 0, 1}, {7, 3, 11}}));
  EXPECT_EQ(RowsOf(*ends, 2, 7), (std::vector<EndsRow>{{2, 1, 0}, {5, 0, 1}, {6, 0, 1}}));
}

TEST(ListEndsTest, AListThatGotAsManyAsItLostDiffers) {
  const std::vector<CountedSlice> entered{Counted(2, {{7, 3}})};
  const std::vector<CountedSlice> left{Counted(1, {{7, 3}})};
  const auto ends = ListEnds::Between({.oldest = 1, .newest = 1},
                                      {.oldest = 2, .newest = 2, .entered = entered, .left = left});
  ASSERT_TRUE(ends);
  EXPECT_EQ(RowsOf(*ends), (std::vector<EndsRow>{{7, 3, 3}}));
}

TEST(ListEndsTest, WhatEnteredAndLeftBetweenTheViewsIsInNeither) {
  const auto entered = SlicesOf(5, 6);
  const auto left = SlicesOf(1, 4);
  const auto ends = ListEnds::Between({.oldest = 1, .newest = 2},
                                      {.oldest = 5, .newest = 6, .entered = entered, .left = left});
  ASSERT_TRUE(ends);
  EXPECT_EQ(RowsOf(*ends),
            (std::vector<EndsRow>{{1, 1, 0}, {2, 1, 0}, {5, 0, 1}, {6, 0, 1}, {7, 3, 11}}));
}

TEST(ListEndsTest, ViewsWithAnUnknownSliceBetweenThemAreNotCompared) {
  const auto entered = SlicesOf(4, 6);
  const auto left = SlicesOf(2, 3);
  const CountedSlices after{.oldest = 4, .newest = 6, .entered = entered, .left = left};
  EXPECT_TRUE(ListEnds::Between({.oldest = 2, .newest = 3}, after));
  EXPECT_FALSE(ListEnds::Between({.oldest = 1, .newest = 3}, after));
  const CountedSlices later{.oldest = 2, .newest = 6, .entered = entered, .left = {}};
  EXPECT_TRUE(ListEnds::Between({.oldest = 2, .newest = 3}, later));
  EXPECT_FALSE(ListEnds::Between({.oldest = 2, .newest = 2}, later));
  EXPECT_FALSE(ListEnds::Between({.oldest = 1, .newest = 3}, later));
}

TEST(ListEndsTest, NothingDiffersBetweenAViewAndItself) {
  const auto entered = SlicesOf(1, 3);
  const CountedSlices view{.oldest = 1, .newest = 3, .entered = entered, .left = {}};
  const auto ends = ListEnds::Between(view, view);
  ASSERT_TRUE(ends);
  EXPECT_TRUE(RowsOf(*ends).empty());
}

}  // namespace
}  // namespace sash
