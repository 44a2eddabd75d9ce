#include <gtest/gtest.h>

#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

FormatSpec JsonWithTombstones() {
  FormatSpec format;
  format.mapping = JsonMapping{
      .source = "/from", .target = "/to", .weight = "/w", .time = "/ts", .operation = "/op"};
  format.tombstone = TombstonePolicy::kRemove;
  return format;
}

TEST(TombstoneTest, TheRecordKeyNamesTheEdgeToRemove) {
  const Decoded edge =
      Decoding(JsonWithTombstones()).DecodeTombstone(R"({"from":"a","to":"b","ts":5})");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.event.operation, Operation::kRemove);
  EXPECT_EQ(edge.source, "a");
  EXPECT_EQ(edge.target, "b");
  EXPECT_EQ(edge.event.time.time_since_epoch(), std::chrono::milliseconds(5));
}

TEST(TombstoneTest, WeightAndOperationAreNotLookedAt) {
  const Decoded edge =
      Decoding(JsonWithTombstones())
          .DecodeTombstone(R"({"from":"a","to":"b","ts":5,"w":"heavy","op":"remove_vertex"})");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.event.operation, Operation::kRemove);
  EXPECT_EQ(edge.event.weight, Weight::Integer(1));
}

TEST(TombstoneTest, KeysThatDoNotDecodeAreRefused) {
  Decoding decoding(JsonWithTombstones());
  EXPECT_EQ(decoding.DecodeTombstone("a-b").refused, RefusalReason::kInvalidSyntax);
  EXPECT_EQ(decoding.DecodeTombstone("").refused, RefusalReason::kInvalidSyntax);
  EXPECT_EQ(decoding.DecodeTombstone(R"({"from":"a","to":"b"})").refused,
            RefusalReason::kMissingField);
  EXPECT_EQ(decoding.DecodeTombstone(R"({"from":"a","ts":5})").refused,
            RefusalReason::kMissingField);
}

TEST(TombstoneTest, CsvKeysAreHeldToTheMappedColumnsOnly) {
  FormatSpec format;
  format.mapping =
      CsvMapping{.source = 1u, .target = 2u, .weight = 3u, .time = {}, .operation = 4u};
  format.time_origin = TimeOrigin::kKafka;
  Decoding decoding(format);
  ASSERT_FALSE(decoding.Decode("a,b,2,").refused);
  const Decoded edge = decoding.DecodeTombstone("a,b");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.event.operation, Operation::kRemove);
  EXPECT_EQ(edge.event.time, decoding.place.time);
  EXPECT_EQ(decoding.DecodeTombstone("a").refused, RefusalReason::kMissingField);
  EXPECT_EQ(decoding.DecodeTombstone("a,").refused, RefusalReason::kEmptyKey);
  EXPECT_FALSE(decoding.Decode("c,d,2,").refused);
}

}  // namespace
}  // namespace sash
