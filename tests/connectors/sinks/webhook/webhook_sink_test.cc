#include "connectors/sinks/webhook/webhook_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "connectors/sinks/result_json.h"
#include "connectors/sinks/result_key.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/connectors/sinks/kafka/awaited.h"
#include "tests/connectors/sinks/webhook/webhook_receiver.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using testing::At;
using testing::Await;
using ::testing::Contains;
using testing::Drain;
using ::testing::ElementsAre;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ReceivedRequest;
using testing::ScratchFolder;
using testing::WebhookReceiver;

constexpr const char* kTaken = "204 No Content";

class WebhookSinkTest : public ::testing::Test {
 protected:
  WebhookSinkTest() {
    spec_.name = "hook";
    spec_.outbox.path = folder_.File("outbox");
    spec_.longest_pause = milliseconds(20);
  }

  std::unique_ptr<WebhookSink> Open(const WebhookReceiver& receiver, bool replay = false) {
    spec_.url = receiver.url();
    Result<std::unique_ptr<WebhookSink>> sink =
        WebhookSink::Open(spec_, runs_.keys(), replay, log_);
    EXPECT_TRUE(sink.ok()) << sink.error().message;
    return std::move(sink).value();
  }
  CompletedRun RunAt(const std::string& job, std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}, {"b", "c", {}}}, At(end));
    return runs_.Run(FinishedRuns::Job(job, ShapeParameters()), advance);
  }
  std::string Parked() const {
    std::ifstream file(spec_.outbox.path + "/parked");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // The idempotency keys of the requests, without the part that all have.
  static std::vector<std::string> KeysOf(const std::vector<ReceivedRequest>& requests) {
    std::vector<std::string> keys;
    for (const ReceivedRequest& request : requests) {
      const std::size_t at = request.head.find("Idempotency-Key: ") + 17;
      const std::string key = request.head.substr(at, request.head.find("\r\n", at) - at);
      keys.push_back(key.substr(0, key.find('/')) + key.substr(key.find("T00:") + 3, 6));
    }
    return keys;
  }

  ScratchFolder folder_;
  FinishedRuns runs_;
  KeptLog log_;
  WebhookSinkSpec spec_;
};

TEST_F(WebhookSinkTest, PostsTheJsonOfItsJobsWithTheirIdentity) {
  spec_.jobs = {"x"};
  spec_.headers["X-Team"] = {"fraud", ""};
  const WebhookReceiver receiver({kTaken});
  const auto sink = Open(receiver);
  const CompletedRun run = RunAt("x", 300);
  sink->Deliver(run);
  sink->Deliver(RunAt("other", 300));
  Drain(*sink);
  const auto requests = receiver.requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_TRUE(requests[0].head.starts_with("POST /hook HTTP/1.1\r\n"));
  EXPECT_THAT(requests[0].head, HasSubstr("\r\nContent-Type: application/json"));
  EXPECT_THAT(requests[0].head, HasSubstr("\r\nX-Team: fraud"));
  EXPECT_THAT(requests[0].head,
              HasSubstr("\r\nIdempotency-Key: x/last-5m/1970-01-01T00:05:00.000Z"));
  EXPECT_EQ(requests[0].body, ResultJson(run, {}, runs_.keys()));
  const WebhookCounts counts = sink->Counts();
  EXPECT_EQ(counts.sink, "webhook:hook");
  EXPECT_EQ(counts.delivered, 1u);
  EXPECT_EQ(counts.waiting, 0u);
  EXPECT_GT(counts.request_seconds, 0);
  EXPECT_TRUE(counts.ready);
}

TEST_F(WebhookSinkTest, AHeaderWithoutAValueIsSentToo) {
  spec_.headers["X-Blank"] = {" ", ""};
  spec_.headers["X-Empty"] = {"", ""};
  const WebhookReceiver receiver({kTaken});
  const auto sink = Open(receiver);
  sink->Deliver(RunAt("x", 300));
  Drain(*sink);
  const auto requests = receiver.requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_THAT(requests[0].head + "\r\n", HasSubstr("\r\nX-Blank:\r\n"));
  EXPECT_THAT(requests[0].head + "\r\n", HasSubstr("\r\nX-Empty:\r\n"));
}

TEST_F(WebhookSinkTest, TheRowsOfAResultAreOneRequest) {
  spec_.content = SinkContent::kRows;
  for (const bool is_csv : {false, true}) {
    spec_.format = is_csv ? WebhookSinkSpec::Format::kCsv : WebhookSinkSpec::Format::kJson;
    spec_.outbox.path = folder_.File(is_csv ? "csv" : "json");
    const WebhookReceiver receiver({kTaken});
    const auto sink = Open(receiver);
    const JobSpec job = FinishedRuns::Job("x", DegreeParameters());
    sink->Deliver(
        runs_.Run(job, runs_.MakeAdvance({{"a", "b\t\"", {}}, {"b\t\"", "c", {}}}, At(300))));
    sink->Deliver(runs_.Run(job, runs_.MakeAdvance({}, At(600))));
    Drain(*sink);
    const auto requests = receiver.requests();
    ASSERT_EQ(requests.size(), 1u);
    EXPECT_THAT(requests[0].head,
                HasSubstr("\r\nIdempotency-Key: x/last-5m/1970-01-01T00:05:00.000Z"));
    EXPECT_THAT(requests[0].head,
                HasSubstr(is_csv ? "\r\nContent-Type: text/csv; charset=utf-8; header=present"
                                 : "\r\nContent-Type: application/x-ndjson"));
    const std::string& body = requests[0].body;
    EXPECT_EQ(std::ranges::count(body, '\n'), is_csv ? 4 : 3) << body;
    EXPECT_THAT(body,
                HasSubstr(is_csv ? "x,last-5m,1970-01-01T00:05:00.000Z,1,3,\"b\t\"\"\",1,2\r\n"
                                 : "\"row\":1,\"rows\":3,\"vertex\":\"b\\t\\\"\",\"rank\":1"));
  }
}

TEST_F(WebhookSinkTest, AResultThatIsNotFinalHasAKeyAndATypeOfItsOwn) {
  spec_.partial = true;
  spec_.format = WebhookSinkSpec::Format::kCloudEvents;
  const WebhookReceiver receiver({kTaken});
  const auto sink = Open(receiver);
  for (const std::int64_t offset : {17, 18}) {
    auto advance = std::make_shared<Advance>(*RunAt("x", 300).advance);
    advance->provenance.cut = {{{"pay", 0}, offset}};
    EXPECT_TRUE(
        sink->DeliverPartial(runs_.Run(FinishedRuns::Job("x", ShapeParameters()), advance)));
  }
  sink->Deliver(RunAt("x", 300));
  Drain(*sink);
  const auto requests = receiver.requests();
  ASSERT_EQ(requests.size(), 3u);
  std::set<std::string> ids;
  std::vector<std::string> types;
  for (const ReceivedRequest& request : requests) {
    const auto event = nlohmann::json::parse(request.body);
    ids.insert(event.at("id"));
    types.push_back(event.at("type"));
    EXPECT_EQ(event.at("data").at("final"), event.at("type") == "sash.result");
  }
  EXPECT_EQ(ids.size(), 3u);
  EXPECT_THAT(types, ElementsAre("sash.result.partial", "sash.result.partial", "sash.result"));
}

TEST_F(WebhookSinkTest, AResultOnAnEarlierWindowHasAKeyAndATypeOfItsOwn) {
  spec_.format = WebhookSinkSpec::Format::kCloudEvents;
  const WebhookReceiver receiver({kTaken});
  const auto sink = Open(receiver);
  CompletedRun past = RunAt("x", 300);
  auto result = std::make_shared<RunResult>(*past.result);
  result->past = true;
  past.result = std::move(result);
  std::vector<PastDelivery> deliveries;
  sink->Deliver(RunAt("x", 300));
  sink->DeliverPast(past, deliveries);
  ASSERT_EQ(deliveries.size(), 1u);
  EXPECT_EQ(deliveries[0].sink, "webhook:hook");
  EXPECT_EQ(deliveries[0].state, PastDelivery::State::kWritten);
  Drain(*sink);
  const auto requests = receiver.requests();
  ASSERT_EQ(requests.size(), 2u);
  const auto event = nlohmann::json::parse(requests[1].body);
  EXPECT_EQ(event.at("type"), "sash.result.past");
  EXPECT_EQ(event.at("id"), "x/last-5m/1970-01-01T00:05:00.000Z/past");
  EXPECT_EQ(event.at("data").at("past"), true);
}

TEST_F(WebhookSinkTest, AResultOnAnEarlierWindowDoesNotTakeTheRoomOfOthers) {
  const WebhookReceiver receiver({"503 Service Unavailable"});
  spec_.outbox.limit_bytes = 4000;
  const auto sink = Open(receiver);
  std::vector<PastDelivery> deliveries;
  while (deliveries.empty() || deliveries.back().state == PastDelivery::State::kWritten) {
    sink->DeliverPast(RunAt("x", 300), deliveries);
  }
  EXPECT_EQ(deliveries.back().state, PastDelivery::State::kFailed);
  EXPECT_THAT(deliveries.back().why, HasSubstr("more than half of its outbox"));
  EXPECT_LE(sink->Counts().outbox_bytes, 2000u);
  sink->Deliver(RunAt("x", 300));
  EXPECT_EQ(sink->Counts().dropped, 0u);
  EXPECT_TRUE(sink->Flush().ok());
}

TEST_F(WebhookSinkTest, RepeatsAResultInOrderUntilItIsTaken) {
  const WebhookReceiver receiver({"500 Internal Server Error", "408 Request Timeout",
                                  "425 Too Early", "503 Service Unavailable", kTaken});
  const auto sink = Open(receiver);
  sink->Deliver(RunAt("x", 300));
  sink->Deliver(RunAt("x", 310));
  Drain(*sink);
  EXPECT_THAT(KeysOf(receiver.requests()),
              ElementsAre("x:05:00", "x:05:00", "x:05:00", "x:05:00", "x:05:00", "x:05:10"));
  EXPECT_EQ(sink->Counts().retries, 4u);
  EXPECT_EQ(sink->Counts().delivered, 2u);
  EXPECT_THAT(sink->NotReady(), IsEmpty());
  EXPECT_THAT(log_.lines(),
              Contains("warning: webhook sink hook: results wait in the outbox: the receiver "
                       "answers 500"));
  EXPECT_THAT(log_.lines(), Contains("info: webhook sink hook: results are delivered again"));
}

TEST_F(WebhookSinkTest, WaitsAsLongAsTheReceiverAsks) {
  const WebhookReceiver receiver({"429 Too Many Requests\r\nRetry-After: 1", kTaken});
  const auto sink = Open(receiver);
  const auto begun = std::chrono::steady_clock::now();
  sink->Deliver(RunAt("x", 300));
  Drain(*sink);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, milliseconds(1000));
}

TEST_F(WebhookSinkTest, ParksARefusedResultAndGoesOn) {
  const WebhookReceiver receiver({"400 Bad Request", "302 Found", kTaken});
  const auto sink = Open(receiver);
  sink->Deliver(RunAt("x", 300));
  sink->Deliver(RunAt("y", 300));
  sink->Deliver(RunAt("z", 310));
  Drain(*sink);
  EXPECT_THAT(KeysOf(receiver.requests()), ElementsAre("x:05:00", "y:05:00", "z:05:10"));
  EXPECT_EQ(sink->Counts().parked, 2u);
  EXPECT_EQ(sink->Counts().delivered, 1u);
  EXPECT_THAT(Parked(), HasSubstr(R"("status":400,"reply":"reply","key":{"job":"x")"));
  EXPECT_THAT(Parked(), HasSubstr(R"("status":302,"reply":"reply","key":{"job":"y")"));
  EXPECT_THAT(sink->NotReady(),
              Contains(HasSubstr("the newest of the results of x on last-5m is parked")));
  sink->Deliver(RunAt("x", 310));
  sink->Deliver(RunAt("y", 310));
  Drain(*sink);
  EXPECT_TRUE(Await([&] { return sink->NotReady().empty(); }));
}

TEST_F(WebhookSinkTest, AHangingReceiverEndsAtTheTimeoutAndHoldsNobodyUp) {
  spec_.timeout = milliseconds(300);
  const WebhookReceiver receiver({WebhookReceiver::kHang, kTaken});
  const auto sink = Open(receiver);
  const auto begun = std::chrono::steady_clock::now();
  sink->Deliver(RunAt("x", 300));
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, milliseconds(250));
  Drain(*sink);
  EXPECT_EQ(sink->Counts().retries, 1u);
  EXPECT_EQ(receiver.requests().size(), 2u);
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("results wait in the outbox: Operation timed out")));
}

TEST_F(WebhookSinkTest, AStopCutsOffARequestAndARestartSendsItAgain) {
  spec_.timeout = std::chrono::minutes(10);
  {
    const WebhookReceiver receiver({WebhookReceiver::kHang});
    auto sink = Open(receiver);
    sink->Deliver(RunAt("x", 300));
    ASSERT_TRUE(sink->Flush().ok());
    ASSERT_TRUE(Await([&] { return receiver.requests().size() == 1; }));
    const auto begun = std::chrono::steady_clock::now();
    sink.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  }
  const WebhookReceiver receiver({kTaken});
  const auto sink = Open(receiver);
  Drain(*sink);
  EXPECT_THAT(KeysOf(receiver.requests()), ElementsAre("x:05:00"));
}

TEST_F(WebhookSinkTest, ARestartSendsOnlyWhatWasNotAcknowledged) {
  {
    const WebhookReceiver receiver({kTaken, "400 Bad Request", "500 Internal Server Error"});
    const auto sink = Open(receiver);
    for (const std::int64_t end : {300, 310, 320, 330}) sink->Deliver(RunAt("x", end));
    ASSERT_TRUE(sink->Flush().ok());
    ASSERT_TRUE(Await([&] { return sink->Counts().retries > 0; }));
    EXPECT_EQ(sink->Counts().waiting, 2u);
  }
  const WebhookReceiver receiver({kTaken});
  const auto sink = Open(receiver);
  Drain(*sink);
  EXPECT_THAT(KeysOf(receiver.requests()), ElementsAre("x:05:20", "x:05:30"));
}

TEST_F(WebhookSinkTest, AFullOutboxStopsCommitting) {
  spec_.outbox.limit_bytes = 600;
  const WebhookReceiver receiver({"500 Internal Server Error"});
  const auto sink = Open(receiver);
  for (std::int64_t end = 300; end < 400; end += 10) sink->Deliver(RunAt("x", end));
  EXPECT_GT(sink->Counts().dropped, 0u);
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("did not fit into the outbox"));
  EXPECT_THAT(sink->NotReady(), Contains(HasSubstr("is full")));
}

TEST_F(WebhookSinkTest, AnAlertIsDeliveredUnderItsIdentity) {
  spec_.content = SinkContent::kAlerts;
  const WebhookReceiver receiver({"503 Service Unavailable", kTaken});
  const auto sink = Open(receiver);
  sink->Deliver(RunAt("x", 300));  // not for this sink
  AlertMessage alert;
  alert.identity = IdentityOf(*RunAt("x", 300).result);
  alert.identity.origin.alert = "risen";
  alert.identity.origin.subject = "a b\r\nX: y";
  alert.json = R"({"schema":1,"alert":"risen"})";
  sink->Notify(1, alert);
  Drain(*sink);
  const auto requests = receiver.requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[1].body, alert.json);
  EXPECT_THAT(requests[1].head, HasSubstr("\r\nIdempotency-Key: x/last-5m/risen/"
                                          "a%20b%0D%0AX%3A%20y/1970-01-01T00:05:00.000Z"));
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("webhook sink hook: alerts wait in the outbox")));
}

TEST_F(WebhookSinkTest, AReplayLeavesTheMessagesOfALiveProcess) {
  {
    const WebhookReceiver receiver({"500 Internal Server Error"});
    const auto sink = Open(receiver);
    sink->Deliver(RunAt("x", 300));
    ASSERT_TRUE(sink->Flush().ok());
  }
  const WebhookReceiver receiver({kTaken});
  {
    const auto replay = Open(receiver, true);
    replay->Deliver(RunAt("x", 310));
    Drain(*replay);
  }
  const auto live = Open(receiver);
  Drain(*live);
  EXPECT_THAT(KeysOf(receiver.requests()), ElementsAre("x:05:10", "x:05:00"));
}

}  // namespace
}  // namespace sash
