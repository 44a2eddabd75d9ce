// Whether a partition is the one that was read before a restart, or its topic was deleted and
// created again. tests/integration/kafka/broker_life_test.py tests the same while a topic is read.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "connectors/kafka/kafka_source.h"
#include "connectors/kafka/record_witness.h"
#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

// A cluster with a topic of one partition, whose records have `source` as their source key.
struct OneTopic {
  explicit OneTopic(std::string source, int count) : source(std::move(source)) {
    kafka.CreateTopic("edges", 1);
    Produce(count);
  }
  void Produce(int count) {
    for (int i = 0; i < count; ++i) {
      producer.Send("edges", 0, source + " b " + std::to_string(1000 + produced++));
    }
    producer.Flush();
  }

  const std::string source;
  int produced = 0;
  MockKafka kafka;
  TestProducer producer{kafka.brokers()};
};

class RecordIdentityTest : public ::testing::Test {
 protected:
  // The anchor after all records of the topic.
  static RecordAnchor AnchorIn(OneTopic& topic) {
    SourceHarness harness(topic.kafka.brokers());
    harness.Start();
    EXPECT_TRUE(harness.PopEvents(static_cast<std::size_t>(topic.produced)));
    EXPECT_TRUE(harness.anchors.contains(0));
    return harness.anchors[0];
  }

  // Starts at `next` from a saved state with this anchor.
  static void Resume(SourceHarness& harness, std::int64_t next, const RecordAnchor& anchor) {
    harness.partitions.Index("edges", 0);
    harness.spec.resume[{"edges", 0}] = {.next = next, .newest = {}, .anchor = anchor};
    harness.Start();
  }

  static std::vector<std::int64_t> Until(std::int64_t end) {
    std::vector<std::int64_t> offsets;
    for (std::int64_t offset = 0; offset < end; ++offset) offsets.push_back(offset);
    return offsets;
  }
};

TEST_F(RecordIdentityTest, WhereTheRecordIsReadingGoesOn) {
  OneTopic topic("a", 20);
  const RecordAnchor anchor = AnchorIn(topic);
  EXPECT_EQ(anchor.offset, 19);
  topic.Produce(1);
  SourceHarness harness(topic.kafka.brokers());
  Resume(harness, 20, anchor);
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  EXPECT_EQ(harness.Offsets(0), std::vector<std::int64_t>{20});
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap), 0u);
  EXPECT_EQ(harness.log.Count("created again"), 0u) << harness.log.Text();
}

TEST_F(RecordIdentityTest, WhereAnotherRecordIsThePartitionBeginsAnew) {
  OneTopic old("a", 20);
  OneTopic recreated("c", 50);
  SourceHarness harness(recreated.kafka.brokers());
  Resume(harness, 20, AnchorIn(old));
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  ASSERT_EQ(harness.starts.size(), 1u);
  EXPECT_EQ(harness.starts[0].partitions, std::vector<PartitionIndex>{1});
  EXPECT_EQ(harness.partitions.At(1), (TopicPartition{"edges", 0, 1}));
  EXPECT_EQ(harness.Offsets(0), Until(50));
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap), 1u);
  EXPECT_EQ(harness.log.Count("created again (another record is at offset 19)"), 1u)
      << harness.log.Text();
  EXPECT_EQ(harness.source->counters().partitions_renewed, 1u);
}

// The records are the same but have other timestamps, or only one record is the same.
TEST_F(RecordIdentityTest, TimeAndContentBothTell) {
  OneTopic topic("a", 20);
  RecordAnchor later = AnchorIn(topic);
  *later.timestamp_ms += 1;
  SourceHarness harness(topic.kafka.brokers());
  Resume(harness, 20, later);
  ASSERT_TRUE(harness.PopCaughtUp());
  EXPECT_EQ(harness.Offsets(0), Until(20));
}

TEST_F(RecordIdentityTest, WhereTheLogDoesNotReachAsFarThePartitionBeginsAnew) {
  OneTopic old("a", 20);
  OneTopic recreated("a", 15);
  SourceHarness harness(recreated.kafka.brokers());
  // Without the anchor, reading would continue within the log.
  Resume(harness, 10, AnchorIn(old));
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  EXPECT_EQ(harness.Offsets(0), Until(15));
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap), 1u);
}

TEST_F(RecordIdentityTest, WhatRetentionTookIsSaidAndProvesNothing) {
  OneTopic topic("a", 1);
  const RecordAnchor anchor = AnchorIn(topic);
  for (int i = 0; i < 8; ++i) {  // the mock cluster keeps five megabytes
    topic.producer.Send("edges", 0, "a b 1 " + std::string(990'000, 'x'));
    topic.producer.Flush();
  }
  SourceHarness harness(topic.kafka.brokers());
  Resume(harness, 9, anchor);
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  EXPECT_EQ(harness.log.Count("created again: the record at offset 0 is no longer retained"), 1u)
      << harness.log.Text();
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap), 0u);
  EXPECT_EQ(harness.starts[0].partitions, std::vector<PartitionIndex>{0});
}

TEST_F(RecordIdentityTest, ACommitTellsTheRecord) {
  for (const bool same : {true, false}) {
    SCOPED_TRACE(same);
    OneTopic topic("a", 20);
    RecordAnchor anchor = AnchorIn(topic);
    if (!same) ++anchor.crc;
    {
      SourceHarness harness(topic.kafka.brokers());
      harness.Start();
      ASSERT_TRUE(harness.PopEvents(20));
      RewindPoint point;
      point.positions = {{0, 12, {}, anchor}};
      harness.source->Commit(point);
      harness.Stop();
    }
    SourceHarness harness(topic.kafka.brokers());
    harness.spec.start = StartCommitted{};
    harness.Start();
    ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
    EXPECT_EQ(harness.Offsets(0).front(), same ? 12 : 0);
    EXPECT_EQ(harness.Marks(Mark::Kind::kGap), same ? 0u : 1u);
  }
}

TEST_F(RecordIdentityTest, OfALifeThatIsOverNothingIsCommitted) {
  OneTopic topic("a", 20);
  {
    SourceHarness harness(topic.kafka.brokers());
    harness.Start();
    ASSERT_TRUE(harness.PopEvents(20));
    harness.source->Commit({.positions = {{0, 5, {}}}, .published = {}, .gap_until = {}});
    ASSERT_TRUE(harness.PopUntil([&] { return harness.source->counters().commits == 1; }));
    harness.partitions.Renew("edges", 0);
    harness.source->Commit({.positions = {{0, 9, {}}}, .published = {}, .gap_until = {}});
    harness.Stop();
  }
  SourceHarness harness(topic.kafka.brokers());
  harness.spec.start = StartCommitted{};
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp());
  EXPECT_EQ(harness.Offsets(0).front(), 5);
}

TEST_F(RecordIdentityTest, BehindALostConnectionNothingIsLostOrReadTwice) {
  OneTopic topic("a", 100);
  SourceHarness harness(topic.kafka.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(100)) << harness.log.Text();
  topic.kafka.SetDown();
  ASSERT_TRUE(harness.PopUntil([&] { return harness.log.Count("no broker can be reached") > 0; }));
  topic.kafka.SetUp();
  topic.Produce(100);
  ASSERT_TRUE(harness.PopEvents(200)) << harness.log.Text();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  EXPECT_EQ(harness.Offsets(0), Until(200));
  EXPECT_EQ(harness.log.Count("created again"), 0u) << harness.log.Text();
}

TEST_F(RecordIdentityTest, WithoutABrokerTheWitnessGivesUpInTimeAndSaysWhy) {
  KafkaSpec spec;
  spec.brokers = "127.0.0.1:1";
  const auto before = std::chrono::steady_clock::now();
  std::vector<Testimony> told;
  ReadAgain(spec, {{{"edges", 0}, RecordAnchor()}}, std::chrono::milliseconds(300), {},
            [&](const TopicPartition&, const Testimony& testimony) { told.push_back(testimony); });
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(3));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].kind, Testimony::Kind::kUnknown);
  EXPECT_FALSE(told[0].text.empty());
}

TEST(RecordAnchorTest, KeyAndValueAreToldApart) {
  const auto crc = [](std::optional<std::string_view> key, std::optional<std::string_view> value) {
    KafkaRecord record;
    record.key = key;
    record.value = value;
    return AnchorOf(record).crc;
  };
  EXPECT_NE(crc("ab", "c"), crc("a", "bc"));
  EXPECT_NE(crc("", "a"), crc({}, "a"));
  EXPECT_NE(crc("a", ""), crc("a", {}));
  EXPECT_EQ(crc("a", "b"), crc("a", "b"));
}

}  // namespace
}  // namespace sash
