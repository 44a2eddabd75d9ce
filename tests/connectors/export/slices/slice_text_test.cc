// The manifest of a slice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "connectors/export/slices/slice_facts.h"
#include "tests/support/nested_lists.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

EventTime SecondsIn(std::int64_t seconds) { return EventTime(std::chrono::seconds(seconds)); }

SliceFacts SomeFacts() {
  return {.number = 17,
          .previous = SecondsIn(90) - Duration(1),
          .begin = SecondsIn(100),
          .end = SecondsIn(110) + Duration(5),
          .duplicates = 2,
          .late = 3,
          .refused = 4,
          .gap = true,
          .has_on_time = true,
          .on_time_passes = 2,
          .partitions = {{{"pay\"ments", 3, 0}, 5, 10, 20}, {{"t", 0, 1}, 2, 0, 7}},
          .filters = {"/a > 1", "types: \"x\"; "},
          .keys = KeyKind::kInteger,
          .has_reals = true,
          .mapping = "0123",
          .table = {"slice-0000000017.parquet", 7, 1234, 0x00ABCDEF},
          .written = SecondsIn(1000),
          .seconds = 0.25};
}

void ExpectSameFacts(const SliceFacts& a, const SliceFacts& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.previous, b.previous);
  EXPECT_EQ(a.begin, b.begin);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.duplicates, b.duplicates);
  EXPECT_EQ(a.late, b.late);
  EXPECT_EQ(a.refused, b.refused);
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.has_on_time, b.has_on_time);
  EXPECT_EQ(a.on_time_passes, b.on_time_passes);
  EXPECT_EQ(a.partitions, b.partitions);
  EXPECT_EQ(a.filters, b.filters);
  EXPECT_EQ(a.keys, b.keys);
  EXPECT_EQ(a.has_reals, b.has_reals);
  EXPECT_EQ(a.mapping, b.mapping);
  EXPECT_EQ(a.table.name, b.table.name);
  EXPECT_EQ(a.table.rows, b.table.rows);
  EXPECT_EQ(a.table.bytes, b.table.bytes);
  EXPECT_EQ(a.table.checksum, b.table.checksum);
  EXPECT_EQ(a.written, b.written);
  EXPECT_EQ(a.seconds, b.seconds);
}

TEST(SliceTextTest, ASliceOfAShardHasTheCountsOfPanesBefore) {
  SliceFacts facts = SomeFacts();
  EXPECT_EQ(SliceText(facts).find("\"shard\""), std::string::npos);
  facts.shard = StreamShard{2, 3};
  facts.apart = {{{}, 1, 2}, {SecondsIn(90), 3, 4}};
  const Result<SliceFacts> parsed = ParseSliceText(SliceText(facts));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  ExpectSameFacts(parsed.value(), facts);
  EXPECT_EQ(parsed.value().shard, facts.shard);
  EXPECT_EQ(parsed.value().apart, facts.apart);
  std::string text = SliceText(facts);
  text.replace(text.find("\"of\":3"), 6, "\"of\":1");
  EXPECT_THAT(ParseSliceText(text).error().message, HasSubstr("`shard`"));
}

TEST(SliceTextTest, AManifestReadsBackAsItWasWritten) {
  const SliceFacts facts = SomeFacts();
  const Result<SliceFacts> read = ParseSliceText(SliceText(facts));
  ASSERT_TRUE(read.ok()) << read.error().message;
  ExpectSameFacts(read.value(), facts);
  SliceFacts first = facts;
  first.previous.reset();
  ASSERT_TRUE(ParseSliceText(SliceText(first)).ok());
  EXPECT_FALSE(ParseSliceText(SliceText(first)).value().previous.has_value());
}

TEST(SliceTextTest, OffsetsAreThoseOfTheNewestLifeOfAPartition) {
  SliceFacts facts = SomeFacts();
  facts.partitions = {{{"t", 0, 0}, 2, 50, 90}, {{"t", 0, 1}, 2, 3, 4}, {{"t", 0, 1}, 3, 1, 2}};
  EXPECT_THAT(SliceText(facts), HasSubstr(R"("offsets":{"t":{"0":[1,4]}})"));
}

TEST(SliceTextTest, WhatIsNotAManifestIsAnErrorThatSaysWhy) {
  const std::string text = SliceText(SomeFacts());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    const Result<SliceFacts> read = ParseSliceText(changed);
    EXPECT_FALSE(read.ok()) << to;
    return read.ok() ? std::string() : read.error().message;
  };
  EXPECT_THAT(with("\"slices\":1", "\"slices\":2"), HasSubstr("its format is 2"));
  EXPECT_THAT(with("\"late\":3", "\"late\":-3"), HasSubstr("`late` is missing or wrong"));
  EXPECT_THAT(with("\"rows\":5", "\"rows\":6"), HasSubstr("`partitions`"));
  EXPECT_THAT(with("00abcdef", "00abcdeg"), HasSubstr("`file`"));
  EXPECT_THAT(with("filter_1", "filter_2"), HasSubstr("`filters`"));
  EXPECT_THAT(ParseSliceText("[]").error().message, HasSubstr("not a JSON object"));
  EXPECT_THAT(ParseSliceText("").error().message, HasSubstr("not a JSON object"));
  EXPECT_THAT(ParseSliceText(R"({"slices":)" + testing::NestedLists() + "}").error().message,
              HasSubstr("nested too deeply"));
}

TEST(SliceTextTest, ADamagedManifestIsNeverACrash) {
  constexpr unsigned kSeed = 24;
  std::mt19937 random(kSeed);
  const std::string text = SliceText(SomeFacts());
  std::size_t refused = 0;
  for (int i = 0; i < 5'000; ++i) {
    std::string damaged = text;
    for (int j = 0; j < 1 + i % 3; ++j) {
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    }
    if (i % 5 == 0) damaged.resize(random() % damaged.size());
    if (!ParseSliceText(damaged).ok()) ++refused;
  }
  EXPECT_GT(refused, 2'500u) << "seed " << kSeed;
}

TEST(SliceTextTest, NamesHaveTheNumber) {
  EXPECT_EQ(SliceTableName(17), "slice-0000000017.parquet");
  EXPECT_EQ(SliceNumberIn("slice-0000000017.json", ".json"), 17u);
  EXPECT_EQ(SliceNumberIn("slice-12345678901.json", ".json"), 12'345'678'901u);
  for (const char* other : {"slice-17.json", "slice-000000001x.json", "slice-0000000017.json.new",
                            "other.json", "slice-.json", ""}) {
    EXPECT_FALSE(SliceNumberIn(other, ".json").has_value()) << other;
  }
}

}  // namespace
}  // namespace sash
