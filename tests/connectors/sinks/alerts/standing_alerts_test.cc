// Which alerts stand, against an oracle that looks at the whole history of a job each time.
#include "connectors/sinks/alerts/standing_alerts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "connectors/sinks/alerts/alert_fields.h"
#include "connectors/sinks/alerts/alert_watch.h"
#include "connectors/sinks/json_text.h"
#include "tests/connectors/sinks/alerts/random_results.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using testing::At;
using testing::FinishedRuns;
using testing::List;
using testing::ListOf;
using testing::RandomResults;
using SubjectNames = std::set<std::string>;

// An alert stands if it was told in some result, and has held in each result since.
class StandingOracle {
 public:
  StandingOracle(AlertOn on, std::uint64_t least) : on_(on), least_(least) {}

  void Next(const RunResult& result, SubjectNames told) {
    lists_.push_back(ListOf(result));
    told_.push_back(std::move(told));
  }
  SubjectNames Standing() const { return StandingAt(lists_.size()); }
  SubjectNames Ended() const {
    SubjectNames ended = StandingAt(lists_.size() - 1);
    for (const std::string& subject : Standing()) ended.erase(subject);
    return ended;
  }

 private:
  SubjectNames StandingAt(std::size_t results) const {
    SubjectNames standing;
    for (char c = 'a'; c <= 'f'; ++c) {
      const std::string subject(1, c);
      for (std::size_t i = results; i-- > 0;) {
        if (told_[i].contains(subject)) standing.insert(subject);
        if (standing.contains(subject) || !Holds(i, subject)) break;
      }
    }
    return standing;
  }
  bool Holds(std::size_t i, const std::string& subject) const {
    const bool is_there = lists_[i].contains(subject);
    if (on_ == AlertOn::kLeft) return !is_there;
    if (!is_there || lists_[i].at(subject).count < least_) return false;
    if (on_ != AlertOn::kChanged) return true;
    return i > 0 && lists_[i - 1].contains(subject) &&
           lists_[i - 1].at(subject) != lists_[i].at(subject);
  }

  const AlertOn on_;
  const std::uint64_t least_;
  std::vector<List> lists_;
  std::vector<SubjectNames> told_;
};

AlertWatch MakeWatch(const AlertSpec& spec) {
  const auto fields =
      AlertFields(spec.on, FinishedRuns::Job("degrees", DegreeParameters(), 4), KeyKind::kString);
  Result<AlertWatch> watch = AlertWatch::Make(spec, fields.value());
  EXPECT_TRUE(watch.ok()) << watch.error().message;
  watch.value().FollowEnds();
  return std::move(watch).value();
}

SubjectNames SubjectsOf(const std::vector<AlertMessage>& alerts, bool ended) {
  SubjectNames names;
  for (const AlertMessage& alert : alerts) {
    if (alert.ended.has_value() == ended) names.insert(alert.identity.origin.subject);
  }
  return names;
}

void RunStandingScript(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr AlertOn kOns[] = {AlertOn::kEntered, AlertOn::kLeft, AlertOn::kChanged, AlertOn::kRow};
  const std::uint64_t least = random() % 4;
  AlertSpec spec{.name = "a", .job = "degrees", .on = kOns[random() % 4]};
  const std::string count = spec.on == AlertOn::kLeft ? "score_before" : "score";
  spec.where = count + " >= " + std::to_string(least);
  spec.results = 1 + static_cast<std::uint32_t>(random() % 3);
  spec.at_most = std::chrono::seconds(10 * (random() % 4));
  spec.labels = {{"severity", "page"}};
  RandomResults results(random);
  StandingOracle oracle(spec.on, least);
  std::optional<AlertWatch> watch = MakeWatch(spec);
  for (int i = 0; i < 60; ++i) {
    const CompletedRun run = results.Next();
    AlertFacts facts(run);
    const std::vector<AlertMessage> told = watch->Follow(facts);
    oracle.Next(*run.result, SubjectsOf(told, false));
    ASSERT_EQ(SubjectsOf(told, true), oracle.Ended()) << "seed " << seed << ", result " << i;
    ASSERT_EQ(SubjectsOf(watch->Standing(), false), oracle.Standing()) << "seed " << seed;
    for (const AlertMessage& alert : told) {
      EXPECT_EQ(alert.labels, spec.labels);
      EXPECT_TRUE(!alert.ended || *alert.ended > alert.since);
    }
    if (random() % 4 != 0) continue;
    JsonText state;
    watch->Write(state);
    watch.emplace(MakeWatch(spec));
    ASSERT_TRUE(watch->Read(state.text())) << state.text();
  }
}

TEST(StandingAlertsTest, StandAsLongAsTheWholeHistorySays) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 200});
  for (std::uint64_t seed = seeds.first; seed < seeds.end() && !HasFailure(); ++seed) {
    RunStandingScript(seed);
  }
}

class StandingDegreesTest : public ::testing::Test {
 protected:
  std::vector<AlertMessage> Follow(AlertWatch& watch, std::int64_t end, int neighbours,
                                   const char* window = "w") {
    std::vector<testing::NamedEdge> edges;
    for (int i = 0; i < neighbours; ++i) {
      edges.push_back({"hub", "v" + std::to_string(i), Weight::Integer(1)});
    }
    const auto advance = runs_.MakeAdvance(edges, At(end));
    advance->provenance.window = window;
    const CompletedRun run =
        runs_.Run(FinishedRuns::Job("degrees", DegreeParameters(), 5000), advance);
    AlertFacts facts(run);
    return watch.Follow(facts);
  }

  FinishedRuns runs_;
};

TEST_F(StandingDegreesTest, AtMostAThousandStand) {
  AlertWatch watch = MakeWatch({.name = "a", .job = "degrees"});
  Follow(watch, 300, 900);
  EXPECT_EQ(watch.Standing().size(), 901u);
  const std::vector<AlertMessage> told = Follow(watch, 310, 1200);
  EXPECT_EQ(watch.Standing().size(), StandingAlerts::kMost);
  EXPECT_EQ(SubjectsOf(told, false).size(), AlertTrack::kMostFired);
}

TEST_F(StandingDegreesTest, AnAlertEndsWithAnIdentityOfItsOwnAndAPausedOneSaysNothing) {
  AlertWatch watch = MakeWatch({.name = "a", .job = "degrees", .where = "score > 1"});
  Follow(watch, 300, 2);
  ASSERT_EQ(watch.Standing().size(), 1u);
  const std::vector<AlertMessage> told = Follow(watch, 310, 1);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].identity.origin.alert, "a/end");
  EXPECT_EQ(told[0].identity.origin.subject, "hub");
  EXPECT_EQ(told[0].since, At(300));
  EXPECT_EQ(told[0].ended, At(310));
  Follow(watch, 320, 2);
  watch.Pause(true);
  EXPECT_TRUE(watch.Standing().empty());
  EXPECT_TRUE(Follow(watch, 330, 1).empty());
}

TEST_F(StandingDegreesTest, WhatAJobToldOfAnotherWindowEnds) {
  AlertWatch watch = MakeWatch({.name = "a", .job = "degrees", .where = "score > 1"});
  Follow(watch, 300, 2, "long");
  const std::vector<AlertMessage> told = Follow(watch, 200, 2, "short");
  EXPECT_EQ(SubjectsOf(told, true), SubjectNames{"hub"});
  ASSERT_EQ(watch.Standing().size(), 1u);
  EXPECT_EQ(watch.Standing()[0].identity.origin.window, "short");
}

TEST(StandingAlertsTest, RefusesWhatIsNotAState) {
  StandingAlerts standing;
  for (const char* text : {"", "{}", "[1]", R"([{"key":{},"since":"x","text":"","alert":""}])"}) {
    EXPECT_FALSE(standing.Read(text)) << text;
  }
}

}  // namespace
}  // namespace sash
