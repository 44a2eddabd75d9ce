// What others see of the reading: ends and lags, and the second group with the read positions.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "tests/connectors/kafka/kafka_source_fixture.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

// The commits of a group, as other clients see them.
std::vector<PartitionOffset> CommitsOf(const std::string& brokers, const std::string& group) {
  KafkaSpec spec;
  spec.brokers = brokers;
  spec.group = group;
  const auto consumer = ConsumerHandle::OpenUnread(spec);
  EXPECT_TRUE(consumer.ok());
  std::vector<TopicPartition> pairs;
  for (std::int32_t partition = 0; partition < KafkaSourceTest::kPartitions; ++partition) {
    pairs.push_back({"edges", partition});
  }
  const auto commits = consumer.value()->brokers().Committed(pairs, std::chrono::seconds(10));
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
  Produce(2, 100'000);  // more than the reader prefetches
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
  EXPECT_EQ(CommitsOf(kafka_.brokers(), "sash").size(), 0u) << "no commit was requested";
  // When the source has ended, the last position is committed.
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
  // An instance whose main group has that name.
  SourceHarness harness(kafka_.brokers());
  harness.spec.group = "sash.read";
  harness.spec.start = StartCommitted{};
  harness.spec.claims_group = true;
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(40)) << harness.log.Text();
  EXPECT_EQ(harness.log.Count("not from Sash"), 0u) << harness.log.Text();
  harness.source->Commit({.positions = {{0, 5, {}}}, .published = {}, .gap_until = {}});
  ASSERT_TRUE(harness.PopUntil([&] { return harness.source->counters().commits == 1; }));
  // The instance whose second group has the same name does not change it.
  SourceHarness other(kafka_.brokers());
  other.spec.claims_group = true;
  other.Start();
  ASSERT_TRUE(other.log.WaitFor("group sash.read: read positions cannot be committed"))
      << other.log.Text();
  EXPECT_EQ(other.log.Count("commits of another program"), 1u) << other.log.Text();
  EXPECT_TRUE(other.source->status().not_ready.empty());
  EXPECT_EQ(CommitsOf(kafka_.brokers(), "sash.read").at(0).offset, 5);
}

}  // namespace
}  // namespace sash
