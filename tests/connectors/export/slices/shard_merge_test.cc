// The slices of shards, put together.
#include "connectors/export/slices/shard_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Merges the slices of two shards, whose panes are 10 s long.
class ShardMergeTest : public ::testing::Test {
 protected:
  static EventTime Second(std::int64_t second) { return EventTime(std::chrono::seconds(second)); }

  ShardMergeTest() : shards_(2) {
    for (ShardSlices& shard : shards_) shard.about.closed_until = Second(1000);
  }

  // A slice of a shard that begins at this second; it follows those that the shard has.
  SliceFacts& Add(std::size_t shard, std::int64_t second) {
    std::vector<SliceFacts>& slices = shards_[shard].slices;
    SliceFacts facts{.number = 1, .begin = Second(second), .end = Second(second + 10)};
    if (!slices.empty()) {
      facts.number = slices.back().number + 1;
      facts.previous = slices.back().end;
    }
    facts.has_on_time = true;
    return slices.emplace_back(std::move(facts));
  }
  // Slices that begin at these seconds.
  void AddAll(std::size_t shard, const std::vector<std::int64_t>& seconds) {
    for (const std::int64_t second : seconds) Add(shard, second);
  }
  void Count(std::size_t shard, std::optional<std::int64_t> second, std::uint64_t late) {
    shards_[shard].about.counts.push_back({Begin(second), late, 0});
  }
  static std::optional<EventTime> Begin(std::optional<std::int64_t> second) {
    return second ? std::optional(Second(*second)) : std::nullopt;
  }

  MergedShards Merged() const { return MergeShards(shards_); }
  // "10: 2 late", "20: gap": the second at which each slice begins, and what the result states.
  std::vector<std::string> Told() const {
    std::vector<std::string> told;
    for (const StreamSlice& slice : Merged().slices) {
      std::string& text = told.emplace_back(
          std::to_string(slice.begin.time_since_epoch() / std::chrono::seconds(1)));
      if (slice.late > 0) text += ", late " + std::to_string(slice.late);
      if (slice.refused > 0) text += ", refused " + std::to_string(slice.refused);
      if (slice.gap) text += ", gap";
      if (slice.lost > 0) text += ", lost " + std::to_string(slice.lost);
    }
    return told;
  }

  std::vector<ShardSlices> shards_;
};

TEST_F(ShardMergeTest, SlicesOfOnePaneAreOneSlice) {
  AddAll(0, {0, 20});
  AddAll(1, {10, 20});
  shards_[0].slices[1].late = 1;
  shards_[0].slices[1].refused = 2;
  shards_[1].slices[1].late = 10;
  shards_[1].slices[1].refused = 20;
  shards_[1].slices[1].gap = true;
  EXPECT_THAT(Told(), ElementsAre("0", "10", "20, late 11, refused 22, gap"));
  const std::vector<StreamSlice> slices = Merged().slices;
  EXPECT_FALSE(slices[0].previous.has_value());
  EXPECT_EQ(slices[1].previous, Second(10));
  EXPECT_EQ(slices[2].previous, Second(20));
  EXPECT_EQ(slices[2].end, Second(30));
  ASSERT_EQ(slices[2].parts.size(), 2u);
  EXPECT_EQ(slices[1].parts[0].folder, 1u);
  EXPECT_EQ(slices[2].parts[0].folder, 0u);
  EXPECT_EQ(slices[2].parts[1].folder, 1u);
  EXPECT_EQ(slices[2].parts[1].facts.number, 2u);
}

TEST_F(ShardMergeTest, WhatNotAllShardsHaveClosedIsLeftOut) {
  AddAll(0, {0, 10, 20, 30});
  AddAll(1, {0, 10});
  shards_[1].about.closed_until = Second(20);
  const MergedShards merged = Merged();
  EXPECT_EQ(merged.slices.size(), 2u);
  EXPECT_EQ(merged.left_out, 2u);
  EXPECT_EQ(merged.first_left_out, Second(30));
  EXPECT_EQ(ClosedByAll(shards_), Second(20));
  shards_[1].about.closed_until = Second(40);
  EXPECT_FALSE(Merged().first_left_out.has_value()) << "the shard has no edge there";
  EXPECT_EQ(Merged().slices.size(), 4u);
}

TEST_F(ShardMergeTest, CountsApartAreInTheSliceWhereOneProcessCountsThem) {
  AddAll(0, {10, 60});
  AddAll(1, {30, 40});
  shards_[1].slices[0].has_on_time = false;
  Count(0, {}, 1);     // before every edge of its partition
  Count(0, 30, 10);    // another shard has that slice
  Count(0, 20, 100);   // the next slice has late edges alone, so no window begins with it
  Count(0, 70, 1000);  // there is no such slice yet
  EXPECT_THAT(Told(), ElementsAre("10, late 1", "30, late 10", "40, late 100", "60"));
}

TEST_F(ShardMergeTest, CountsOfASliceThatTheManifestHasNotPassedAreInTheManifest) {
  AddAll(0, {0, 20});
  AddAll(1, {0, 10, 40});
  shards_[1].slices[2].apart = {{Second(20), 0, 5}};
  Count(1, 20, 3);
  shards_[1].about.closed_until = Second(40);
  EXPECT_THAT(Told(), ElementsAre("0", "10", "20, late 3")) << "the slice at 40 came later";
  shards_[1].about.closed_until = Second(50);
  shards_[1].about.counts.clear();
  shards_[0].about.closed_until = Second(40);
  EXPECT_THAT(Told(), ElementsAre("0", "10", "20, refused 5"))
      << "that slice is not whole, and what it counts belongs to an earlier one";
}

TEST_F(ShardMergeTest, WhatAShardHasRemovedIsNotWhole) {
  AddAll(0, {0, 10, 20, 30});
  Add(1, 20).previous = Second(20);
  Count(0, {}, 1);
  Count(0, 10, 1);
  Count(0, 30, 1);
  EXPECT_THAT(Told(), ElementsAre("20", "30, late 1"));
  EXPECT_EQ(Merged().slices[0].previous, Second(20)) << "so that windows know of a gap";
}

TEST_F(ShardMergeTest, FilesThatAreMissingAreAGapOfAllShards) {
  AddAll(0, {0, 10, 20, 30, 40, 50});
  AddAll(1, {0, 10, 20, 30, 50});
  std::vector<SliceFacts>& slices = shards_[1].slices;
  slices.erase(slices.begin() + 1, slices.begin() + 3);
  EXPECT_THAT(Told(), ElementsAre("0", "10, gap", "20, gap", "30, lost 2", "40", "50"));
  slices.erase(slices.begin() + 1);
  shards_[0].slices.resize(1);
  EXPECT_THAT(Told(), ElementsAre("0", "50, lost 3"));
  EXPECT_EQ(Merged().slices[1].previous, Second(40)) << "the end of the newest lost one";
}

TEST_F(ShardMergeTest, ShardsWithoutSlicesHaveNone) {
  EXPECT_THAT(Told(), IsEmpty());
  Count(0, {}, 7);
  AddAll(1, {10});
  EXPECT_THAT(Told(), ElementsAre("10, late 7"));
}

}  // namespace
}  // namespace sash
