#include "connectors/kafka/rewind_metadata.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/support/nested_lists.h"

namespace sash {
namespace {

EventTime At(std::int64_t nanoseconds) { return EventTime(Duration(nanoseconds)); }

TEST(RewindMetadataTest, TextIsCompactJsonWithAVersion) {
  const RewindMetadata metadata{
      .newest_before = At(17), .published = {{"last-5m", 300}}, .gap_until = std::nullopt};
  const std::string text = FormatRewindMetadata(metadata);
  EXPECT_EQ(text, R"({"accepted":null,"gap":null,"newest":17,"published":{"last-5m":300},"v":1})");
}

TEST(RewindMetadataTest, ReadsBackWhatItWrote) {
  const RewindMetadata full{.newest_before = At(std::numeric_limits<std::int64_t>::max()),
                            .published = {{"a \"quoted\" name", -5}, {"b", 7}},
                            .silent = {"a \"quoted\" name"},
                            .joined = {"b"},
                            .gap_until = At(-9),
                            .accepted_before = 1'234,
                            .by = "0123456789abcdef",
                            .last = RecordAnchor{.offset = std::numeric_limits<std::int64_t>::max(),
                                                 .timestamp_ms = -1,
                                                 .crc = 0xFFFF'FFFF}};
  EXPECT_EQ(ParseRewindMetadata(FormatRewindMetadata(full)), full);
  EXPECT_EQ(ParseRewindMetadata(FormatRewindMetadata({})), RewindMetadata());
}

TEST(RewindMetadataTest, TakesOnlyItsOwnVersion) {
  for (const char* text :
       {"", "{", "null", "[]", "{}", R"({"v":2,"newest":1,"published":{},"gap":null})",
        R"({"v":1,"newest":"x","published":{}})", R"({"v":1,"published":[1]})",
        R"({"v":1,"published":{"a":1.5}})", R"({"v":1,"gap":true})",
        R"({"v":1,"published":{},"silent":{"a":1}})", R"({"v":1,"published":{},"silent":[1]})",
        R"({"v":1,"published":{},"joined":[1]})", R"({"v":1,"by":7})", R"({"v":1,"last":[1,2]})",
        R"({"v":1,"last":[1,"x",3]})", R"({"v":1,"last":[1,null,-3]})"}) {
    EXPECT_EQ(ParseRewindMetadata(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseRewindMetadata(R"({"v":)" + testing::NestedLists() + "}"), std::nullopt);
}

TEST(RewindMetadataTest, LeavesOutTheSameWindowsWhateverTheTimes) {
  RewindMetadata metadata;
  for (int i = 0; i < 100; ++i) {
    metadata.published["window-" + std::to_string(1000 + i) + std::string(60, 'x')] =
        1'000'000'000 + i;
  }
  std::size_t left_out = 0;
  const std::string text = FormatRewindMetadata(metadata, &left_out);
  EXPECT_LE(text.size(), RewindMetadata::kMaxBytes);
  const auto read = ParseRewindMetadata(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->published.size() + left_out, 100u);
  EXPECT_GT(read->published.size(), 40u);

  for (const auto& [window, end] : metadata.published) {
    metadata.silent.insert(window);
    metadata.joined.insert(window);
  }
  const auto silent = ParseRewindMetadata(FormatRewindMetadata(metadata, &left_out));
  EXPECT_EQ(silent->published.size() + left_out, 100u);
  EXPECT_EQ(silent->silent.size(), silent->published.size());
  EXPECT_EQ(silent->joined, silent->silent);

  metadata.newest_before = metadata.gap_until = At(std::numeric_limits<std::int64_t>::min());
  metadata.accepted_before = std::numeric_limits<std::int64_t>::min();
  metadata.by = "0123456789abcdef";
  const std::string longer = FormatRewindMetadata(metadata);
  EXPECT_LE(longer.size(), RewindMetadata::kMaxBytes);
  EXPECT_EQ(ParseRewindMetadata(longer)->published, silent->published);
}

TEST(RewindMetadataTest, MergeTakesTheLeastEndOfWindowsThatAllName) {
  const std::vector<std::optional<RewindMetadata>> partitions = {
      RewindMetadata{.newest_before = {}, .published = {{"a", 5}, {"b", 9}}, .gap_until = At(3)},
      RewindMetadata{.newest_before = {},
                     .published = {{"a", 4}, {"c", 1}},
                     .silent = {"a", "c"},
                     .joined = {"a"},
                     .gap_until = At(8)}};
  RewindPoint point;
  MergeRewindMetadata(partitions, point);
  EXPECT_EQ(point.published, (std::map<std::string, std::int64_t>{{"a", 4}}));
  EXPECT_EQ(point.newest, (std::map<std::string, NewestWindow>{{"a", {0, true, true}}}));
  EXPECT_EQ(point.gap_until, At(8));
}

TEST(RewindMetadataTest, APointSaysWhichOfItsWindowsAreInSilenceOrHaveOnlyJoined) {
  RewindPoint point;
  point.published = {{"a", 5}, {"b", 9}};
  point.newest = {{"a", {17, true}}, {"b", {3, false, true}}};
  point.gap_until = At(3);
  const RewindMetadata metadata = ToMetadata(point);
  EXPECT_EQ(metadata.published, point.published);
  EXPECT_EQ(metadata.silent, (std::set<std::string>{"a"}));
  EXPECT_EQ(metadata.joined, (std::set<std::string>{"b"}));
  EXPECT_EQ(metadata.gap_until, At(3));
}

TEST(RewindMetadataTest, MergeWithAnUnreadableOneNamesNoWindow) {
  const std::vector<std::optional<RewindMetadata>> partitions = {
      RewindMetadata{.newest_before = {}, .published = {{"a", 5}}, .gap_until = {}}, std::nullopt};
  RewindPoint point;
  MergeRewindMetadata(partitions, point);
  EXPECT_TRUE(point.published.empty());
}

}  // namespace
}  // namespace sash
