// Partitions that the source holds back: while they run ahead, and while memory is full.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/connectors/kafka/kafka_source_fixture.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

TEST_F(KafkaSourceTest, PartitionThatRunsAheadIsPausedUntilTheOthersCatchUpAndLosesNothing) {
  // Partition 0 spans 2000 s; all records of the others except the last have the same time.
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
  constexpr std::int64_t kAwaited = 2000;
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

TEST_F(KafkaSourceTest, WhileMemoryIsFullNothingIsReadAndNoPartitionIsCaughtUp) {
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 10);
  SourceHarness harness(kafka_.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  harness.progress.intake_held = true;
  ASSERT_TRUE(harness.PopUntil([&] { return harness.Marks(Mark::Kind::kBehind) == 4; }));
  for (int partition = 0; partition < kPartitions; ++partition) Produce(partition, 10);
  // Polling goes on: commits are answered, but no record is read.
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
  constexpr std::int64_t kAwaited = 2000;
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
  // Partition 0 is far ahead of partition 1, and always has more records.
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

}  // namespace
}  // namespace sash
