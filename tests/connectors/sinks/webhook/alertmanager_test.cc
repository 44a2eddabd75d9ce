// Alerts for Alertmanager: what a request says, and when alerts that stand are sent again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "connectors/sinks/webhook/alertmanager_alert.h"
#include "connectors/sinks/webhook/held_alerts.h"
#include "connectors/sinks/webhook/webhook_sink.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/connectors/sinks/kafka/awaited.h"
#include "tests/connectors/sinks/webhook/webhook_receiver.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::At;
using testing::Await;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using testing::ScratchFolder;
using testing::WebhookReceiver;

AlertMessage Alert(const std::string& subject) {
  AlertMessage alert{.json = R"({"alert":"risen"})", .text = "rose", .since = At(300)};
  alert.identity.origin = {.job = "top", .window = "w", .alert = "risen", .subject = subject};
  alert.identity.position = At(310).time_since_epoch().count();
  return alert;
}

TEST(AlertmanagerAlertTest, LabelsIdentifyAnAlertAndAnEndResolvesIt) {
  AlertMessage alert = Alert("al\"ice");
  alert.labels = {{"severity", "page"}};
  EXPECT_EQ(AlertmanagerAlert(alert),
            R"({"labels":{"alertname":"risen","job":"top","window":"w","subject":"al\"ice",)"
            R"("severity":"page"},"annotations":{"summary":"rose",)"
            R"("alert":"{\"alert\":\"risen\"}"},"startsAt":"1970-01-01T00:05:00.000Z"})");
  AlertMessage ended = Alert("");
  ended.identity.origin.alert = "risen/end";
  ended.ended = At(320);
  const auto json = nlohmann::json::parse(AlertmanagerBody({ended, alert}));
  EXPECT_EQ(json[0].at("labels").dump(), R"({"alertname":"risen","job":"top","window":"w"})");
  EXPECT_EQ(json[0].at("endsAt"), "1970-01-01T00:05:20.000Z");
  EXPECT_EQ(json.size(), 2u);
  AlertMessage test = Alert("a");
  test.identity.origin.alert = "risen/test";
  test.is_test = true;
  const auto labels = nlohmann::json::parse(AlertmanagerAlert(test)).at("labels");
  EXPECT_EQ(labels.at("test"), "true");
  EXPECT_EQ(labels.at("alertname"), "risen");
}

TEST(HeldAlertsTest, WhatStandsIsDueAgainUntilItEnds) {
  HeldAlerts held;
  const SteadyTime begin{};
  EXPECT_FALSE(held.Due(begin));
  held.Hold("risen", {Alert("a"), Alert("b")});
  held.Hold("fallen", {Alert("c")});
  EXPECT_EQ(held.Due(begin).value().size(), 3u);
  held.Sent(begin, true);
  EXPECT_FALSE(held.Due(begin + HeldAlerts::kAgain - milliseconds(1)));
  EXPECT_EQ(held.Due(begin + HeldAlerts::kAgain).value().size(), 3u);
  held.Sent(begin + HeldAlerts::kAgain, false);
  held.Hold("risen", {});
  const SteadyTime later = begin + HeldAlerts::kAgain + HeldAlerts::kAfterFailure;
  EXPECT_FALSE(held.Due(later - milliseconds(1)));
  EXPECT_EQ(held.Due(later).value().size(), 1u);
  held.Hold("fallen", {});
  EXPECT_FALSE(held.Due(later));
}

class AlertmanagerSinkTest : public ::testing::Test {
 protected:
  AlertmanagerSinkTest() {
    spec_.name = "am";
    spec_.outbox.path = folder_.File("outbox");
    spec_.longest_pause = milliseconds(20);
    spec_.format = WebhookSinkSpec::Format::kAlertmanager;
    spec_.content = SinkContent::kAlerts;
  }
  std::unique_ptr<WebhookSink> Open(const WebhookReceiver& receiver, bool replay = false) {
    spec_.url = receiver.url();
    return std::move(WebhookSink::Open(spec_, runs_.keys(), replay, log_)).value();
  }

  ScratchFolder folder_;
  FinishedRuns runs_;
  KeptLog log_;
  WebhookSinkSpec spec_;
};

TEST_F(AlertmanagerSinkTest, AnAlertIsSentOnceAndWhatStandsBesideIt) {
  WebhookReceiver receiver({"200 OK"});
  const auto sink = Open(receiver);
  EXPECT_TRUE(sink->FollowsEnds());
  sink->Notify(1, Alert("a"));
  ASSERT_TRUE(sink->Flush());
  ASSERT_TRUE(Await([&] { return receiver.requests().size() == 1; }));
  EXPECT_EQ(receiver.requests()[0].body, AlertmanagerBody({Alert("a")}));
  EXPECT_THAT(receiver.requests()[0].head, HasSubstr("Content-Type: application/json"));
  EXPECT_THAT(receiver.requests()[0].head, HasSubstr("Idempotency-Key: top/w/risen/a/"));
  sink->Hold("risen", {Alert("a"), Alert("b")});
  ASSERT_TRUE(Await([&] { return receiver.requests().size() == 2; }));
  EXPECT_EQ(receiver.requests()[1].body, AlertmanagerBody({Alert("a"), Alert("b")}));
  EXPECT_EQ(receiver.requests()[1].head.find("Idempotency-Key"), std::string::npos);
  EXPECT_TRUE(sink->NotReady().empty());
}

TEST_F(AlertmanagerSinkTest, AReceiverThatIsAwayIsAStateAndNothingIsLost) {
  WebhookReceiver receiver({"500 no", "500 no", "500 no", "200 OK"});
  const auto sink = Open(receiver);
  sink->Hold("risen", {Alert("b")});
  ASSERT_TRUE(Await([&] { return !sink->NotReady().empty(); }));
  EXPECT_THAT(sink->NotReady()[0], HasSubstr("alerts that fire are not repeated"));
  sink->Notify(1, Alert("a"));
  ASSERT_TRUE(sink->Flush());
  ASSERT_TRUE(Await([&] { return receiver.requests().size() >= 4; }));
  EXPECT_EQ(receiver.requests()[3].body, AlertmanagerBody({Alert("a")}));
}

TEST_F(AlertmanagerSinkTest, AReplayLetsAlertsExpire) {
  WebhookReceiver receiver({"200 OK"});
  const auto sink = Open(receiver, true);
  sink->Hold("risen", {Alert("b")});
  sink->Notify(1, Alert("a"));
  ASSERT_TRUE(sink->Flush());
  ASSERT_TRUE(Await([&] { return receiver.requests().size() == 1; }));
  EXPECT_EQ(receiver.requests()[0].body, AlertmanagerBody({Alert("a")}));
}

}  // namespace
}  // namespace sash
