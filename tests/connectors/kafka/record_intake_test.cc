#include "connectors/kafka/record_intake.h"

#include <gtest/gtest.h>

#include "tests/connectors/kafka/source_harness.h"
#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

class RecordIntakeTest : public ::testing::Test {
 protected:
  std::optional<EventTime> Take(const KafkaRecord& record) {
    RecordIntake intake(format_, MakeWordDecoder(), refusals_, clock_);
    const auto time = intake.Take(record, 7, batch_);
    tombstones_ignored_ += intake.tombstones_ignored();
    refused_ += intake.refused();
    return time;
  }
  RefusalReason OnlyReason() {
    const auto seen = refusals_.seen();
    EXPECT_EQ(seen.size(), 1u);
    EXPECT_TRUE(batch_.events().empty());
    EXPECT_EQ(batch_.marks().size(), 1u);
    return seen.empty() ? RefusalReason::kLate : seen[0].reason;
  }

  FormatSpec format_;
  RecordingRefusals refusals_;
  ManualClock clock_{EventTime(milliseconds(99))};
  EventBatch batch_;
  std::uint64_t tombstones_ignored_ = 0;
  std::uint64_t refused_ = 0;
};

const KafkaRecord kGood{"edges", 2, 40, 5, std::nullopt, "a b"};
const KafkaRecord kTombstone{"edges", 2, 40, 5, "a b", std::nullopt};

TEST_F(RecordIntakeTest, KafkaTimestampIsTheTime) {
  format_.time_origin = TimeOrigin::kKafka;
  EXPECT_EQ(Take(kGood), EventTime(milliseconds(5)));
  ASSERT_EQ(batch_.events().size(), 1u);
  EXPECT_EQ(batch_.events()[0].offset, 40);
  EXPECT_EQ(batch_.events()[0].partition, 7u);
}

TEST_F(RecordIntakeTest, ARecordOfATopicThatNoMappingTakesIsOnlyCounted) {
  FormatSpec mapping;
  JsonMapping fields;
  fields.source = "/a";
  fields.target = "/b";
  mapping.mapping = fields;
  mapping.name = "m";
  mapping.topics = {"logins"};
  mapping.time_origin = format_.time_origin = TimeOrigin::kKafka;
  mapping.tombstone = format_.tombstone = TombstonePolicy::kDeadLetter;
  format_.mappings = {mapping};
  auto decoder = MakeDecoder(format_);
  ASSERT_TRUE(decoder.ok());
  RecordIntake intake(format_, std::move(decoder).value(), refusals_, clock_);
  KafkaRecord record = kGood;
  record.value = "\x1f\x8b not JSON";
  EXPECT_EQ(intake.Take(record, 7, batch_), std::nullopt);
  EXPECT_EQ(intake.Take(kTombstone, 7, batch_), std::nullopt);
  EXPECT_EQ(intake.unmapped(), 2u);
  EXPECT_EQ(intake.filtered(), 0u);
  EXPECT_TRUE(refusals_.seen().empty());
  EXPECT_TRUE(batch_.empty());
  record.topic = "logins";
  EXPECT_EQ(intake.Take(record, 7, batch_), std::nullopt);
  EXPECT_EQ(intake.unmapped(), 2u);
  EXPECT_EQ(intake.refused(), 1u);
}

TEST_F(RecordIntakeTest, ClockIsTheTime) {
  format_.time_origin = TimeOrigin::kClock;
  EXPECT_EQ(Take(kGood), EventTime(milliseconds(99)));
}

TEST_F(RecordIntakeTest, RefusesRecordWithoutTimestampWhenItIsNeeded) {
  format_.time_origin = TimeOrigin::kKafka;
  KafkaRecord record = kGood;
  record.timestamp_ms.reset();
  EXPECT_EQ(Take(record), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kInvalidTime);
}

TEST_F(RecordIntakeTest, RefusesTimestampThatNoEventTimeCanName) {
  format_.time_origin = TimeOrigin::kKafka;
  KafkaRecord record = kGood;
  record.timestamp_ms = 9'300'000'000'000'000;
  EXPECT_EQ(Take(record), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kInvalidTime);
}

TEST_F(RecordIntakeTest, RecordWithoutTimestampIsFineWhenTheTimeIsAField) {
  KafkaRecord record = kGood;
  record.timestamp_ms.reset();
  record.value = "a b 17";
  EXPECT_EQ(Take(record), EventTime(milliseconds(17)));
}

TEST_F(RecordIntakeTest, FramedRecordIsRefusedWithItsSchemaAndARemedy) {
  using namespace std::string_view_literals;
  KafkaRecord record = kGood;
  record.value =
      "\0\0\0\0\x2A"
      "a b 17"sv;  // which would decode
  EXPECT_EQ(Take(record), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kInvalidSyntax);
  EXPECT_NE(refusals_.seen()[0].detail.find("schema id 42"), std::string::npos);
  EXPECT_NE(refusals_.seen()[0].detail.find("schemas.enable=false"), std::string::npos);
}

TEST_F(RecordIntakeTest, CompressedRecordIsNamed) {
  KafkaRecord record = kGood;
  record.value = "\x1F\x8B\x08";
  EXPECT_EQ(Take(record), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kInvalidSyntax);
  EXPECT_NE(refusals_.seen()[0].detail.find("compressed with gzip"), std::string::npos);
}

TEST_F(RecordIntakeTest, RefusedRecordIsToldWithItsPlaceAndMarked) {
  KafkaRecord record = kGood;
  record.value = "broken";
  EXPECT_EQ(Take(record), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kInvalidSyntax);
  const auto seen = refusals_.seen()[0];
  EXPECT_EQ(seen.topic, "edges");
  EXPECT_EQ(seen.partition, 2);
  EXPECT_EQ(seen.offset, 40);
  EXPECT_EQ(seen.timestamp, EventTime(milliseconds(5)));
  EXPECT_EQ(seen.stage, "decode");
  EXPECT_EQ(seen.payload, "broken");
  EXPECT_EQ(batch_.marks()[0].kind, Mark::Kind::kRefused);
  EXPECT_EQ(batch_.marks()[0].offset, 40);
  EXPECT_EQ(refused_, 1u);
}

TEST_F(RecordIntakeTest, RefusesTooLargeRecord) {
  const std::string large(kMaxRecordBytes + 1, 'x');
  KafkaRecord record = kGood;
  record.value = large;
  EXPECT_EQ(Take(record), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kTooLarge);
}

TEST_F(RecordIntakeTest, WhatTheEngineMayRefuseKeepsWhatItsRecordHad) {
  KafkaRecord record = kGood;
  record.key = "k";
  ASSERT_TRUE(Take(record));
  record.key = "";
  ASSERT_TRUE(Take(record));
  ASSERT_TRUE(Take(kGood));
  format_.tombstone = TombstonePolicy::kRemove;
  ASSERT_TRUE(Take(kTombstone));
  std::vector<std::pair<std::optional<std::string>, bool>> seen;  // key, whether there is a value
  for (const EdgeEvent& event : batch_.events()) {
    const RecordOrigin* const origin = batch_.OriginOf(event);
    ASSERT_NE(origin, nullptr);
    EXPECT_EQ(origin->timestamp, EventTime(milliseconds(5)));
    std::optional<std::string> key;
    if (origin->has_key) key = batch_.Text(origin->key);
    seen.emplace_back(key, origin->has_value);
  }
  const decltype(seen) expected = {{"k", true}, {"", true}, {std::nullopt, true}, {"a b", false}};
  EXPECT_EQ(seen, expected);
}

TEST_F(RecordIntakeTest, IgnoredTombstoneIsOnlyCounted) {
  EXPECT_EQ(Take(kTombstone), std::nullopt);
  EXPECT_EQ(tombstones_ignored_, 1u);
  EXPECT_TRUE(batch_.empty());
  EXPECT_TRUE(refusals_.seen().empty());
}

TEST_F(RecordIntakeTest, TombstoneRemovesWhatItsKeyNames) {
  format_.tombstone = TombstonePolicy::kRemove;
  EXPECT_TRUE(Take(kTombstone));
  ASSERT_EQ(batch_.events().size(), 1u);
  EXPECT_EQ(batch_.events()[0].operation, Operation::kRemove);
  EXPECT_EQ(batch_.Text(batch_.events()[0].source.text()), "a");
}

TEST_F(RecordIntakeTest, RefusesTombstoneWithoutKey) {
  format_.tombstone = TombstonePolicy::kRemove;
  KafkaRecord record = kTombstone;
  record.key.reset();
  EXPECT_EQ(Take(record), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kMissingField);
}

TEST_F(RecordIntakeTest, DeadLetterTombstoneIsRefusedWithItsKey) {
  format_.tombstone = TombstonePolicy::kDeadLetter;
  EXPECT_EQ(Take(kTombstone), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kTombstone);
  EXPECT_EQ(refusals_.seen()[0].key, "a b");
  EXPECT_EQ(refusals_.seen()[0].payload, std::nullopt);
}

TEST_F(RecordIntakeTest, EmptyValueIsNoTombstone) {
  KafkaRecord record = kGood;
  record.value = "";
  EXPECT_EQ(Take(record), std::nullopt);
  EXPECT_EQ(OnlyReason(), RefusalReason::kInvalidSyntax);
}

TEST_F(RecordIntakeTest, ARecordThatWhereLeavesOutIsCounted) {
  format_.mapping =
      JsonMapping{.source = "/s", .target = "/t", .weight = {}, .time = "/ts", .operation = {}};
  format_.where = "$key == 'k' || $timestamp > 5 || $partition == 3 || $topic == 'other'";
  RecordIntake intake(format_, MakeDecoder(format_).value(), refusals_, clock_);
  KafkaRecord record{"edges", 2, 40, 5, "l", R"({"s":"a","t":"b","ts":17})"};
  EXPECT_EQ(intake.Take(record, 7, batch_), EventTime(milliseconds(17)));
  EXPECT_TRUE(batch_.events().back().filtered);
  EXPECT_EQ(batch_.OriginOf(batch_.events().back())->has_key, false);
  record.value = R"({"s":"a","t":"b"})";
  EXPECT_EQ(intake.Take(record, 7, batch_), std::nullopt) << "it has no time";
  EXPECT_EQ(intake.filtered(), 2u);
  EXPECT_EQ(batch_.events().size(), 1u);
  record.key = "k";
  EXPECT_EQ(intake.Take(record, 7, batch_), std::nullopt);
  EXPECT_EQ(intake.refused(), 1u) << "it passes, and has no time";
  record.value = R"({"s":"a","t":"b","ts":18})";
  EXPECT_EQ(intake.Take(record, 7, batch_), EventTime(milliseconds(18)));
  EXPECT_FALSE(batch_.events().back().filtered);
  EXPECT_EQ(batch_.Text(batch_.OriginOf(batch_.events().back())->key), "k");
  EXPECT_EQ(intake.filtered(), 2u);
}

// Headers as those of a message; counts how often they are read.
struct CountedHeaders {
  OwnHeaders headers;
  int reads = 0;

  UnreadHeaders unread() {
    return {this, [](const void* message, std::vector<RecordHeader>& to) {
              auto& self = *static_cast<CountedHeaders*>(const_cast<void*>(message));
              ++self.reads;
              HeadersIn(self.headers).AppendTo(to);
            }};
  }
};

TEST_F(RecordIntakeTest, HeadersAreReadOnlyIfTheMappingNamesOne) {
  JsonMapping mapping{.source = "/s", .target = "$key", .weight = {}, .time = {}, .operation = {}};
  format_.mapping = mapping;
  format_.time_origin = TimeOrigin::kKafka;
  CountedHeaders headers{.headers = {{"to", "b"}, {"trace", "\xff"}, {"none", std::nullopt}}};
  KafkaRecord record{"edges", 2, 40, 5, "k", R"({"s":"a"})", headers.unread()};
  RecordIntake without(format_, MakeDecoder(format_).value(), refusals_, clock_);
  ASSERT_TRUE(without.Take(record, 7, batch_));
  EXPECT_EQ(batch_.Text(batch_.events().back().target.text()), "k");
  EXPECT_EQ(headers.reads, 0);
  mapping.target = "$header.to";
  format_.mapping = mapping;
  RecordIntake with(format_, MakeDecoder(format_).value(), refusals_, clock_);
  ASSERT_TRUE(with.Take(record, 7, batch_));
  EXPECT_EQ(batch_.Text(batch_.events().back().target.text()), "b");
  EXPECT_EQ(headers.reads, 1);
}

TEST_F(RecordIntakeTest, ARefusalHasAllHeadersOfItsOwnRecord) {
  format_.mapping = JsonMapping{
      .source = "/s", .target = "$header.to", .weight = {}, .time = {}, .operation = {}};
  format_.time_origin = TimeOrigin::kKafka;
  CountedHeaders headers{.headers = {{"from", "b"}, {"trace", "\xff"}, {"none", std::nullopt}}};
  RecordIntake intake(format_, MakeDecoder(format_).value(), refusals_, clock_);
  EXPECT_FALSE(intake.Take({"edges", 2, 40, 5, "k", R"({"s":"a"})", headers.unread()}, 7, batch_));
  EXPECT_FALSE(intake.Take({"edges", 2, 41, 5, "k", R"({"s":"a"})"}, 7, batch_));
  const auto seen = refusals_.seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].reason, RefusalReason::kMissingField);
  EXPECT_EQ(seen[0].headers, headers.headers);
  EXPECT_EQ(seen[1].headers, OwnHeaders());
}

}  // namespace
}  // namespace sash
