// Where the source begins to read: at commits, by start policies, and after retention.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "tests/connectors/kafka/kafka_source_fixture.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST_F(KafkaSourceTest, RestartResumesAtTheRewindPointWithItsMetadata) {
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 100);
  RewindPoint point;
  point.published = {{"last-5m", 300}, {"last-1h", 3600}};
  point.newest = {{"last-5m", {0, true}}, {"last-1h", {0, false}}};
  point.gap_until = EventTime(milliseconds(55));
  {
    SourceHarness harness(kafka_.brokers());
    harness.spec.start = StartCommitted{};
    harness.Start();
    ASSERT_TRUE(harness.PopEvents(400)) << harness.log.Text();
    for (PartitionIndex partition = 0; partition < kPartitions; ++partition) {
      point.positions.push_back(
          {partition, 10 * (partition + 1), EventTime(milliseconds(partition))});
    }
    point.positions[3].newest_before.reset();
    harness.source->Commit({.positions = {{0, 1, {}}}, .published = {}, .gap_until = {}});
    harness.source->Commit(point);
    harness.Stop();
    EXPECT_GE(harness.source->counters().commits, 1u) << harness.log.Text();
    EXPECT_EQ(harness.source->counters().commit_failures, 0u) << harness.log.Text();
  }
  SourceHarness harness(kafka_.brokers());
  harness.spec.start = StartCommitted{};
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  ASSERT_EQ(harness.starts.size(), 1u);
  EXPECT_EQ(harness.starts[0].resumed, point);
  EXPECT_EQ(harness.Offsets(0), Range(10, 100));
  EXPECT_EQ(harness.Offsets(3), Range(40, 100));
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap), 0u);
}

TEST_F(KafkaSourceTest, AShardReadsOnlyItsPartitions) {
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 10);
  SourceHarness harness(kafka_.brokers());
  harness.spec.shard = StreamShard{1, 3};
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  ASSERT_EQ(harness.starts.size(), 1u);
  ASSERT_EQ(harness.partitions.size(), 2u);
  EXPECT_EQ(harness.partitions.At(0).partition, 0);
  EXPECT_EQ(harness.partitions.At(1).partition, 3);
  EXPECT_EQ(harness.events.size(), 20u);
}

TEST_F(KafkaSourceTest, AShardBeginsWithoutAPartition) {
  Produce(0, 10);
  SourceHarness harness(kafka_.brokers());
  harness.spec.start = StartCommitted{};
  harness.spec.shard = StreamShard{6, 6};
  harness.Start();
  ASSERT_TRUE(harness.PopUntil([&] { return !harness.starts.empty(); })) << harness.log.Text();
  EXPECT_TRUE(harness.starts[0].partitions.empty());
  EXPECT_TRUE(harness.source->status().not_ready.empty());
  harness.source->Commit({});
  harness.Stop();
  EXPECT_TRUE(harness.events.empty());
}

TEST_F(KafkaSourceTest, CommitGoesOutWhileReading) {
  Produce(0, 10);
  SourceHarness harness(kafka_.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(10));
  harness.source->Commit({.positions = {{0, 5, {}}}, .published = {}, .gap_until = {}});
  EXPECT_TRUE(harness.PopUntil([&] { return harness.source->counters().commits == 1; }))
      << harness.log.Text();
}

TEST_F(KafkaSourceTest, CommitAfterStopStillReachesTheBroker) {
  Produce(0, 10);
  {
    SourceHarness harness(kafka_.brokers());
    harness.Start();
    ASSERT_TRUE(harness.PopEvents(10));
    harness.Stop();
    harness.source->Commit({.positions = {{0, 7, {}}}, .published = {}, .gap_until = {}});
    EXPECT_EQ(harness.source->counters().commits, 1u);
  }
  SourceHarness harness(kafka_.brokers());
  harness.spec.start = StartCommitted{};
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(3));
  EXPECT_EQ(harness.Offsets(0), Range(7, 10));
}

TEST_F(KafkaSourceTest, PartitionWithoutCommitStartsAtTheBeginningAndTopicNamedTwiceIsOne) {
  Produce(0, 10);
  Produce(1, 10);
  {
    SourceHarness harness(kafka_.brokers());
    harness.spec.group = "other";
    harness.Start();
    ASSERT_TRUE(harness.PopEvents(20));
    harness.Stop();
    harness.source->Commit({.positions = {{0, 4, {}}}, .published = {{"w", 1}}, .gap_until = {}});
  }
  SourceHarness harness(kafka_.brokers());
  harness.spec.group = "other";
  harness.spec.start = StartCommitted{};
  harness.spec.topics = {"edges", "edges"};
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp());
  EXPECT_EQ(harness.Offsets(0), Range(4, 10));
  EXPECT_EQ(harness.Offsets(1), Range(0, 10));
  EXPECT_THAT(harness.starts[0].resumed.positions,
              ElementsAre(RewindPosition{0, 4, {}}, RewindPosition{1, 0, {}},
                          RewindPosition{2, 0, {}}, RewindPosition{3, 0, {}}));
  EXPECT_EQ(harness.starts[0].partitions.size(), 4u);
  EXPECT_EQ(harness.starts[0].resumed.published.at("w"), 1);
}

TEST_F(KafkaSourceTest, APatternAwaitsTopicsThatMatchAndReadsNoOthers) {
  SourceHarness harness(kafka_.brokers());
  harness.spec.topics.clear();
  harness.spec.topic_pattern = "^pay-";
  harness.spec.own_topics = {"pay-results"};
  Produce(0, 10);  // edges
  kafka_.CreateTopic("pay-results", 1);
  producer_.Send("pay-results", 0, "r s 1");
  producer_.Flush();
  harness.Start();
  ASSERT_TRUE(harness.log.WaitFor("no topic matches the pattern `^pay-`")) << harness.log.Text();
  EXPECT_THAT(harness.source->status().not_ready,
              ElementsAre("kafka: no topic matches the pattern `^pay-`"));
  EXPECT_FALSE(harness.source->status().failure) << "it waits";
  EXPECT_EQ(harness.source->status().topic_pattern, "^pay-");
  kafka_.CreateTopic("pay-b", 2);
  producer_.Send("pay-b", 1, "b x 1");
  producer_.Flush();
  ASSERT_TRUE(harness.PopEvents(1)) << harness.log.Text();
  ASSERT_TRUE(harness.PopCaughtUp());
  EXPECT_THAT(harness.sources, ElementsAre("b"));
  EXPECT_EQ(harness.starts[0].partitions.size(), 2u);
  EXPECT_TRUE(harness.source->status().not_ready.empty());

  kafka_.CreateTopic("pay-c", 1);
  producer_.Send("pay-c", 0, "c x 1");
  producer_.Flush();
  ASSERT_TRUE(harness.PopEvents(2)) << harness.log.Text();
  EXPECT_THAT(harness.sources, ElementsAre("b", "c"));
  EXPECT_EQ(harness.Marks(Mark::Kind::kJoins), 1u);
  EXPECT_EQ(harness.log.Count("pay-c [0]: its topic is new, read from its beginning, offset 0"),
            1u);
  EXPECT_EQ(harness.source->counters().partitions_added, 1u);
}

TEST_F(KafkaSourceTest, TopicsThatJoinedAPatternSinceTheStateAreReadFromTheirBeginning) {
  kafka_.CreateTopic("pay-a", 1);
  kafka_.CreateTopic("pay-b", 1);
  for (const char* record : {"a1 x 1", "a2 x 2", "a3 x 3"}) producer_.Send("pay-a", 0, record);
  for (const char* record : {"b1 x 1", "b2 x 2"}) producer_.Send("pay-b", 0, record);
  producer_.Flush();
  SourceHarness harness(kafka_.brokers());
  harness.spec.topics.clear();
  harness.spec.topic_pattern = "^pay-";
  harness.spec.start = StartLatest{};
  harness.spec.resume[{"pay-a", 0}] = {.next = 2, .newest = {}};
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(3)) << harness.log.Text();
  ASSERT_TRUE(harness.PopCaughtUp());
  EXPECT_THAT(harness.sources, UnorderedElementsAre("a3", "b1", "b2"));
}

TEST_F(KafkaSourceTest, LatestReadsOnlyWhatComesLaterAndMarksTheGap) {
  Produce(0, 10);
  SourceHarness harness(kafka_.brokers());
  harness.spec.start = StartLatest{};
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  Produce(0, 5, 10);
  ASSERT_TRUE(harness.PopEvents(5));
  EXPECT_EQ(harness.Offsets(0), Range(10, 15));
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap, 0), 1u);
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap), 1u);  // the others were empty
}

TEST_F(KafkaSourceTest, ExplicitOffsetsAndEarliestForTheOthers) {
  Produce(1, 10);
  Produce(2, 10);
  SourceHarness harness(kafka_.brokers());
  harness.spec.start = StartExplicit{.offsets = {{"edges", {{1, 6}}}}};
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  EXPECT_EQ(harness.Offsets(1), Range(6, 10));
  EXPECT_EQ(harness.Offsets(2), Range(0, 10));
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap, 1), 1u);
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap), 1u);
}

TEST_F(KafkaSourceTest, EarliestAfterRetentionMarksTheGapBeforeTheFirstEvent) {
  Overfill(0);
  SourceHarness harness(kafka_.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  ASSERT_FALSE(harness.events.empty());
  EXPECT_GT(harness.events[0].offset, 0);
  ASSERT_EQ(harness.Marks(Mark::Kind::kGap), 1u);
  EXPECT_EQ(harness.marks[0].kind, Mark::Kind::kGap);
  EXPECT_EQ(harness.marks[0].before_event, 0u);
  EXPECT_EQ(harness.source->counters().lost_records, 0u);
}

TEST_F(KafkaSourceTest, CommitThatRetentionPassedLosesACountedRange) {
  {
    SourceHarness harness(kafka_.brokers());
    harness.Start();
    ASSERT_TRUE(harness.PopCaughtUp());
    harness.Stop();
    harness.source->Commit({.positions = {{0, 0, {}}}, .published = {}, .gap_until = {}});
  }
  Overfill(0);
  SourceHarness harness(kafka_.brokers());
  harness.spec.start = StartCommitted{};
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  const std::int64_t first = harness.Offsets(0).at(0);
  EXPECT_GT(first, 0);
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap, 0), 1u);
  EXPECT_EQ(harness.source->counters().lost_records, static_cast<std::uint64_t>(first));
  EXPECT_EQ(harness.log.Count("are lost"), 1u) << harness.log.Text();
  harness.Stop();
}

TEST_F(KafkaSourceTest, RetentionThatPassesARunningReaderIsAGapAndReadingGoesOn) {
  // Almost no prefetch, and a queue that is not emptied: the reader stops.
  SourceHarness harness(kafka_.brokers(), 1);
  harness.spec.options["queued.min.messages"] = "1";
  harness.spec.options["queued.max.messages.kbytes"] = "1";
  harness.spec.options["fetch.message.max.bytes"] = "1000";
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  Overfill(0);
  Overfill(0);
  Overfill(0);
  Produce(1, 1);
  // If retention passes the reader twice, none of the first records is left.
  const auto read_or_lost = [&] {
    return harness.Offsets(0).size() + harness.source->counters().lost_records;
  };
  ASSERT_TRUE(harness.PopUntil([&] { return read_or_lost() == 24 && harness.caught_up; }))
      << harness.log.Text();
  EXPECT_GE(harness.Marks(Mark::Kind::kGap, 0), 1u) << harness.log.Text();
  EXPECT_GT(harness.source->counters().lost_records, 0u);
  Produce(0, 1);
  ASSERT_TRUE(harness.PopUntil([&] { return read_or_lost() == 25 && harness.caught_up; }));
  EXPECT_EQ(harness.Offsets(0).back(), 24);
  EXPECT_EQ(harness.Offsets(1), Range(0, 1));
}

}  // namespace
}  // namespace sash
