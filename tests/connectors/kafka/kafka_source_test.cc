// What the source delivers: librdkafka's consumer and producer, over its mock cluster.
#include "connectors/kafka/kafka_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <string>
#include <thread>

#include "tests/connectors/kafka/kafka_source_fixture.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

class DecodeThreadsTest : public KafkaSourceTest, public ::testing::WithParamInterface<int> {};

INSTANTIATE_TEST_SUITE_P(Threads, DecodeThreadsTest, ::testing::Values(1, 2, 5));

TEST_P(DecodeThreadsTest, DeliversEveryRecordOfEveryPartitionOnceAndInOrder) {
  constexpr int kEach = 10'000;
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, kEach);
  SourceHarness harness(kafka_.brokers());
  harness.spec.decode_threads = GetParam();
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();

  EXPECT_TRUE(harness.first_batch_starts);
  ASSERT_EQ(harness.starts.size(), 1u);
  EXPECT_THAT(harness.starts[0].partitions, ElementsAre(0, 1, 2, 3));
  RewindPoint beginning;
  beginning.positions = {{0, 0, {}}, {1, 0, {}}, {2, 0, {}}, {3, 0, {}}};
  EXPECT_EQ(harness.starts[0].resumed, beginning);
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    EXPECT_EQ(harness.partitions.At(static_cast<PartitionIndex>(partition)),
              (TopicPartition{"edges", partition}));
    EXPECT_EQ(harness.Offsets(partition), Range(0, kEach));
    EXPECT_EQ(harness.Marks(Mark::Kind::kCaughtUp, partition), 1u);
  }
  EXPECT_EQ(harness.Marks(Mark::Kind::kGap), 0u);
  for (const Mark& mark : harness.marks) {  // each comes after the last event of its partition
    const auto last = std::ranges::find(std::views::reverse(harness.events), mark.partition,
                                        &EdgeEvent::partition);
    EXPECT_LE(std::ranges::distance(harness.events.begin(), last.base()),
              static_cast<std::ptrdiff_t>(mark.before_event));
  }
  harness.Stop();
  const SourceStatus status = harness.source->status();
  EXPECT_EQ(status.kind, "kafka");
  EXPECT_EQ(status.records, 4u * kEach);
  EXPECT_TRUE(status.not_ready.empty());
  ASSERT_EQ(status.partitions.size(), 4u);
  EXPECT_EQ(status.partitions[3].position, kEach);
  EXPECT_EQ(status.partitions[3].end, kEach);
}

TEST_F(KafkaSourceTest, NewRecordsAfterTheEndEndTheCaughtUpState) {
  SourceHarness harness(kafka_.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  Produce(2, 1);
  ASSERT_TRUE(harness.PopEvents(1));
  ASSERT_TRUE(harness.PopUntil([&] { return harness.caught_up; }));
  EXPECT_EQ(harness.Marks(Mark::Kind::kCaughtUp, 2), 2u);
  EXPECT_EQ(harness.Marks(Mark::Kind::kCaughtUp, 1), 1u);
}

TEST_F(KafkaSourceTest, RefusedRecordIsReportedAndTheStreamGoesOn) {
  producer_.Send("edges", 3, "a b 1");
  producer_.Send("edges", 3, "broken", {}, 4711);
  producer_.Send("edges", 3, "c d 2");
  producer_.Flush();
  SourceHarness harness(kafka_.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(2));
  EXPECT_THAT(harness.sources, ElementsAre("a", "c"));
  const auto seen = harness.refusals.seen();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].topic, "edges");
  EXPECT_EQ(seen[0].partition, 3);
  EXPECT_EQ(seen[0].offset, 1);
  EXPECT_EQ(seen[0].timestamp, EventTime(milliseconds(4711)));
  EXPECT_EQ(seen[0].reason, RefusalReason::kInvalidSyntax);
  ASSERT_EQ(harness.Marks(Mark::Kind::kRefused), 1u);
}

TEST_F(KafkaSourceTest, TombstonesFollowThePolicy) {
  producer_.Send("edges", 0, std::nullopt, "a b 1");
  producer_.Send("edges", 0, "c d 2");
  producer_.Flush();
  {
    SourceHarness harness(kafka_.brokers());
    harness.Start();
    ASSERT_TRUE(harness.PopCaughtUp());
    harness.Stop();
    EXPECT_THAT(harness.sources, ElementsAre("c"));
    EXPECT_EQ(harness.source->counters().tombstones_ignored, 1u);
    EXPECT_EQ(harness.source->status().records, 2u);
  }
  {
    SourceHarness harness(kafka_.brokers());
    harness.format.tombstone = TombstonePolicy::kRemove;
    harness.Start();
    ASSERT_TRUE(harness.PopCaughtUp());
    EXPECT_THAT(harness.sources, ElementsAre("a", "c"));
    EXPECT_EQ(harness.events[0].operation, Operation::kRemove);
  }
  SourceHarness harness(kafka_.brokers());
  harness.format.tombstone = TombstonePolicy::kDeadLetter;
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp());
  EXPECT_THAT(harness.sources, ElementsAre("c"));
  ASSERT_EQ(harness.refusals.seen().size(), 1u);
  EXPECT_EQ(harness.refusals.seen()[0].reason, RefusalReason::kTombstone);
}

TEST_F(KafkaSourceTest, KafkaTimestampBecomesTheEventTime) {
  producer_.Send("edges", 0, "a b", {}, 123'456);
  producer_.Flush();
  SourceHarness harness(kafka_.brokers());
  harness.format.time_origin = TimeOrigin::kKafka;
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(1));
  EXPECT_EQ(harness.events[0].time, EventTime(milliseconds(123'456)));
}

TEST_F(KafkaSourceTest, QueueThatIsNotPoppedLosesNothing) {
  constexpr int kEach = 20'000;
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, kEach);
  SourceHarness harness(kafka_.brokers(), 1000);  // bytes: one batch at a time
  harness.Start();
  ASSERT_TRUE(harness.log.WaitFor("reading 4 partitions"));
  // Commits are served although no batch leaves the queue.
  harness.source->Commit({.positions = {{0, 5, {}}}, .published = {}, .gap_until = {}});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (harness.source->counters().commits == 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(harness.source->counters().commits, 1u);
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    EXPECT_EQ(harness.Offsets(partition), Range(0, kEach));
  }
}

TEST_F(KafkaSourceTest, StopsWhileTheQueueIsFullOrClosed) {
  Produce(0, 20'000);
  SourceHarness full(kafka_.brokers(), 1);
  full.Start();
  ASSERT_TRUE(full.log.WaitFor("reading 4 partitions"));
  full.Stop();
  SourceHarness closed(kafka_.brokers());
  closed.queue.Close();
  closed.Start();
  ASSERT_TRUE(closed.log.WaitFor("reading 4 partitions"));
  closed.Stop();
  closed.Stop();  // idempotent
  EXPECT_FALSE(closed.queue.Pop(milliseconds(0)));
}

TEST_F(KafkaSourceTest, SeveralTopicsHaveIndicesByNameThenPartition) {
  kafka_.CreateTopic("another", 2);
  producer_.Send("another", 1, "a b 1");
  producer_.Flush();
  Produce(0, 1);
  SourceHarness harness(kafka_.brokers());
  harness.spec.topics = {"edges", "another"};
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp());
  ASSERT_EQ(harness.partitions.size(), 6u);
  EXPECT_EQ(harness.partitions.At(1), (TopicPartition{"another", 1}));
  EXPECT_EQ(harness.partitions.At(2), (TopicPartition{"edges", 0}));
  EXPECT_EQ(harness.events.size(), 2u);
}

}  // namespace
}  // namespace sash
