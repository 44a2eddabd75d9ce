// Reasons, log lines and retries of the source when brokers, topics or permissions fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <chrono>
#include <string>
#include <thread>

#include "connectors/kafka/kafka_source.h"
#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kOffsetCommitRequest = 8;

TEST(KafkaSourceStateTest, BrokerDownAtStartIsAReasonAndItsReturnLetsRecordsFlow) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  {
    TestProducer producer(kafka.brokers());
    producer.Send("edges", 0, "a b 1");
    producer.Flush();
  }
  kafka.SetDown();
  SourceHarness harness(kafka.brokers());
  harness.Start();
  ASSERT_TRUE(harness.log.WaitFor("kafka: brokers: ")) << harness.log.Text();
  EXPECT_THAT(harness.source->status().not_ready, ElementsAre(HasSubstr("brokers")));
  kafka.SetUp();
  ASSERT_TRUE(harness.PopEvents(1)) << harness.log.Text();
  EXPECT_THAT(harness.source->status().not_ready, ElementsAre());
}

TEST(KafkaSourceStateTest, UnreachableAddressIsAReasonAndStopIsPrompt) {
  SourceHarness harness("127.0.0.1:1");
  harness.Start();
  ASSERT_TRUE(harness.log.WaitFor("kafka: brokers: "));
  const auto before = std::chrono::steady_clock::now();
  harness.Stop();
  harness.source.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(6));
  EXPECT_EQ(harness.log.Count("did not close"), 0u);
}

TEST(KafkaSourceStateTest, AStopDoesNotWaitForABrokerThatFellSilent) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  SourceHarness harness(kafka.brokers());
  harness.spec.stall_after = std::chrono::milliseconds(200);  // then it asks for the bounds
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  kafka.BeSilent();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  const auto before = std::chrono::steady_clock::now();
  harness.Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
  harness.source.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(15));
}

TEST(KafkaSourceStateTest, MissingTopicIsAReasonUntilItIsThere) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  kafka.SetTopicError("edges", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  SourceHarness harness(kafka.brokers());
  harness.Start();
  ASSERT_TRUE(harness.log.WaitFor("topic edges: ")) << harness.log.Text();
  EXPECT_THAT(harness.source->status().not_ready, ElementsAre(HasSubstr("topic edges")));
  kafka.SetTopicError("edges", RD_KAFKA_RESP_ERR_NO_ERROR);
  EXPECT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  EXPECT_EQ(harness.log.Count("topic edges: "), 1u) << harness.log.Text();
  EXPECT_TRUE(harness.source->status().not_ready.empty());
}

TEST(KafkaSourceStateTest, MissingPermissionIsAReason) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  kafka.SetTopicError("edges", RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  SourceHarness harness(kafka.brokers());
  harness.Start();
  EXPECT_TRUE(harness.log.WaitFor("authorization failed")) << harness.log.Text();
  EXPECT_EQ(harness.source->status().not_ready.size(), 1u);
}

TEST(KafkaSourceStateTest,
     BrokerThatGoesAndComesBackIsToldOnceEachAndPartitionsAreBehindMeanwhile) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  SourceHarness harness(kafka.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  kafka.SetDown();
  ASSERT_TRUE(harness.PopUntil([&] { return harness.Marks(Mark::Kind::kBehind) == 4; }))
      << harness.log.Text();
  ASSERT_TRUE(harness.log.WaitFor("no broker can be reached"));
  EXPECT_THAT(harness.source->status().not_ready, ElementsAre(HasSubstr("no broker")));
  for (const PartitionStatus& partition : harness.source->status().partitions) {
    EXPECT_FALSE(partition.readable) << partition.partition;
  }
  EXPECT_FALSE(harness.caught_up);

  kafka.SetUp();
  ASSERT_TRUE(harness.PopUntil([&] { return harness.caught_up; })) << harness.log.Text();
  EXPECT_EQ(harness.Marks(Mark::Kind::kCaughtUp), 8u);
  EXPECT_TRUE(harness.source->status().not_ready.empty());
  for (const PartitionStatus& partition : harness.source->status().partitions) {
    EXPECT_TRUE(partition.readable) << partition.partition;
  }
  TestProducer producer(kafka.brokers());
  producer.Send("edges", 0, "a b 1");
  producer.Flush();
  EXPECT_TRUE(harness.PopEvents(1));
  EXPECT_EQ(harness.log.Count("no broker can be reached"), 1u) << harness.log.Text();
  EXPECT_EQ(harness.log.Count("can be reached again"), 1u) << harness.log.Text();
}

TEST(KafkaSourceStateTest, FailedCommitIsCountedLoggedOnceAndRepeated) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  SourceHarness harness(kafka.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp());
  kafka.FailRequests(kOffsetCommitRequest, RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED, 2);
  harness.source->Commit({.positions = {{0, 0, {}}}, .published = {}, .gap_until = {}});
  ASSERT_TRUE(harness.log.WaitFor("committing again")) << harness.log.Text();
  EXPECT_EQ(harness.source->counters().commit_failures, 2u);
  EXPECT_EQ(harness.source->counters().commits, 1u);
  // One line for the failure, one for the recovery.
  EXPECT_EQ(harness.log.Count("kafka: commit"), 2u) << harness.log.Text();
}

TEST(KafkaSourceStateTest, CommitWaitsWhileNoBrokerCanBeReachedAndStopIsPrompt) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  SourceHarness harness(kafka.brokers());
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp());
  kafka.SetDown();
  ASSERT_TRUE(harness.log.WaitFor("no broker can be reached"));
  harness.source->Commit({.positions = {{0, 0, {}}}, .published = {}, .gap_until = {}});
  const auto before = std::chrono::steady_clock::now();
  harness.Stop();
  EXPECT_EQ(harness.log.Count("commit: no broker can be reached"), 1u) << harness.log.Text();
  EXPECT_EQ(harness.source->counters().commit_failures, 1u);
  harness.source.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - before,
            KafkaSource::kClose + std::chrono::seconds(2));
  EXPECT_EQ(harness.log.Count("did not close"), 0u) << harness.log.Text();
}

TEST(KafkaSourceStateTest, WrongOptionIsAnErrorOfStart) {
  SourceHarness harness("127.0.0.1:1");
  harness.spec.options["no.such.option"] = "1";
  KafkaSource source(harness.spec, harness.format, MakeWordDecoders(2), harness.partitions,
                     harness.queue, harness.refusals, *harness.clock, harness.progress,
                     harness.policy, harness.log);
  const Status started = source.Start();
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(started.error().message, HasSubstr("no.such.option"));
}

TEST(KafkaSourceStateTest, ReadPositionsThatMayNotBeCommittedAreOneLineAndNoReason) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  kafka.FailRequests(kOffsetCommitRequest, RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED, 2);
  SourceHarness harness(kafka.brokers());
  harness.spec.claims_group = true;
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  ASSERT_TRUE(harness.log.WaitFor("sash.read: read positions cannot be committed"))
      << harness.log.Text();
  EXPECT_TRUE(harness.source->status().not_ready.empty());
  ASSERT_TRUE(harness.log.WaitFor("read positions are committed again")) << harness.log.Text();
  EXPECT_EQ(harness.log.Count("cannot be committed"), 1u) << harness.log.Text();
  EXPECT_EQ(harness.source->counters().commit_failures, 0u);
  harness.source->Commit({.positions = {{0, 0, {}}}, .published = {}, .gap_until = {}});
  EXPECT_TRUE(harness.PopUntil([&] { return harness.source->counters().commits == 1; }));
}

}  // namespace
}  // namespace sash
