// A Kafka sink with a transactional id, on the mock cluster. The mock cluster supports transactions
// of producers, but shows aborted messages to readers and does not store offsets that are part of a
// transaction. So restarts are tested in integration.transactional_sink.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>

#include "connectors/sinks/kafka/kafka_sink.h"
#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/connectors/kafka/topic_contents.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/connectors/sinks/kafka/awaited.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::At;
using testing::Await;
using ::testing::Contains;
using testing::Drain;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScratchFolder;
using Ends = std::multiset<std::string>;

constexpr int kProduceKey = 0;  // API keys
constexpr int kEndTransaction = 26;

class TransactionalSinkTest : public ::testing::Test {
 protected:
  TransactionalSinkTest() {
    kafka_.CreateTopic("results");
    spec_.brokers = kafka_.brokers();
    spec_.topic = "results";
    spec_.outbox.path = folder_.File("outbox");
    spec_.transactional_id = "the-sink";
  }

  std::unique_ptr<KafkaSink> Open(bool begun = true, bool replay = false) {
    Result<std::unique_ptr<KafkaSink>> sink = KafkaSink::Open(spec_, runs_.keys(), replay, log_);
    EXPECT_TRUE(sink.ok()) << sink.error().message;
    if (begun) sink.value()->Begin();
    return std::move(sink).value();
  }

  // Delivers an advance that ends at `end`, with a result of each job.
  void Advance(KafkaSink& sink, std::int64_t end, const std::vector<std::string>& jobs = {"x"}) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(end));
    advance->number = ++advances_;
    for (const std::string& job : jobs) {
      sink.Deliver(runs_.Run(FinishedRuns::Job(job, ShapeParameters()), advance));
    }
    sink.Complete(AdvanceReport{advance, {}, {}, {}});
  }

  Ends Held() const { return testing::ResultsHeld(kafka_.brokers()); }

  MockKafka kafka_;
  ScratchFolder folder_;
  FinishedRuns runs_;
  KeptLog log_;
  KafkaSinkSpec spec_;
  std::uint64_t advances_ = 0;
};

TEST_F(TransactionalSinkTest, AnAdvanceIsOnItsWayOnceItIsCompleteAndInOneTransaction) {
  const auto sink = Open();
  const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(300));
  advance->number = ++advances_;
  for (const char* job : {"x", "y", "z"}) {
    sink->Deliver(runs_.Run(FinishedRuns::Job(job, ShapeParameters()), advance));
    EXPECT_EQ(sink->Counts().waiting, 0u);
  }
  EXPECT_TRUE(Await([&] { return sink->Counts().transactions->committed == 1; }));  // the claim
  sink->Complete(AdvanceReport{advance, {}, {}, {}});
  Drain(*sink);
  EXPECT_EQ(Held(), (Ends{"x 05:00", "y 05:00", "z 05:00"}));
  const KafkaSinkCounts counts = sink->Counts();
  EXPECT_EQ(counts.delivered, 3u);
  EXPECT_EQ(counts.transactions->committed, 2u);
  EXPECT_EQ(counts.transactions->aborted, 0u);
}

TEST_F(TransactionalSinkTest, TheRowsOfAResultAreInOneTransactionEachOnce) {
  spec_.content = SinkContent::kRows;
  const auto sink = Open();
  EXPECT_TRUE(Await([&] { return sink->Counts().transactions->committed == 1; }));  // the claim
  const auto advance = runs_.MakeAdvance({{"a", "b", {}}, {"a", "c", {}}}, At(300));
  advance->number = ++advances_;
  const auto deliver = [&] {
    for (const char* job : {"x", "y"}) {
      sink->Deliver(runs_.Run(FinishedRuns::Job(job, DegreeParameters()), advance));
    }
    sink->Complete(AdvanceReport{advance, {}, {}, {}});
    Drain(*sink);
  };
  deliver();
  EXPECT_EQ(Held(), (Ends{"x 05:00", "x 05:00", "x 05:00", "y 05:00", "y 05:00", "y 05:00"}));
  EXPECT_EQ(sink->Counts().transactions->committed, 2u);
  EXPECT_EQ(sink->Counts().delivered, 6u);
  deliver();  // the topic has them
  EXPECT_EQ(Held().size(), 6u);
  EXPECT_EQ(sink->Counts().transactions->held, 6u);
}

// Marks know one newest end for each job, and what is between two ends counts as sent. A result on
// an earlier window must neither be taken for such a result nor become a mark.
TEST_F(TransactionalSinkTest, AResultOnAnEarlierWindowIsSentBesideTheSeries) {
  const auto sink = Open();
  const auto give_past = [&](std::int64_t end) {
    CompletedRun run = runs_.Run(FinishedRuns::Job("x", ShapeParameters()),
                                 runs_.MakeAdvance({{"a", "b", {}}}, At(end)));
    auto result = std::make_shared<RunResult>(*run.result);
    result->past = true;
    run.result = std::move(result);
    std::vector<PastDelivery> deliveries;
    sink->DeliverPast(run, deliveries);
    ASSERT_EQ(deliveries.size(), 1u);
    EXPECT_EQ(deliveries[0].state, PastDelivery::State::kWritten);
  };
  const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(300));
  advance->number = ++advances_;
  sink->Deliver(runs_.Run(FinishedRuns::Job("x", ShapeParameters()), advance));
  give_past(320);  // goes ahead of the advance that is not complete
  Drain(*sink);
  EXPECT_EQ(Held(), (Ends{"x 05:20"}));
  sink->Complete(AdvanceReport{advance, {}, {}, {}});
  Advance(*sink, 310);
  give_past(300);
  Advance(*sink, 320);
  Drain(*sink);
  EXPECT_EQ(Held(), (Ends{"x 05:00", "x 05:00", "x 05:10", "x 05:20", "x 05:20"}));
  EXPECT_EQ(sink->Counts().transactions->held, 0u);
  const std::vector<ReadMessage> messages = TopicContents(kafka_.brokers(), "results");
  EXPECT_THAT(messages.front().key, HasSubstr(R"("past":true})"));
}

TEST_F(TransactionalSinkTest, WhoStandsBySendsNothingAndFencesNobody) {
  {
    const auto sink = Open(false);
    Advance(*sink, 290);
    EXPECT_TRUE(sink->Flush().ok());
  }
  const auto waits = Open(false);
  spec_.outbox.path = folder_.File("another");
  const auto sends = Open();
  Advance(*sends, 300);
  Drain(*sends);
  Advance(*sends, 310);
  Drain(*sends);
  EXPECT_EQ(waits->Counts().waiting, 1u);
  EXPECT_THAT(sends->NotReady(), IsEmpty());
  // The second process takes over.
  waits->Begin();
  Drain(*waits);
  EXPECT_EQ(Held(), (Ends{"x 04:50", "x 05:00", "x 05:10"}));
}

TEST_F(TransactionalSinkTest, AFailedDeliveryAbortsAndAllOfItIsSentAgain) {
  const auto sink = Open();
  EXPECT_TRUE(Await([&] { return sink->Counts().transactions->committed == 1; }));
  kafka_.FailRequests(kProduceKey, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, 1);
  Advance(*sink, 300, {"x", "y"});
  Drain(*sink);
  EXPECT_GE(sink->Counts().transactions->aborted, 1u);
  EXPECT_GE(sink->Counts().retries, 2u);
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("Topic authorization failed")));
  EXPECT_TRUE(Await([&] { return sink->NotReady().empty(); }));
}

TEST_F(TransactionalSinkTest, ACommitThatIsRefusedIsAbortedAndTriedAgain) {
  const auto sink = Open();
  EXPECT_TRUE(Await([&] { return sink->Counts().transactions->committed == 1; }));
  kafka_.FailRequests(kEndTransaction, RD_KAFKA_RESP_ERR_INVALID_TXN_STATE, 1);
  Advance(*sink, 300);
  Drain(*sink);
  EXPECT_EQ(sink->Counts().delivered, 1u);
  EXPECT_TRUE(Await([&] { return sink->NotReady().empty(); }));
}

TEST_F(TransactionalSinkTest, WhatTheBrokerRefusesAloneIsLostAloneAndCounted) {
  spec_.options = {{"linger.ms", "100"}};
  const auto sink = Open();
  EXPECT_TRUE(Await([&] { return sink->Counts().transactions->committed == 1; }));
  kafka_.FailRequests(kProduceKey, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, 2);
  Advance(*sink, 300, {"x", "y", "z"});
  Drain(*sink);
  EXPECT_EQ(sink->Counts().refused, 1u);
  EXPECT_EQ(sink->Counts().delivered, 2u);
}

TEST_F(TransactionalSinkTest, ResultsWaitWhileTheBrokersAreAway) {
  const auto sink = Open();
  Advance(*sink, 300);
  Drain(*sink);
  kafka_.SetDown();
  for (const std::int64_t end : {310, 320}) Advance(*sink, end);
  EXPECT_TRUE(sink->Flush().ok());
  ASSERT_TRUE(Await([&] { return !sink->NotReady().empty(); }));
  EXPECT_THAT(sink->NotReady(), Contains(HasSubstr("no broker can be reached")));
  kafka_.SetUp();
  Drain(*sink);
  EXPECT_EQ(sink->Counts().delivered, 3u);
  EXPECT_TRUE(Await([&] { return sink->NotReady().empty(); }));
}

// Otherwise a later result would become the newest mark, and the dropped result would count as
// sent.
TEST_F(TransactionalSinkTest, OnceSomethingDidNotFitNothingFollowsUntilARestart) {
  spec_.outbox.limit_bytes = 2000;
  const auto sink = Open(false);
  for (std::int64_t end = 300; end < 400; end += 10) Advance(*sink, end);
  EXPECT_FALSE(sink->Flush().ok());
  const std::uint64_t dropped = sink->Counts().dropped;
  EXPECT_LT(dropped, 10u);
  sink->Begin();
  Drain(*sink);
  Advance(*sink, 400);  // dropped although there is room
  EXPECT_EQ(sink->Counts().dropped, dropped + 1);
  EXPECT_EQ(Held().size(), 10u - dropped);
}

TEST_F(TransactionalSinkTest, AReplaySendsAllOfItAndLeavesTheLiveOneAlone) {
  const auto live = Open();
  Advance(*live, 300);
  Drain(*live);
  const auto replay = Open(true, true);
  for (const std::int64_t end : {290, 300}) Advance(*replay, end);
  Drain(*replay);
  Advance(*live, 310);
  Drain(*live);
  EXPECT_EQ(Held(), (Ends{"x 04:50", "x 05:00", "x 05:00", "x 05:10"}));
  EXPECT_THAT(live->NotReady(), IsEmpty());
}

}  // namespace
}  // namespace sash
