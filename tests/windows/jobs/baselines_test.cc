// Jobs with a baseline: what their results are compared with, whatever the order of runs.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/named_seed.h"
#include "tests/windows/jobs/stepped_jobs.h"
#include "windows/jobs/kept_scores.h"
#include "windows/jobs/rounded_score.h"

namespace sash {
namespace {

using testing::MakeAdvance;
using testing::World;

JobSpec OnWindow(const std::string& name, const std::string& window) {
  JobSpec job = testing::Job(name, DegreeParameters{});
  job.window = window;
  return job;
}

JobSpec Compared(const std::string& name, BaselineSpec baseline) {
  JobSpec job = OnWindow(name, "w");
  job.baseline = std::move(baseline);
  return job;
}

AdvancePtr MovedTo(std::int64_t end, const std::string& window) {
  auto advance = std::make_shared<Advance>(*MakeAdvance(static_cast<std::uint64_t>(end), window));
  advance->end = end;
  advance->provenance.window_end = EventTime(std::chrono::seconds(end));
  advance->provenance.vertices = 3;
  return advance;
}

const ResultBaseline& BaselineIn(const World& world, const std::string& job) {
  return *world.history.Latest(job)->result->baseline;
}

TEST(BaselinesTest, ARunWaitsForTheOtherWindowsRunOfTheSameEnd) {
  World world({Compared("short", {.window = "long"}), OnWindow("long", "long")}, false, 2);
  world.scheduler.Start();
  world.scheduler.Submit(MovedTo(10, "w"));
  EXPECT_EQ(world.scheduler.Statuses()[0].waiting, 1u) << "the other window has not moved";
  world.scheduler.Submit(MovedTo(10, "long"));
  world.sink.entered.acquire();  // the run of `long` is being delivered
  EXPECT_EQ(world.scheduler.Statuses()[0].waiting, 1u) << "its run is under way";
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  EXPECT_EQ(BaselineIn(world, "short").job, "long");
  EXPECT_EQ(BaselineIn(world, "short").window_end, EventTime(std::chrono::seconds(10)));
}

TEST(BaselinesTest, AWindowThatDoesNotMoveIsNotWaitedFor) {
  World world({Compared("short", {.window = "long"}), OnWindow("long", "long")});
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(MovedTo(10, "long"));
  world.scheduler.Submit(MovedTo(15, "w"));
  world.scheduler.PassAll("w", 15);
  world.scheduler.Drain();
  EXPECT_EQ(BaselineIn(world, "short").window_end, EventTime(std::chrono::seconds(10)));
  world.scheduler.Submit(MovedTo(20, "w"));
  world.scheduler.Drain();
  EXPECT_EQ(world.history.Latest("short")->advance->end, 15)
      << "a drain leaves a run undone that the other window may still change";
  world.scheduler.Submit(MovedTo(25, "w"));  // so the other one has moved to every end before 25
  world.scheduler.PassAll("w", 25);
  world.scheduler.Drain();
  EXPECT_EQ(world.history.Latest("short")->advance->end, 25);
}

TEST(BaselinesTest, AReplayDoesNotWaitForRunsThatNeedTheNextAdvance) {
  std::vector<JobSpec> jobs = {Compared("short", {.window = "long"}), OnWindow("long", "long")};
  World world(jobs, true);
  world.sink.stepped = false;
  world.scheduler.Start();
  for (std::int64_t end = 1; end <= 40; ++end) {
    world.scheduler.Submit(MovedTo(end, "w"));
    for (int other = 0; other < 8; ++other) world.scheduler.Submit(MovedTo(end, "other"));
    world.scheduler.Submit(MovedTo(end, "long"));
  }
  world.scheduler.Drain();
  EXPECT_EQ(world.scheduler.Statuses()[0].runs, 40u);
  EXPECT_EQ(BaselineIn(world, "short").window_end, EventTime(std::chrono::seconds(40)));
}

TEST(BaselinesTest, TheNextAdvanceOfAWindowFreesAFullQueue) {
  JobSpec job = Compared("short", {.window = "long"});
  job.overrun.queue = 1;
  World world({job, OnWindow("long", "long")});
  world.sink.stepped = false;
  world.scheduler.Start();
  for (std::int64_t end = 1; end <= 9; ++end) world.scheduler.Submit(MovedTo(end, "w"));
  world.scheduler.PassAll("w", 9);
  world.scheduler.Drain();
  EXPECT_EQ(world.scheduler.Statuses()[0].runs, 9u);
  EXPECT_EQ(BaselineIn(world, "short").missing,
            "no result of job 'long' on window 'long' ends at or before this one");
}

TEST(BaselinesTest, AJobThatJoinsLateIsComparedWithResultsFromBefore) {
  World world({OnWindow("long", "long")});
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(MovedTo(10, "long"));
  world.scheduler.Drain();
  ASSERT_TRUE(world.scheduler.AddJob(Compared("short", {.window = "long"})).ok());
  world.scheduler.Submit(MovedTo(12, "w"));
  world.scheduler.PassAll("w", 12);
  world.scheduler.Drain();
  EXPECT_EQ(BaselineIn(world, "short").window_end, EventTime(std::chrono::seconds(10)));
  ASSERT_TRUE(world.scheduler.RemoveJob("long").ok());
  world.scheduler.Submit(MovedTo(14, "w"));
  world.scheduler.PassAll("w", 14);
  world.scheduler.Drain();
  EXPECT_EQ(BaselineIn(world, "short").missing,
            "no job of kernel 'degree' with the same parameters runs on window 'long'");
}

TEST(BaselinesTest, TriggeredRunsArePartOfNoBaseline) {
  JobSpec job = Compared("own", {.results = 3});
  job.overrun.queue = 10;
  World world({job});
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(MovedTo(10, "w"));
  world.scheduler.Drain();
  EXPECT_EQ(BaselineIn(world, "own").missing, "no result of the job before this one is known");
  ASSERT_TRUE(world.scheduler.TriggerJob("own", MovedTo(12, "w")).ok());
  world.scheduler.Submit(MovedTo(20, "w"));
  world.scheduler.Submit(MovedTo(30, "w"));
  world.scheduler.Drain();
  EXPECT_EQ(BaselineIn(world, "own").results, 2u) << "10 and 20";
  EXPECT_EQ(BaselineIn(world, "own").window_end, EventTime(std::chrono::seconds(20)));
}

std::shared_ptr<const ResultScores> ScoresAt(std::int64_t end) {
  auto scores = std::make_shared<ResultScores>();
  scores->job = "long";
  scores->end = end;
  return scores;
}

TEST(KeptScoresTest, KeepsTheNewestAndWhatWaitingRunsNeed) {
  const std::vector<JobSpec> jobs = {OnWindow("long", "long")};
  const JobSpec job = Compared("short", {.window = "long"});
  KeptScores kept;
  EXPECT_TRUE(kept.Keep(ScoresAt(10), {.ends = {15}}).empty());
  EXPECT_TRUE(kept.Keep(ScoresAt(20), {.ends = {15}}).empty());
  EXPECT_EQ(kept.Keep(ScoresAt(30), {.ends = {15}}).size(), 1u) << "20 is not needed";
  EXPECT_EQ(kept.Find(job, 15, jobs).results.at(0)->end, 10);
  EXPECT_EQ(kept.Find(job, 10, jobs).results.at(0)->end, 10) << "at or before";
  EXPECT_EQ(kept.Find(job, 30, jobs).results.at(0)->end, 30);
  EXPECT_TRUE(kept.Find(job, 9, jobs).results.empty());
}

TEST(RanksAmongTest, CountGreaterScoresWhenRounded) {
  const testing::NamedSeed seed;
  std::mt19937 chance(seed.value());
  std::uniform_int_distribution<int> near(-30, 30);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> scores;
    for (int i = 0; i < 200; ++i) {
      const double base = near(chance) / 10.0;
      scores.push_back(base * (1 + near(chance) * 1e-9));  // ties, and almost ties
    }
    scores[17] = std::nan("");
    const std::vector<std::uint64_t> ranks = RanksAmong(scores, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      std::uint64_t greater = 0;
      for (const double other : scores) {
        greater += RoundedScore(other) > RoundedScore(scores[i]) ? 1 : 0;
      }
      ASSERT_EQ(ranks[i], std::isnan(scores[i]) ? 0 : greater + 1) << scores[i];
    }
  }
}

}  // namespace
}  // namespace sash
