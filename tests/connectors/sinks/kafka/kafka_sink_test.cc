#include "connectors/sinks/kafka/kafka_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "connectors/sinks/chosen_results.h"
#include "connectors/sinks/result_json.h"
#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/connectors/kafka/topic_contents.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/connectors/sinks/kafka/awaited.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"
#include "windows/jobs/previous_results.h"

namespace sash {
namespace {

using testing::At;
using testing::Await;
using ::testing::Contains;
using testing::Drain;
using ::testing::ElementsAre;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScratchFolder;
using Json = nlohmann::json;

constexpr int kProduce = 0;  // the API key

class KafkaSinkTest : public ::testing::Test {
 protected:
  KafkaSinkTest() {
    kafka_.CreateTopic("results");
    spec_.brokers = kafka_.brokers();
    spec_.topic = "results";
    spec_.outbox.path = folder_.File("outbox");
  }

  std::unique_ptr<KafkaSink> Open(bool discard = false) {
    Result<std::unique_ptr<KafkaSink>> sink = KafkaSink::Open(spec_, runs_.keys(), discard, log_);
    EXPECT_TRUE(sink.ok()) << sink.error().message;
    return std::move(sink).value();
  }

  CompletedRun RunAt(const std::string& job, std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}, {"b", "c", {}}}, At(end));
    return runs_.Run(FinishedRuns::Job(job, ShapeParameters()), advance);
  }
  // A run whose result is large when all rows are listed.
  CompletedRun LargeRunAt(const std::string& job, std::int64_t end) {
    std::vector<testing::NamedEdge> edges;
    for (int i = 0; i < 1000; ++i) edges.push_back({"a", "b" + std::to_string(i), {}});
    return runs_.Run(FinishedRuns::Job(job, ShapeParameters()), runs_.MakeAdvance(edges, At(end)));
  }

  std::multiset<std::string> Held() const { return testing::ResultsHeld(kafka_.brokers()); }

  MockKafka kafka_;
  ScratchFolder folder_;
  FinishedRuns runs_;
  KeptLog log_;
  KafkaSinkSpec spec_;
};

TEST_F(KafkaSinkTest, SendsTheJsonOfItsJobsUnderTheirIdentity) {
  spec_.jobs = {"x"};
  const auto sink = Open();
  const CompletedRun run = RunAt("x", 300);
  sink->Deliver(run);
  sink->Deliver(RunAt("other", 300));
  CompletedRun counted = RunAt("x", 310);
  auto advance = std::make_shared<Advance>(*counted.advance);
  advance->provenance.accepted = 17;
  sink->Deliver(runs_.Run(FinishedRuns::Job("x", ShapeParameters()), advance));
  Drain(*sink);
  const std::vector<ReadMessage> messages = TopicContents(kafka_.brokers(), "results");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].key,
            R"({"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z"})");
  EXPECT_EQ(messages[0].value, ResultJson(run, {}, runs_.keys()));
  EXPECT_EQ(messages[1].key, R"({"job":"x","window":"last-5m","accepted":17})");
  const KafkaSinkCounts counts = sink->Counts();
  EXPECT_EQ(counts.sink, "kafka:results");
  EXPECT_EQ(counts.delivered, 2u);
  EXPECT_EQ(counts.waiting, 0u);
  EXPECT_EQ(counts.outbox_bytes, 0u);
  EXPECT_TRUE(counts.ready);
}

TEST_F(KafkaSinkTest, AResultThatIsNotFinalHasAKeyOfItsOwnAndIsSentOnlyIfTheSinkSaysSo) {
  CompletedRun run = RunAt("x", 300);
  auto advance = std::make_shared<Advance>(*run.advance);
  advance->provenance.cut = {{{"pay", 0}, 17}};
  run = runs_.Run(FinishedRuns::Job("x", ShapeParameters()), advance);
  {
    const auto sink = Open();
    EXPECT_TRUE(sink->DeliverPartial(run));
    Drain(*sink);
  }
  spec_.partial = true;
  const auto sink = Open();
  EXPECT_TRUE(sink->DeliverPartial(run));
  sink->Deliver(RunAt("x", 300));
  Drain(*sink);
  const std::vector<ReadMessage> messages = TopicContents(kafka_.brokers(), "results");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].key,
            R"({"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z",)"
            R"("cut":{"pay":{"0":17}}})");
  EXPECT_EQ(Json::parse(messages[0].value).at("final"), false);
  EXPECT_EQ(messages[1].key,
            R"({"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z"})");
}

TEST_F(KafkaSinkTest, SendsDiffsInsteadOfThoseJobsThatHaveThem) {
  spec_.content = SinkContent::kDiffs;
  EXPECT_TRUE(AnyWritesDiffs(std::vector<SinkSpec>{spec_}, "x", DegreeParameters()));
  const auto sink = Open();
  PreviousResults previous;
  for (const std::int64_t end : {300, 310}) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(end));
    CompletedRun run = runs_.Run(FinishedRuns::Job("x", DegreeParameters()), advance);
    run.before = previous.Before(run.result);
    sink->Deliver(run);
    sink->Deliver(RunAt("shape", end));
  }
  Drain(*sink);
  const std::vector<ReadMessage> messages = TopicContents(kafka_.brokers(), "results");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[1].key,
            R"({"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:10.000Z"})");
  EXPECT_EQ(Json::parse(messages[1].value).at("since"), "1970-01-01T00:05:00.000Z");
}

TEST_F(KafkaSinkTest, SendsEachRowUnderItsNumberWhereItsJobIs) {
  spec_.content = SinkContent::kRows;
  const auto sink = Open();
  for (const std::int64_t end : {300, 310}) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}, {"a", "c", {}}}, At(end));
    sink->Deliver(runs_.Run(FinishedRuns::Job("x", DegreeParameters()), advance));
    sink->Deliver(RunAt("shape", end));
  }
  sink->Deliver(
      runs_.Run(FinishedRuns::Job("x", DegreeParameters()), runs_.MakeAdvance({}, At(320))));
  Drain(*sink);
  const std::vector<ReadMessage> messages = TopicContents(kafka_.brokers(), "results");
  ASSERT_EQ(messages.size(), 6u);
  EXPECT_EQ(messages[1].key,
            R"({"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z","row":2})");
  EXPECT_EQ(messages[1].value,
            R"({"schema":1,"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z",)"
            R"("row":2,"rows":3,"vertex":"b","rank":2,"score":1})");
  EXPECT_EQ(messages[5].partition, messages[0].partition);
  EXPECT_EQ(sink->Counts().delivered, 6u);
}

TEST_F(KafkaSinkTest, ARowThatNoBrokerTakesIsCountedAndTheOthersAreSent) {
  spec_.content = SinkContent::kRows;
  spec_.options = {{"message.max.bytes", "1000"}};
  const auto sink = Open();
  const auto advance = runs_.MakeAdvance({{"a", std::string(900, 'b'), {}}}, At(300));
  sink->Deliver(runs_.Run(FinishedRuns::Job("x", DegreeParameters()), advance));
  Drain(*sink);
  EXPECT_EQ(sink->Counts().refused, 1u);
  EXPECT_EQ(sink->Counts().delivered, 1u);
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("the newest of the rows of {\"job\":\"x\"")));
}

TEST_F(KafkaSinkTest, TheRowsOfAResultWaitTogetherOrNotAtAll) {
  spec_.content = SinkContent::kRows;
  spec_.outbox.limit_bytes = 2000;
  kafka_.SetDown();
  const auto sink = Open();
  for (std::int64_t end = 300; end < 350; end += 10) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}, {"a", "c", {}}}, At(end));
    sink->Deliver(runs_.Run(FinishedRuns::Job("x", DegreeParameters()), advance));
  }
  EXPECT_FALSE(sink->Flush().ok());
  const KafkaSinkCounts counts = sink->Counts();
  EXPECT_EQ(counts.waiting + counts.dropped, 15u);
  EXPECT_EQ(counts.waiting % 3, 0u);
  EXPECT_GT(counts.waiting, 0u);
  EXPECT_GT(counts.dropped, 0u);
}

TEST_F(KafkaSinkTest, ResultsAreDurableWhileTheBrokerIsAwayAndDeliveredOnceItIsBack) {
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  Drain(*sink);
  kafka_.SetDown();
  for (const std::int64_t end : {310, 320, 330}) sink->Deliver(RunAt("x", end));
  EXPECT_TRUE(sink->Flush().ok());
  ASSERT_TRUE(Await([&] { return !sink->NotReady().empty(); }));
  EXPECT_THAT(sink->NotReady(),
              ElementsAre(HasSubstr("kafka sink results: no broker can be reached: ")));
  EXPECT_EQ(sink->Counts().waiting, 3u);
  kafka_.SetUp();
  Drain(*sink);
  EXPECT_TRUE(Await([&] { return sink->NotReady().empty(); }));
  EXPECT_EQ(Held(), (std::multiset<std::string>{"x 05:00", "x 05:10", "x 05:20", "x 05:30"}));
  EXPECT_EQ(log_.lines().size(), 2u) << ::testing::PrintToString(log_.lines());  // 1 per change
}

TEST_F(KafkaSinkTest, ABrokerThatIsBackEndsTheStateThoughThereIsNothingToSend) {
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  Drain(*sink);
  kafka_.SetDown();
  ASSERT_TRUE(Await([&] { return !sink->NotReady().empty(); }));
  kafka_.SetUp();
  EXPECT_TRUE(Await([&] { return sink->NotReady().empty(); }));
}

TEST_F(KafkaSinkTest, ADrainDoesNotWaitForBrokersThatAreKnownToBeAwayUnlessItShould) {
  const auto sink = Open();
  kafka_.SetDown();
  sink->Deliver(RunAt("x", 300));
  ASSERT_TRUE(Await([&] { return !sink->NotReady().empty(); }));
  EXPECT_FALSE(sink->Drain([] { return true; }, true).ok());
  kafka_.SetUp();
  Drain(*sink);
}

TEST_F(KafkaSinkTest, TheNextProcessDeliversWhatWaited) {
  kafka_.SetDown();
  {
    const auto sink = Open();
    for (const std::int64_t end : {300, 310}) sink->Deliver(RunAt("x", end));
    EXPECT_TRUE(sink->Flush().ok());
    const Status drained = sink->Drain([] { return false; });
    ASSERT_FALSE(drained.ok());
    EXPECT_THAT(drained.error().message, HasSubstr("2 results are not delivered; they wait in "));
  }
  kafka_.SetUp();
  const auto sink = Open();
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("2 results from an earlier run wait in ")));
  sink->Deliver(RunAt("x", 320));
  Drain(*sink);
  EXPECT_EQ(Held(), (std::multiset<std::string>{"x 05:00", "x 05:10", "x 05:20"}));
}

TEST_F(KafkaSinkTest, AReplayDeliversNothingOfAnEarlierLife) {
  kafka_.SetDown();
  Open()->Deliver(RunAt("x", 300));
  kafka_.SetUp();
  const auto sink = Open(true);
  sink->Deliver(RunAt("x", 310));
  Drain(*sink);
  EXPECT_EQ(Held(), (std::multiset<std::string>{"x 05:10"}));
}

TEST_F(KafkaSinkTest, AReplayWaitsForRoomInTheOutboxAndLosesNothing) {
  spec_.outbox.limit_bytes = 2000;
  kafka_.SetDown();
  const auto sink = Open(true);
  std::vector<CompletedRun> runs;
  for (std::int64_t end = 300; end < 400; end += 10) runs.push_back(RunAt("x", end));
  std::atomic<std::size_t> taken = 0;
  std::thread runner([&] {
    for (const CompletedRun& run : runs) {
      sink->Deliver(run);
      ++taken;
    }
  });
  EXPECT_TRUE(Await([&] { return !sink->NotReady().empty(); }));
  EXPECT_LT(taken, 10u);
  kafka_.SetUp();
  runner.join();
  Drain(*sink);
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(sink->Counts().dropped, 0u);
  EXPECT_EQ(Held().size(), 10u);
}

TEST_F(KafkaSinkTest, ATooLargeResultIsSaidUntilOneOfItsJobPasses) {
  spec_.options = {{"message.max.bytes", "3000"}};
  spec_.vertices = VerticesWritten::kAll;
  const auto sink = Open();
  sink->Deliver(LargeRunAt("x", 300));
  sink->Deliver(RunAt("y", 300));
  Drain(*sink);
  EXPECT_TRUE(sink->Flush().ok());  // a restart would not make it smaller
  EXPECT_EQ(sink->Counts().refused, 1u);
  EXPECT_THAT(sink->NotReady(), ElementsAre(HasSubstr("larger than message.max.bytes (3000)")));
  sink->Deliver(RunAt("x", 310));
  Drain(*sink);
  EXPECT_TRUE(Await([&] { return sink->NotReady().empty(); }));
  EXPECT_EQ(Held(), (std::multiset<std::string>{"x 05:10", "y 05:00"}));
}

TEST_F(KafkaSinkTest, WhatTheBrokerRefusesAloneIsLostAloneAndCounted) {
  // The broker refuses first the batch as too large, then its first message alone.
  spec_.options = {{"linger.ms", "200"}};
  kafka_.FailRequests(kProduce, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, 2);
  const auto sink = Open();
  for (const std::int64_t end : {300, 310, 320, 330}) sink->Deliver(RunAt("x", end));
  Drain(*sink);
  const KafkaSinkCounts counts = sink->Counts();
  EXPECT_EQ(counts.refused, 1u);
  EXPECT_EQ(counts.delivered, 3u);
  EXPECT_EQ(Held().size(), 3u);
}

TEST_F(KafkaSinkTest, WhatFailsIsSentAgain) {
  kafka_.FailRequests(kProduce, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, 2);
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  Drain(*sink);
  EXPECT_EQ(sink->Counts().retries, 2u);
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("Topic authorization failed")));
  EXPECT_TRUE(Await([&] { return sink->NotReady().empty(); }));
  EXPECT_EQ(Held(), (std::multiset<std::string>{"x 05:00"}));
}

TEST_F(KafkaSinkTest, WhatABrokerRefusesBeforeItTakesLaterResultsIsSentAgain) {
  spec_.options = {{"batch.num.messages", "1"}, {"linger.ms", "0"}};
  kafka_.FailRequests(kProduce, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, 1);
  const auto sink = Open();
  std::multiset<std::string> sent;
  for (std::int64_t end = 300; end < 304; ++end) {
    sink->Deliver(RunAt("x", end));
    sent.insert("x 05:0" + std::to_string(end - 300));
  }
  Drain(*sink);
  EXPECT_EQ(Held(), sent);
}

TEST_F(KafkaSinkTest, WhatDoesNotFitIntoTheOutboxIsNeverCalledDurable) {
  spec_.outbox.limit_bytes = 2000;
  kafka_.SetDown();
  const auto sink = Open();
  for (std::int64_t end = 300; end < 400; end += 10) sink->Deliver(RunAt("x", end));
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("a restart produces them"));
  EXPECT_GT(sink->Counts().dropped, 0u);
  EXPECT_EQ(sink->Counts().dropped + sink->Counts().waiting, 10u);
  EXPECT_THAT(sink->NotReady(), Contains(HasSubstr("is full, results are dropped")));
  kafka_.SetUp();
  Drain(*sink);
  EXPECT_FALSE(sink->Flush().ok());
}

TEST_F(KafkaSinkTest, AnOutboxInUseIsRefused) {
  const auto sink = Open();
  const auto second = KafkaSink::Open(spec_, runs_.keys(), false, log_);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message, HasSubstr("kafka sink results: outbox: open "));
}

}  // namespace
}  // namespace sash
