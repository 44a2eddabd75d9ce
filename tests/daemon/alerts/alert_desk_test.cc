#include "daemon/alerts/alert_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "connectors/sinks/result_key.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::At;
using ::testing::Contains;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using Strings = std::vector<std::string>;

// Notes what it is asked, and fails when told to.
class NotedSinks final : public ResultSink, public AlertReceiver {
 public:
  void Deliver(const CompletedRun&) override { events.emplace_back("result"); }
  void Complete(const AdvanceReport&) override { events.emplace_back("complete"); }
  void Notify(std::uint64_t, const AlertMessage& alert) override {
    events.push_back(alert.identity.origin.alert + " " + alert.identity.origin.subject);
  }
  Status Flush() override {
    if (fails) return Error{ErrorCode::kUnavailable, "the disk is full"};
    return Ok{};
  }

  Strings events;
  bool fails = false;
};

class AlertDeskTest : public ::testing::Test {
 protected:
  std::unique_ptr<AlertDesk> Open(bool with_state = true) {
    auto desk = TryOpen(with_state);
    EXPECT_TRUE(desk.ok()) << desk.error().message;
    return std::move(desk).value();
  }
  Result<std::unique_ptr<AlertDesk>> TryOpen(bool with_state = true) {
    AlertDesk::Surroundings around{
        .sinks = sinks_,
        .receivers = {{"pager", &sinks_}},
        .log = log_,
        .tell = [this](const std::string&, const std::string& json) { told_.push_back(json); }};
    if (with_state) {
      around.open_store = [this] {
        ++opened_;
        return AlertStore::Open(folder_.File("state"));
      };
    }
    return AlertDesk::Open(alerts_, {kJob}, KeyKind::kString, std::move(around));
  }
  CompletedRun Run(const std::vector<testing::NamedEdge>& edges, std::int64_t end) {
    return runs_.Run(FinishedRuns::Job("degrees", DegreeParameters()),
                     runs_.MakeAdvance(edges, At(end)));
  }
  CompletedRun Busy(std::int64_t end) { return Run({{"a", "b", {}}, {"a", "c", {}}}, end); }

  const JobSpec kJob = FinishedRuns::Job("degrees", DegreeParameters());
  int opened_ = 0;  // stores
  testing::ScratchFolder folder_;
  KeptLog log_;
  FinishedRuns runs_;
  NotedSinks sinks_;
  Strings told_;
  std::vector<AlertSpec> alerts_{{.name = "busy", .job = "degrees", .where = "score >= 2"}};
};

TEST_F(AlertDeskTest, TellsReceiversTheLogAndSubscribers) {
  const auto desk = Open();
  desk->Deliver(Busy(300));
  EXPECT_EQ(sinks_.events, (Strings{"result", "busy a"}));
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("alert busy: a is in the list")));
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(nlohmann::json::parse(told_[0]).at("subject"), "a");
  const AlertStatus status = *desk->Find("busy");
  EXPECT_EQ(status.fired, 1u);
  EXPECT_EQ(status.last, told_);
  EXPECT_EQ(status.last_fired, At(300));
  EXPECT_FALSE(desk->Find("other"));
}

TEST_F(AlertDeskTest, TellsOnlyWhoIsNamed) {
  alerts_[0].to = {"log"};
  alerts_.push_back({.name = "quiet", .job = "degrees", .where = "score >= 2", .to = {"pager"}});
  const auto desk = Open();
  desk->Deliver(Busy(300));
  EXPECT_EQ(sinks_.events, (Strings{"result", "quiet a"}));
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("alert busy")));
  EXPECT_THAT(log_.lines(), ::testing::Not(Contains(HasSubstr("alert quiet"))));
}

TEST_F(AlertDeskTest, KnowsAfterARestartWhatItHasSeen) {
  alerts_[0].results = 2;
  {
    const auto desk = Open();
    desk->Deliver(Busy(300));
    ASSERT_TRUE(desk->Flush().ok());
    desk->Deliver(Busy(310));  // told, and lost: the process is killed before the next Flush()
  }
  EXPECT_EQ(sinks_.events, (Strings{"result", "result", "busy a"}));
  sinks_.events.clear();
  {
    const auto desk = Open();
    desk->Deliver(Busy(300));  // comes again, and was seen
    desk->Deliver(Busy(310));
    ASSERT_TRUE(desk->Flush().ok());
  }
  EXPECT_EQ(sinks_.events, (Strings{"result", "result", "busy a"})) << "told again, not missed";
  sinks_.events.clear();
  const auto desk = Open();
  desk->Deliver(Busy(310));
  EXPECT_EQ(sinks_.events, (Strings{"result"})) << "its state is durable";
}

TEST_F(AlertDeskTest, SavesNothingBeforeTheReceiversAreSafe) {
  {
    const auto desk = Open();
    desk->Deliver(Busy(300));
    sinks_.fails = true;
    EXPECT_FALSE(desk->Flush().ok());
  }
  sinks_.fails = false;
  sinks_.events.clear();
  Open()->Deliver(Busy(300));
  EXPECT_EQ(sinks_.events, (Strings{"result", "busy a"}));
}

TEST_F(AlertDeskTest, AChangedAlertBeginsWithTheNextResult) {
  {
    const auto desk = Open();
    desk->Deliver(Busy(300));
    ASSERT_TRUE(desk->Flush().ok());
  }
  alerts_[0].where = "score >= 1";
  sinks_.events.clear();
  const auto desk = Open();
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("alert busy: its definition has changed")));
  desk->Deliver(Busy(300));
  EXPECT_EQ(sinks_.events, (Strings{"result"}));
  desk->Deliver(Busy(310));
  EXPECT_EQ(sinks_.events.size(), 5u);
}

TEST_F(AlertDeskTest, RefusesADamagedState) {
  {
    const auto desk = Open();
    desk->Deliver(Busy(300));
    ASSERT_TRUE(desk->Flush().ok());
  }
  const std::string path = folder_.File("state/alerts/state.json");
  std::string state = testing::Contents(path);
  state[state.find("newest") + 10] ^= 1;
  testing::Write(path, state);
  const auto desk = TryOpen();
  ASSERT_FALSE(desk.ok());
  EXPECT_THAT(desk.error().message, HasSubstr("is damaged: its checksum is wrong; move it away"));
}

TEST_F(AlertDeskTest, ARestartWithoutTheStateOfAReplayTellsAll) {
  for (int life = 0; life < 2; ++life) {
    const auto desk = Open(false);
    desk->Deliver(Busy(300));
    ASSERT_TRUE(desk->Flush().ok());
  }
  EXPECT_EQ(told_.size(), 2u);
}

TEST_F(AlertDeskTest, IsPausedAndTested) {
  const auto desk = Open();
  EXPECT_FALSE(desk->Pause("other", true));
  EXPECT_FALSE(desk->Test("other", Busy(300)));
  EXPECT_TRUE(desk->Pause("busy", true));
  desk->Deliver(Busy(300));
  EXPECT_TRUE(told_.empty());
  const auto test = desk->Test("busy", Busy(300));
  ASSERT_TRUE(test);
  EXPECT_EQ(told_, Strings{*test});
  EXPECT_EQ(nlohmann::json::parse(*test).at("test"), true);
}

TEST_F(AlertDeskTest, AResumedAlertIsSentWhateverWasFoundDuringThePause) {
  alerts_[0].at_most = std::chrono::hours(1);
  const auto desk = Open();
  EXPECT_TRUE(desk->Pause("busy", true));
  desk->Deliver(Busy(300));
  EXPECT_TRUE(desk->Pause("busy", false));
  desk->Deliver(Busy(310));
  EXPECT_EQ(told_.size(), 1u);
  desk->Deliver(Busy(320));
  EXPECT_EQ(told_.size(), 1u) << "at_most: the alert of 310 was sent";
}

TEST_F(AlertDeskTest, AnAlertComesChangesAndGoes) {
  alerts_.clear();
  const auto desk = Open();
  EXPECT_EQ(opened_, 0) << "without an alert there is no state";
  desk->Deliver(Busy(300));
  const AlertSpec busy{.name = "busy", .job = "degrees", .where = "score >= 2", .results = 2};
  ASSERT_TRUE(desk->Put(busy, kJob, KeyKind::kString).ok());
  EXPECT_EQ(opened_, 1);
  desk->Deliver(Busy(310));
  EXPECT_TRUE(told_.empty());
  // It knows that the condition has held once: what is not part of the condition may change.
  AlertSpec worded = busy;
  worded.text = "{vertex} is busy";
  worded.to = {"log"};
  ASSERT_TRUE(desk->Put(worded, kJob, KeyKind::kString).ok());
  sinks_.events.clear();
  desk->Deliver(Busy(320));
  EXPECT_EQ(told_.size(), 1u);
  EXPECT_EQ(sinks_.events, (Strings{"result"})) << "the receiver is not named any more";
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("alert busy: a is busy")));
  // Another condition begins with the next result.
  AlertSpec other = busy;
  other.where = "score >= 1";
  ASSERT_TRUE(desk->Put(other, kJob, KeyKind::kString).ok());
  desk->Deliver(Busy(330));
  EXPECT_EQ(told_.size(), 1u);
  desk->Deliver(Busy(340));
  EXPECT_EQ(told_.size(), 4u);
  ASSERT_TRUE(desk->Flush().ok());
  EXPECT_TRUE(desk->Remove("busy"));
  EXPECT_FALSE(desk->Remove("busy"));
  desk->Deliver(Busy(350));
  EXPECT_EQ(told_.size(), 4u);
  EXPECT_TRUE(desk->Statuses().empty());
  ASSERT_TRUE(desk->Flush().ok());
  EXPECT_EQ(testing::Contents(folder_.File("state/alerts/state.json")).find("degrees"),
            std::string::npos)
      << "the state forgets it, too";
}

TEST_F(AlertDeskTest, AWrongAlertChangesNothing) {
  const auto desk = Open();
  const Status wrong =
      desk->Put({.name = "busy", .job = "degrees", .where = "size > 1"}, kJob, KeyKind::kString);
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().message, HasSubstr("there is no member `size`"));
  EXPECT_EQ(desk->Specs(), alerts_);
  desk->Deliver(Busy(300));
  EXPECT_EQ(told_.size(), 1u);
}

TEST_F(AlertDeskTest, FitsAConfigurationThatIsReadAgain) {
  alerts_.push_back({.name = "gone", .job = "degrees"});
  const auto desk = Open();
  EXPECT_TRUE(desk->Pause("busy", true));
  alerts_.pop_back();
  alerts_.push_back({.name = "came", .job = "degrees", .on = AlertOn::kEntered});
  EXPECT_FALSE(desk->Compares("degrees"));
  ASSERT_TRUE(desk->Fit(alerts_, {kJob}, KeyKind::kString).ok());
  EXPECT_EQ(desk->Specs(), alerts_);
  EXPECT_TRUE(desk->Compares("degrees"));
  EXPECT_FALSE(desk->Compares("others"));
  EXPECT_EQ(desk->Find("busy")->state, AlertState::kPaused);
  alerts_[0].text = "busy";
  ASSERT_TRUE(desk->Fit(alerts_, {kJob}, KeyKind::kString).ok());
  EXPECT_EQ(desk->Find("busy")->state, AlertState::kPaused) << "a changed alert stays paused";
  EXPECT_THAT(desk->Fit({{.name = "x", .job = "y"}}, {kJob}, KeyKind::kString).error().message,
              HasSubstr("alert x: there is no job y"));
}

TEST_F(AlertDeskTest, RefusesWhatTheConfigurationWouldRefuse) {
  alerts_[0].where = "size > 1";
  EXPECT_EQ(TryOpen().error().message,
            "alert busy: where: there is no member `size`; there are vertex, rank, score");
  alerts_[0] = {.name = "busy", .job = "gone"};
  EXPECT_EQ(TryOpen().error().message, "alert busy: there is no job gone");
}

}  // namespace
}  // namespace sash
