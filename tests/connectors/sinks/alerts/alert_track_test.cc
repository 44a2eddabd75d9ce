// AlertTrack against an oracle that looks at the whole history of a job each time.
#include "connectors/sinks/alerts/alert_track.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "connectors/sinks/alerts/alert_fields.h"
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
using Subjects = std::vector<std::string>;

class Oracle {
 public:
  Oracle(const AlertSpec& spec, std::uint64_t least) : spec_(spec), least_(least) {}

  // The subjects that an alert is due for, sorted.
  Subjects Next(const RunResult& result) {
    lists_.push_back(ListOf(result));
    const EventTime now = result.provenance.window_end;
    Subjects due;
    for (char c = 'a'; c <= 'f'; ++c) {
      const std::string subject(1, c);
      if (!IsDue(subject)) continue;
      const auto last = sent_.find(subject);
      if (spec_.at_most > Duration::zero() && last != sent_.end() &&
          now - last->second < spec_.at_most) {
        continue;
      }
      sent_[subject] = now;
      due.push_back(subject);
    }
    return due;
  }

 private:
  bool IsDue(const std::string& subject) const {
    const std::size_t n = spec_.results;
    if (lists_.size() < n) return false;
    const std::size_t first = lists_.size() - n;
    const auto in_all = [&](const auto& holds) {
      for (std::size_t i = first; i < lists_.size(); ++i) {
        if (!holds(i)) return false;
      }
      return true;
    };
    const auto holds_at = [&](std::size_t i) {
      return Has(i, subject) && lists_[i].at(subject).count >= least_;
    };
    switch (spec_.on) {
      case AlertOn::kEntered:
        return first > 0 && !Has(first - 1, subject) && in_all(holds_at);
      case AlertOn::kLeft:
        return first > 0 && Has(first - 1, subject) &&
               lists_[first - 1].at(subject).count >= least_ &&
               in_all([&](std::size_t i) { return !Has(i, subject); });
      case AlertOn::kChanged:
        return first > 0 && in_all([&](std::size_t i) {
                 return holds_at(i) && Has(i - 1, subject) &&
                        lists_[i].at(subject) != lists_[i - 1].at(subject);
               });
      default:
        return in_all(holds_at);
    }
  }
  bool Has(std::size_t i, const std::string& subject) const { return lists_[i].contains(subject); }

  const AlertSpec spec_;
  const std::uint64_t least_;
  std::vector<List> lists_;
  std::map<std::string, EventTime> sent_;
};

AlertTrack Reread(const AlertTrack& track, const AlertSpec& spec) {
  JsonText state;
  state.BeginObject();
  track.Write(state);
  state.EndObject();
  AlertTrack again(spec);
  EXPECT_TRUE(again.Read(state.text())) << state.text();
  return again;
}

void RunScript(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr AlertOn kOns[] = {AlertOn::kEntered, AlertOn::kLeft, AlertOn::kChanged, AlertOn::kRow};
  const std::uint64_t least = random() % 4;
  AlertSpec spec{.name = "a", .job = "degrees", .on = kOns[random() % 4]};
  const std::string count = spec.on == AlertOn::kLeft ? "score_before" : "score";
  spec.where = count + " >= " + std::to_string(least);
  spec.results = 1 + static_cast<std::uint32_t>(random() % 3);
  spec.at_most = std::chrono::seconds(10 * (random() % 4));
  const auto fields =
      AlertFields(spec.on, FinishedRuns::Job("degrees", DegreeParameters(), 4), KeyKind::kString);
  ASSERT_TRUE(fields.ok());
  auto condition = AlertCondition::Parse(spec.where, fields.value());
  ASSERT_TRUE(condition.ok()) << condition.error().message;

  RandomResults results(random);
  Oracle oracle(spec, least);
  AlertTrack track(spec);
  for (int i = 0; i < 60; ++i) {
    const CompletedRun run = results.Next();
    AlertFacts facts(run);
    Subjects told;
    for (const FiredAlert& fired : track.Follow(facts, condition.value())) {
      told.push_back(fired.row.subject);
    }
    std::ranges::sort(told);
    ASSERT_EQ(told, oracle.Next(*run.result)) << "seed " << seed << ", result " << i << ", on "
                                              << NameOf(spec.on) << ", for " << spec.results;
    ASSERT_TRUE(track.Follow(facts, condition.value()).empty()) << "it came again";
    if (random() % 4 == 0) track = Reread(track, spec);
  }
  EXPECT_EQ(condition.value().failures(), 0u);
}

TEST(AlertTrackTest, FiresWhatTheWholeHistorySays) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 200});
  for (std::uint64_t seed = seeds.first; seed < seeds.end() && !HasFailure(); ++seed) {
    RunScript(seed);
  }
}

TEST(AlertTrackTest, OneResultFiresAtMostAThousand) {
  std::vector<testing::NamedEdge> edges;
  for (int i = 0; i < 1200; ++i) {
    edges.push_back({"hub", "v" + std::to_string(i), Weight::Integer(1)});
  }
  FinishedRuns runs;
  const AlertSpec spec{.name = "a", .job = "d", .at_most = std::chrono::hours(1)};
  AlertTrack track(spec);
  auto condition = AlertCondition::Parse("", {});
  const auto follow = [&](std::int64_t end) {
    const CompletedRun run = runs.Run(FinishedRuns::Job("d", DegreeParameters(), 5000),
                                      runs.MakeAdvance(edges, At(end)));
    AlertFacts facts(run);
    return track.Follow(facts, condition.value()).size();
  };
  EXPECT_EQ(follow(300), AlertTrack::kMostFired);
  EXPECT_EQ(track.left_out(), 201u);
  EXPECT_EQ(follow(310), 201u) << "what was left out is not held back: it was not told";
}

TEST(AlertTrackTest, AnAlertThatIsNotSentHoldsBackNoLaterOne) {
  FinishedRuns runs;
  AlertTrack track({.name = "a", .job = "d", .at_most = std::chrono::hours(1)});
  auto condition = AlertCondition::Parse("", {});
  const auto follow = [&](std::int64_t end, bool are_sent) {
    const CompletedRun run = runs.Run(FinishedRuns::Job("d", DegreeParameters()),
                                      runs.MakeAdvance({{"a", "b", {}}}, At(end)));
    AlertFacts facts(run);
    return track.Follow(facts, condition.value(), are_sent).size();
  };
  EXPECT_EQ(follow(300, false), 2u);
  EXPECT_EQ(follow(310, true), 2u);
  EXPECT_EQ(follow(320, true), 0u) << "the alerts of 310 were sent";
  EXPECT_EQ(track.suppressed(), 2u);
}

TEST(AlertTrackTest, AJobOnAnotherWindowBeginsAgain) {
  FinishedRuns runs;
  AlertTrack track({.name = "a", .job = "d", .results = 2});
  auto condition = AlertCondition::Parse("", {});
  const auto follow = [&](const char* window, std::int64_t end) {
    const auto advance = runs.MakeAdvance({{"a", "b", {}}}, At(end));
    advance->provenance.window = window;
    const CompletedRun run = runs.Run(FinishedRuns::Job("d", DegreeParameters()), advance);
    AlertFacts facts(run);
    return track.Follow(facts, condition.value()).size();
  };
  EXPECT_EQ(follow("long", 300), 0u);
  EXPECT_EQ(follow("short", 200), 0u) << "the first result on this window";
  EXPECT_EQ(follow("short", 210), 2u);
  EXPECT_EQ(follow("short", 210), 0u) << "it has been seen";
}

TEST(AlertTrackTest, RefusesWhatIsNotAState) {
  AlertTrack track({.name = "a"});
  for (const char* text : {"", "[]", "{}", R"({"newest":"x","holding":[],"sent":[]})",
                           R"({"holding":[{"subject":"a"}],"sent":[]})",
                           R"({"holding":[],"sent":[{"subject":"a","window_end":"soon"}]})"}) {
    EXPECT_FALSE(track.Read(text)) << text;
  }
  JsonText state;
  state.BeginObject();
  track.Write(state);
  EXPECT_EQ(state.text(), R"({"holding":[],"sent":[])");
}

}  // namespace
}  // namespace sash
