// What the source delivers: librdkafka's consumer and producer, over its mock cluster.
#include "connectors/kafka/kafka_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <string>
#include <thread>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

constexpr int kPartitions = 4;

class KafkaSourceTest : public ::testing::Test {
 protected:
  KafkaSourceTest() { kafka_.CreateTopic("edges", kPartitions); }

  void Produce(int partition, int count, int first = 0) {
    for (int i = first; i < first + count; ++i) {
      producer_.Send("edges", partition,
                     "v" + std::to_string(i) + " w " + std::to_string(1000 + i));
    }
    producer_.Flush();
  }
  // Eight message sets of a megabyte: the mock cluster keeps five megabytes of them.
  void Overfill(int partition) {
    for (int i = 0; i < 8; ++i) {
      producer_.Send("edges", partition, "a b 1 " + std::string(990'000, 'x'));
      producer_.Flush();
    }
  }

  MockKafka kafka_;
  TestProducer producer_{kafka_.brokers()};
};

std::vector<std::int64_t> Range(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t offset = begin; offset < end; ++offset) offsets.push_back(offset);
  return offsets;
}

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
  for (const Mark& mark : harness.marks) {  // each behind the last event of its partition
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
  // Almost no prefetch and a queue that nobody empties: the reader stands still.
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
  // Where the broker is faster than the reader it passes it twice, and none of the records is left.
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
  // Commits are served although no batch moves.
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

TEST_F(KafkaSourceTest, PartitionThatRunsAheadIsPausedUntilTheOthersCatchUpAndLosesNothing) {
  // Partition 0 spans 2000 s, the others stand still in time until their last record.
  constexpr int kEach = 20'000;
  for (int i = 0; i < kEach; ++i) {
    producer_.Send("edges", 0, "a b " + std::to_string(i * 100));
    for (int partition = 1; partition < kPartitions; ++partition) {
      producer_.Send("edges", partition, "a b " + std::to_string(i + 1 < kEach ? 0 : 2'000'000));
    }
    if (i % 2000 == 0) producer_.Flush();
  }
  producer_.Flush();
  SourceHarness harness(kafka_.brokers(), 1000);
  harness.policy.max_drift = std::chrono::seconds(10);
  harness.policy.idle_after = std::chrono::hours(1);
  harness.Start();
  ASSERT_TRUE(harness.PopUntil([&] { return harness.events.size() == 4u * kEach; }))
      << harness.events.size() << harness.log.Text();
  ASSERT_TRUE(harness.PopUntil([&] { return harness.caught_up; }));
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    EXPECT_EQ(harness.Offsets(partition), Range(0, kEach));
  }
  EXPECT_GT(harness.source->counters().pauses, 0u);
  for (const PartitionStatus& partition : harness.source->status().partitions) {
    EXPECT_FALSE(partition.paused) << partition.partition;
  }
}

TEST_F(KafkaSourceTest, WhatIsAwaitedIsReadHoweverFarAheadItRunsAndThenItIsPaused) {
  constexpr std::int64_t kEach = 20'000;
  constexpr std::int64_t kAwaited = 15'000;
  for (int i = 0; i < kEach; ++i) producer_.Send("edges", 0, "a b " + std::to_string(i * 100));
  producer_.Flush();
  for (int partition = 1; partition < kPartitions; ++partition) Produce(partition, 1);
  SourceHarness harness(kafka_.brokers());
  harness.policy.max_drift = std::chrono::seconds(10);
  harness.policy.idle_after = std::chrono::hours(1);
  harness.spec.resume[{"edges", 0}] = {.next = 0, .newest = {}, .awaited_until = kAwaited};
  harness.Start();
  ASSERT_TRUE(harness.PopUntil([&] {
    return std::ssize(harness.Offsets(0)) >= kAwaited &&
           harness.source->status().partitions.at(0).paused;
  })) << harness.Offsets(0).size()
      << harness.log.Text();
  EXPECT_LT(std::ssize(harness.Offsets(0)), kEach);
}

TEST_F(KafkaSourceTest, APartitionAtItsEndHoldsTheOthersBackFromWhereItStoodAndNotFromTheirFirst) {
  for (int i = 0; i < 20'000; ++i) producer_.Send("edges", 0, "a b " + std::to_string(i * 100));
  producer_.Flush();
  SourceHarness harness(kafka_.brokers());
  harness.policy.max_drift = std::chrono::seconds(10);
  harness.policy.idle_after = std::chrono::hours(1);
  const EventTime newest(std::chrono::seconds(2000));
  for (int partition = 1; partition < kPartitions; ++partition) {
    Produce(partition, 1);
    harness.spec.resume[{"edges", partition}] = {.next = 1, .newest = newest};
  }
  harness.Start();
  EXPECT_TRUE(harness.PopEvents(20'000)) << harness.events.size() << harness.log.Text();
}

TEST_F(KafkaSourceTest, ARecordTooFarAheadOfTheClockHoldsItsPartitionBackFromNothing) {
  const auto now =
      std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  const auto at = [](std::int64_t time) { return "a b " + std::to_string(time); };
  for (int partition = 0; partition < kPartitions; ++partition) {
    producer_.Send("edges", partition, at(now));
  }
  SourceHarness harness(kafka_.brokers());
  harness.policy.max_drift = std::chrono::seconds(10);
  harness.policy.idle_after = std::chrono::hours(1);
  harness.policy.ahead_limit = std::chrono::minutes(30);
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(kPartitions)) << harness.log.Text();
  producer_.Send("edges", 0, at(now + 3'600'000));
  for (int i = 0; i < 20'000; ++i) producer_.Send("edges", 0, at(now + i / 10));
  producer_.Flush();
  ASSERT_TRUE(harness.PopEvents(kPartitions + 20'001)) << harness.events.size();
  EXPECT_EQ(harness.source->counters().pauses, 0u);
}

// The clock of a machine that may be wrong.
class SetClock final : public Clock {
 public:
  EventTime Now() const override { return std::chrono::system_clock::now() + Duration(wrong_by); }
  SteadyTime Steady() const override { return right_.Steady(); }
  std::atomic<Duration::rep> wrong_by = 0;

 private:
  const SystemClock right_;
};

TEST_F(KafkaSourceTest, WithAClockThatIsTwoHoursBehindRecordsWaitUntilItIsRight) {
  constexpr std::size_t kRecords = 40'000;  // of each more than one round takes
  const auto now =
      std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  auto clock = std::make_unique<SetClock>();
  SetClock& set = *clock;
  set.wrong_by = -Duration(std::chrono::hours(2)).count();
  SourceHarness harness(kafka_.brokers());
  harness.clock = std::move(clock);
  harness.policy.idle_after = milliseconds(1);
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  for (std::size_t i = 0; i < kRecords; ++i) {
    producer_.Send("edges", static_cast<int>(i % kPartitions), "a b " + std::to_string(now));
  }
  producer_.Flush();
  ASSERT_TRUE(harness.log.WaitFor("is the clock behind?")) << harness.log.Text();
  const auto full = [](const PartitionStatus& partition) {
    return partition.held_ahead >= 1000 && partition.position == 0;
  };
  const auto text = [&] {
    std::string text;
    for (const PartitionStatus& partition : harness.source->status().partitions) {
      text += std::to_string(partition.held_ahead) + (partition.paused ? " paused, at " : ", at ") +
              std::to_string(partition.position) + "\n";
    }
    return text;
  };
  // One that was read to its end in the meantime is not paused.
  ASSERT_TRUE(harness.PopUntil([&] {
    const std::vector<PartitionStatus> partitions = harness.source->status().partitions;
    return std::ranges::all_of(partitions, full) &&
           std::ranges::any_of(partitions, &PartitionStatus::paused);
  })) << text() << harness.log.Text();
  const SourceStatus held = harness.source->status();
  ASSERT_EQ(held.not_ready.size(), 1u);
  EXPECT_THAT(held.not_ready[0], ::testing::HasSubstr("none is refused"));
  EXPECT_TRUE(harness.events.empty());
  EXPECT_TRUE(harness.PopUntil(
      [&] { return harness.Marks(Mark::Kind::kBehind) == std::size_t{kPartitions}; }));
  EXPECT_TRUE(harness.events.empty());
  set.wrong_by = 0;
  ASSERT_TRUE(harness.PopEvents(kRecords)) << harness.events.size();
  ASSERT_TRUE(harness.log.WaitFor("no record waits for the clock any more"));
  EXPECT_TRUE(harness.source->status().not_ready.empty());
  ASSERT_TRUE(harness.PopUntil([&] { return harness.caught_up; })) << harness.log.Text();
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    EXPECT_EQ(harness.Offsets(partition), Range(0, kRecords / kPartitions));
  }
  EXPECT_TRUE(harness.refusals.seen().empty());
}

TEST_F(KafkaSourceTest, WhileMemoryIsFullNothingIsReadAndNoPartitionIsCaughtUp) {
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 10);
  SourceHarness harness(kafka_.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  harness.progress.intake_held = true;
  ASSERT_TRUE(harness.PopUntil([&] { return harness.Marks(Mark::Kind::kBehind) == 4; }));
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 10);
  // Polling goes on: commits are answered, and what is there to be read is seen, not taken.
  harness.source->Commit({.positions = {{0, 5, {}}}, .published = {}, .gap_until = {}});
  ASSERT_TRUE(harness.PopUntil([&] { return harness.source->counters().commits == 1; }));
  const SourceStatus held = harness.source->status();
  EXPECT_TRUE(held.held);
  EXPECT_EQ(held.records, 40u);
  for (const PartitionStatus& partition : held.partitions) EXPECT_TRUE(partition.paused);
  harness.progress.intake_held = false;
  ASSERT_TRUE(harness.PopEvents(80)) << harness.log.Text();
  ASSERT_TRUE(harness.PopUntil([&] { return harness.caught_up; })) << harness.log.Text();
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    EXPECT_EQ(harness.Offsets(partition), Range(0, 20));
  }
  const SourceStatus freed = harness.source->status();
  EXPECT_FALSE(freed.held);
  for (const PartitionStatus& partition : freed.partitions) EXPECT_FALSE(partition.paused);
}

TEST_F(KafkaSourceTest, WhatIsAwaitedIsReadThoughMemoryIsFull) {
  constexpr std::int64_t kAwaited = 15'000;
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 20'000);
  SourceHarness harness(kafka_.brokers());
  harness.progress.intake_held = true;
  harness.spec.resume[{"edges", 2}] = {.next = 0, .newest = {}, .awaited_until = kAwaited};
  harness.Start();
  ASSERT_TRUE(harness.PopUntil([&] {
    const SourceStatus status = harness.source->status();
    return std::ssize(harness.Offsets(2)) >= kAwaited && status.partitions.at(2).paused;
  })) << harness.Offsets(2).size()
      << harness.log.Text();
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    EXPECT_LT(harness.Offsets(partition).size(), 20'000u) << partition;
  }
  harness.progress.intake_held = false;
  EXPECT_TRUE(harness.PopEvents(std::size_t{kPartitions} * 20'000)) << harness.log.Text();
}

TEST_F(KafkaSourceTest, AnEndThatWasKnownBeforeMemoryWasFullIsKnownAgainAfterwards) {
  SourceHarness harness(kafka_.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  harness.progress.intake_held = true;
  ASSERT_TRUE(harness.PopUntil([&] { return harness.Marks(Mark::Kind::kBehind) == 4; }));
  harness.caught_up = false;
  harness.progress.intake_held = false;
  EXPECT_TRUE(harness.PopUntil([&] { return harness.caught_up; })) << harness.log.Text();
}

TEST_F(KafkaSourceTest, APartitionThatIsAheadStaysPausedWhenMemoryIsFreeAgain) {
  producer_.Send("edges", 0, "a b 1");
  producer_.Send("edges", 1, "a b 1");
  SourceHarness harness(kafka_.brokers());
  harness.policy.max_drift = std::chrono::seconds(1);
  harness.policy.idle_after = std::chrono::hours(1);
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(2)) << harness.log.Text();
  // Far ahead of partition 1, and always with more to read.
  for (int i = 0; i < 20'000; ++i) producer_.Send("edges", 0, "a b 1000000");
  producer_.Flush();
  const auto paused = [&](std::size_t partition) {
    return harness.source->status().partitions.at(partition).paused;
  };
  harness.progress.intake_held = true;
  ASSERT_TRUE(harness.PopUntil([&] { return paused(0) && paused(1); }));
  harness.progress.intake_held = false;
  ASSERT_TRUE(harness.PopUntil([&] { return !paused(1); })) << harness.log.Text();
  Produce(1, 1);
  Produce(2, 1);
  Produce(3, 1);
  ASSERT_TRUE(harness.PopUntil([&] { return harness.Offsets(3).size() == 1; }));
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

// What other clients see as the commits of a group.
std::vector<PartitionOffset> CommitsOf(const std::string& brokers, const std::string& group) {
  KafkaSpec spec;
  spec.brokers = brokers;
  spec.group = group;
  const auto consumer = ConsumerHandle::OpenUnread(spec);
  EXPECT_TRUE(consumer.ok());
  std::vector<TopicPartition> pairs;
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    pairs.push_back({"edges", partition});
  }
  const auto commits = consumer.value()->Committed(pairs, std::chrono::seconds(10));
  EXPECT_TRUE(commits.ok());
  return commits.ok() ? commits.value() : std::vector<PartitionOffset>();
}

std::vector<std::int64_t> OffsetsOf(const std::vector<PartitionOffset>& commits) {
  std::vector<std::int64_t> offsets;
  for (const PartitionOffset& commit : commits) offsets.push_back(commit.offset);
  return offsets;
}

TEST_F(KafkaSourceTest, TheEndsAreTrueWhileNothingIsRead) {
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 10);
  SourceHarness harness(kafka_.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  harness.progress.intake_held = true;
  ASSERT_TRUE(harness.PopUntil([&] { return harness.Marks(Mark::Kind::kBehind) == 4; }));
  const auto lags_are = [&](std::int64_t lag) {
    return harness.PopUntil([&] {
      return std::ranges::all_of(harness.source->status().partitions,
                                 [&](const PartitionStatus& partition) {
                                   return partition.end == partition.position + lag;
                                 });
    });
  };
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 7);
  EXPECT_TRUE(lags_are(7)) << harness.source->status().partitions.at(0).end.value_or(-1);
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 5000);
  EXPECT_TRUE(lags_are(5007)) << harness.source->status().partitions.at(0).end.value_or(-1);
  harness.progress.intake_held = false;
  EXPECT_TRUE(lags_are(0));
}

TEST_F(KafkaSourceTest, TheEndsAreTrueWhileTheEngineTakesNothing) {
  SourceHarness harness(kafka_.brokers(), 1);
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  Produce(2, 100'000);  // the reader's own prefetch ends somewhere
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (harness.source->status().partitions.at(2).end != 100'000 &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(20));
  }
  const PartitionStatus held = harness.source->status().partitions.at(2);
  EXPECT_EQ(held.end, 100'000);
  EXPECT_LT(held.position, 100'000);
}

TEST_F(KafkaSourceTest, WhatHasBeenReadIsCommittedToASecondGroup) {
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 10 + partition);
  SourceHarness harness(kafka_.brokers());
  harness.spec.claims_group = true;
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(46)) << harness.log.Text();
  const std::vector<std::int64_t> all = {10, 11, 12, 13};
  EXPECT_TRUE(harness.PopUntil([&] {
    return OffsetsOf(CommitsOf(kafka_.brokers(), "sash.read")) == all;
  })) << harness.log.Text();
  for (const PartitionOffset& commit : CommitsOf(kafka_.brokers(), "sash.read")) {
    EXPECT_EQ(commit.metadata, "read position of Sash, for information only");
  }
  EXPECT_EQ(CommitsOf(kafka_.brokers(), "sash").size(), 0u) << "nothing was to be committed";
  // The last position is there when the source has ended, whenever it was committed last.
  Produce(3, 5, 13);
  ASSERT_TRUE(harness.PopEvents(51)) << harness.log.Text();
  harness.Stop();
  harness.source.reset();
  EXPECT_EQ(OffsetsOf(CommitsOf(kafka_.brokers(), "sash.read")),
            (std::vector<std::int64_t>{10, 11, 12, 18}));
}

TEST_F(KafkaSourceTest, RecoveryTakesNoReadPositionForACommit) {
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 10);
  {
    SourceHarness harness(kafka_.brokers());
    harness.spec.claims_group = true;
    harness.Start();
    ASSERT_TRUE(harness.PopEvents(40)) << harness.log.Text();
    harness.Stop();
  }
  ASSERT_EQ(CommitsOf(kafka_.brokers(), "sash.read").size(), 4u);
  // An instance whose group has that name.
  SourceHarness harness(kafka_.brokers());
  harness.spec.group = "sash.read";
  harness.spec.start = StartCommitted{};
  harness.spec.claims_group = true;
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(40)) << harness.log.Text();
  EXPECT_EQ(harness.log.Count("not Sash's"), 0u) << harness.log.Text();
  harness.source->Commit({.positions = {{0, 5, {}}}, .published = {}, .gap_until = {}});
  ASSERT_TRUE(harness.PopUntil([&] { return harness.source->counters().commits == 1; }));
  // And the one whose second group it is leaves it alone.
  SourceHarness other(kafka_.brokers());
  other.spec.claims_group = true;
  other.Start();
  ASSERT_TRUE(other.log.WaitFor("group sash.read: what has been read cannot be committed"))
      << other.log.Text();
  EXPECT_EQ(other.log.Count("commits of somebody else"), 1u) << other.log.Text();
  EXPECT_TRUE(other.source->status().not_ready.empty());
  EXPECT_EQ(CommitsOf(kafka_.brokers(), "sash.read").at(0).offset, 5);
}

}  // namespace
}  // namespace sash
