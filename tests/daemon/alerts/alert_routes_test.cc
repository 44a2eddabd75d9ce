// Which receivers of an alert get its ends and its repetitions.
#include "daemon/alerts/alert_routes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/kept_log.h"

namespace sash {
namespace {

using Strings = std::vector<std::string>;

class NotedReceiver final : public AlertReceiver {
 public:
  explicit NotedReceiver(bool follows_ends) : follows_ends_(follows_ends) {}

  void Notify(std::uint64_t, const AlertMessage& alert) override {
    events.push_back(alert.ended ? "ended" : "fired");
  }
  bool FollowsEnds() const override { return follows_ends_; }
  void Hold(const std::string&, std::vector<AlertMessage> standing) override {
    events.push_back("stands: " + std::to_string(standing.size()));
  }

  Strings events;

 private:
  const bool follows_ends_;
};

class AlertRoutesTest : public ::testing::Test {
 protected:
  AlertRoutesTest() {
    routes_.Put(0, RouteOf({.name = "busy"}, {{"hook", &plain_}, {"am", &following_}}));
  }

  NotedReceiver plain_{false};
  NotedReceiver following_{true};
  KeptLog log_;
  const AlertRoutes::Subscribers subscribers_ = [](const std::string&, const std::string&) {};
  AlertRoutes routes_{log_, subscribers_};
};

TEST_F(AlertRoutesTest, OnlyReceiversThatFollowEndsGetEndsAndRepetitions) {
  const AlertMessage alert{.json = "{}"};
  AlertMessage end = alert;
  end.ended = EventTime();
  ASSERT_TRUE(routes_.FollowsEnds(0));
  routes_.Hold(0, {alert});
  routes_.Tell(0, 1, alert);
  routes_.Tell(0, 2, end);
  EXPECT_EQ(plain_.events, (Strings{"fired"}));
  EXPECT_EQ(following_.events, (Strings{"stands: 1", "fired", "ended"}));
}

TEST_F(AlertRoutesTest, AReceiverThatLosesAnAlertForgetsWhatStands) {
  routes_.Hold(0, {{.json = "{}"}});
  routes_.Put(0,
              RouteOf({.name = "busy", .to = {"hook"}}, {{"hook", &plain_}, {"am", &following_}}));
  EXPECT_FALSE(routes_.FollowsEnds(0));
  EXPECT_EQ(following_.events, (Strings{"stands: 1", "stands: 0"}));
}

}  // namespace
}  // namespace sash
