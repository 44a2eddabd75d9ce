#include "windows/jobs/job_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>

#include "tests/windows/jobs/stepped_jobs.h"
#include "windows/ingest/vertex_lifetimes.h"

namespace sash {
namespace {

using testing::Job;
using testing::MakeAdvance;
using testing::World;

TEST(JobSchedulerTest, SkipLetsTheNewestWindowWinAndNamesWhatWasSkipped) {
  World world({Job("j")});
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.sink.entered.acquire();  // 1 is being delivered
  world.scheduler.Submit(MakeAdvance(2));
  world.scheduler.Submit(MakeAdvance(3));
  world.scheduler.Submit(MakeAdvance(4));
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.delivered, (std::vector<std::uint64_t>{1, 4}));
  ASSERT_EQ(world.sink.reports.size(), 4u) << "every advance is reported once";
  EXPECT_TRUE(world.sink.reports[0].skipped.empty());
  EXPECT_EQ(world.sink.reports[1].skipped, std::vector<std::string>{"j"});
  EXPECT_EQ(world.sink.reports[2].skipped, std::vector<std::string>{"j"});
  EXPECT_EQ(world.scheduler.Statuses()[0].skipped, 2u);
  EXPECT_EQ(world.scheduler.Statuses()[0].runs, 2u);
}

TEST(JobSchedulerTest, AJobThatIsSkippedBehindALongerOneHasItsTurn) {
  World world({Job("long"), Job("short")});
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  for (std::uint64_t snapshot = 2; snapshot <= 7; ++snapshot) {
    world.sink.entered.acquire();  // a run does not end before the next advance is there
    world.scheduler.Submit(MakeAdvance(snapshot));
    world.sink.proceed.release();
  }
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  const std::vector<JobStatus> statuses = world.scheduler.Statuses();
  EXPECT_GE(statuses[0].runs, 3u);
  EXPECT_GE(statuses[1].runs, 3u);
}

TEST(JobSchedulerTest, ARunHasPhasesFromWhenItWasAskedForUntilItWasDelivered) {
  using std::chrono::seconds;
  World world({Job("j")});
  world.scheduler.Start();
  const auto due = [&](std::uint64_t snapshot) {
    auto advance = std::make_shared<Advance>(*MakeAdvance(snapshot));
    advance->due = world.clock.Steady();
    return advance;
  };
  const AdvancePtr first = due(1);
  world.clock.Advance(seconds(7));  // the advance itself
  world.scheduler.Submit(first);
  world.sink.entered.acquire();
  EXPECT_EQ(world.scheduler.Statuses()[0].phase, RunPhase::kDelivering);
  world.scheduler.Submit(due(2));
  world.clock.Advance(seconds(3));
  ASSERT_TRUE(world.scheduler.TriggerJob("j", due(3)).ok());
  world.clock.Advance(seconds(1));
  world.sink.proceed.release();
  world.sink.entered.acquire();  // the run on 2
  JobStatus status = world.scheduler.Statuses()[0];
  EXPECT_EQ(status.last_phases[RunPhase::kWaiting], seconds(0));
  EXPECT_EQ(status.last_phases[RunPhase::kDelivering], seconds(4));
  EXPECT_EQ(status.last_latency_seconds, 7 + 4);
  world.clock.Advance(seconds(2));
  world.sink.proceed.release();
  world.sink.entered.acquire();  // the run on 3, which was triggered
  status = world.scheduler.Statuses()[0];
  EXPECT_EQ(status.last_phases[RunPhase::kWaiting], seconds(4));
  EXPECT_EQ(status.last_phases[RunPhase::kDelivering], seconds(2));
  EXPECT_EQ(status.last_latency_seconds, 6);
  world.sink.proceed.release();
  world.scheduler.Drain();
  world.scheduler.Stop();
  status = world.scheduler.Statuses()[0];
  EXPECT_EQ(status.last_phases[RunPhase::kWaiting], seconds(3));
  EXPECT_EQ(status.last_latency_seconds, 3);
  EXPECT_EQ(status.total_phases[RunPhase::kWaiting], seconds(0 + 4 + 3));
  EXPECT_EQ(status.total_phases[RunPhase::kDelivering], seconds(4 + 2 + 0));
  EXPECT_EQ(status.total_phases.total(), seconds(13))
      << "the clock did not advance while it computed";
}

TEST(JobSchedulerTest, SkippedAdvancesBehindALongRunPinNoViewsAndAreBounded) {
  World world({Job("j")});
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.sink.entered.acquire();  // this run does not end
  std::vector<std::weak_ptr<const CsrGraph>> views;
  VertexLifetimes lives(world.keys);
  constexpr std::uint64_t kAdvances = UnreportedAdvances::kMost + 500;
  for (std::uint64_t i = 2; i <= kAdvances; ++i) {
    auto advance = std::make_shared<Advance>(*MakeAdvance(i));
    advance->ids = lives.Pin();
    views.push_back(std::get<std::shared_ptr<const CsrGraph>>(advance->view));
    world.scheduler.Submit(std::move(advance));
  }
  const auto alive = std::ranges::count_if(views, [](const auto& view) { return !view.expired(); });
  EXPECT_EQ(alive, 1) << "only the view of the waiting run";
  EXPECT_EQ(lives.figures().pins, 1u);
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.delivered, (std::vector<std::uint64_t>{1, kAdvances}));
  EXPECT_EQ(world.scheduler.Statuses()[0].skipped, kAdvances - 2);
  EXPECT_LE(world.sink.reports.size(), UnreportedAdvances::kMost + 1);
  EXPECT_EQ(world.sink.reports.back().advance->provenance.snapshot.value, kAdvances);
}

TEST(JobSchedulerTest, QueueSkipsNothingAndHoldsTheEngineBack) {
  JobSpec job = Job("j");
  job.overrun.queue = 2;
  World world({job});
  world.scheduler.Start();
  std::latch submitted_three(1);
  std::atomic<int> submitted = 0;
  std::jthread engine([&] {
    for (std::uint64_t i = 1; i <= 6; ++i) {
      world.scheduler.Submit(MakeAdvance(i));
      if (++submitted == 3) submitted_three.count_down();
    }
  });
  submitted_three.wait();  // one is being delivered, two wait
  world.sink.entered.acquire();
  EXPECT_LE(world.scheduler.Statuses()[0].waiting, 2u);
  world.sink.proceed.release(10);
  engine.join();
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.delivered, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(JobSchedulerTest, AReplaySkipsNothingWhateverThePolicy) {
  World world({Job("j")}, true);
  world.sink.stepped = false;
  world.scheduler.Start();
  for (std::uint64_t i = 1; i <= 100; ++i) world.scheduler.Submit(MakeAdvance(i));
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.delivered.size(), 100u);
  EXPECT_EQ(world.sink.reports.size(), 100u);
}

TEST(JobSchedulerTest, EveryNthAdvanceAndOtherWindowsAreLeftAlone) {
  JobSpec job = Job("j");
  job.every = 3;
  World world({job}, true);
  world.sink.stepped = false;
  world.scheduler.Start();
  for (std::uint64_t i = 1; i <= 7; ++i) world.scheduler.Submit(MakeAdvance(i));
  world.scheduler.Submit(MakeAdvance(9, "other"));
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.delivered, (std::vector<std::uint64_t>{3, 6}));
  EXPECT_EQ(world.sink.reports.size(), 8u);
}

TEST(JobSchedulerTest, ARunPastItsDeadlineIsCancelledAndPublishesNothing) {
  JobSpec job = Job("j", PageRankParameters{.tolerance = 0, .max_iterations = 1'000'000});
  job.deadline = std::chrono::nanoseconds(-1);  // in the past: no race
  World world({job});
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.scheduler.Drain();
  EXPECT_TRUE(world.sink.delivered.empty());
  ASSERT_EQ(world.sink.reports.size(), 1u);
  EXPECT_EQ(world.sink.reports[0].cancelled, std::vector<std::string>{"j"});
  EXPECT_EQ(world.sink.unfinished, (std::vector<testing::SteppedSink::Unfinished>{{"j", 1, ""}}));
  EXPECT_FALSE(world.history.Latest("j").has_value());
}

std::shared_ptr<Advance> AdvanceOf(std::uint64_t snapshot, const testing::Pairs& pairs) {
  auto advance = testing::AdvanceOfPairs(snapshot, pairs);
  advance->provenance.window_end = EventTime(std::chrono::seconds(snapshot));
  return advance;
}

TEST(JobSchedulerTest, ChangesAreThoseSinceTheJobsResultBeforeWhateverWasSkipped) {
  World world({Job("j", NewEdgesParameters())});
  const auto newest = [&] {
    return std::get<ChangesOutput>(world.history.Latest("j")->result->output);
  };
  world.scheduler.Start();
  world.scheduler.Submit(AdvanceOf(1, {{0, 1}}));
  world.sink.entered.acquire();  // 1 is being delivered
  EXPECT_EQ(newest().pairs, 1u);
  EXPECT_FALSE(newest().since.has_value()) << "the first run has no result to compare with";
  world.scheduler.Submit(AdvanceOf(2, {{0, 1}, {0, 2}}));  // this one will be skipped
  world.scheduler.Submit(AdvanceOf(3, {{0, 2}, {1, 2}}));
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  EXPECT_EQ(newest().since, EventTime(std::chrono::seconds(1)));
  ASSERT_EQ(newest().pairs, 2u);
  EXPECT_EQ(newest().first[0].source, VertexKey("a"));
  EXPECT_EQ(newest().first[0].target, VertexKey("c"));
  EXPECT_EQ(newest().first[1].source, VertexKey("b"));
}

TEST(JobSchedulerTest, WhatALifeBeforePublishedIsWhatTheNextResultsAreComparedWith) {
  JobSpec rare = Job("rare", NewEdgesParameters());
  rare.every = 4;
  JobSpec elsewhere = Job("elsewhere", NewEdgesParameters());
  elsewhere.window = "v";
  World world({Job("fresh", NewEdgesParameters()), rare, Job("shape"), Job("listed"), elsewhere},
              /*lossless=*/true);
  world.sink.stepped = false;
  world.compared = {"listed"};
  EXPECT_EQ(world.scheduler.Compared(),
            (std::map<std::string, std::set<std::uint32_t>>{{"w", {1, 4}}, {"v", {1}}}));
  const auto before = AdvanceOf(6, {{0, 1}});
  before->recalled_for = 1;
  const auto changes = [&](const std::string& job) {
    return std::get<ChangesOutput>(world.history.Latest(job)->result->output);
  };
  world.scheduler.Recall(before);
  world.scheduler.Start();
  world.scheduler.Submit(AdvanceOf(7, {{0, 1}, {0, 2}}));
  world.scheduler.Submit(AdvanceOf(8, {{0, 1}, {0, 2}}));
  world.scheduler.Drain();
  std::vector<std::string> recalled;
  for (const JobSpec& job : world.scheduler.jobs()) {
    if (world.history.Find(job.name, SnapshotId{6}) != nullptr) recalled.push_back(job.name);
  }
  EXPECT_EQ(recalled, (std::vector<std::string>{"fresh", "listed"}))
      << "the previous result of 'rare' is another one, and shapes are not compared";
  EXPECT_EQ(world.sink.delivered, (std::vector<std::uint64_t>{7, 7, 7, 8, 8, 8, 8}))
      << "the sink does not get the recalled runs";
  EXPECT_EQ(world.sink.before["listed"], (std::vector<std::uint64_t>{6, 7}));
  EXPECT_EQ(world.sink.before["shape"], (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(world.sink.reports.size(), 2u) << "the recalled window is not reported";
  EXPECT_EQ(world.sink.triggered, 0);
  EXPECT_FALSE(changes("rare").since.has_value());
  const auto steps = world.history.NewestSteps("fresh", 5);
  ASSERT_FALSE(steps.empty());
  const auto& first = *steps.back().now;
  EXPECT_EQ(first.provenance.snapshot.value, 7u) << "the recalled result is not listed";
  EXPECT_EQ(std::get<ChangesOutput>(first.output).since, EventTime(std::chrono::seconds(6)));
  EXPECT_EQ(std::get<ChangesOutput>(first.output).pairs, 1u);
  EXPECT_EQ(world.scheduler.Statuses()[0].runs, 2u);
  EXPECT_EQ(world.history.Newest("fresh", 9).size(), 3u);
}

TEST(JobSchedulerTest, NewSettingsCountFromTheNextRunAndTheNextAdvance) {
  JobSpec job = Job("j", PageRankParameters{});
  World world({job, Job("other")}, /*lossless=*/true);
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.scheduler.Drain();
  job.parameters = PageRankParameters{.damping = 0.5};
  job.top = 2;
  job.every = 2;
  world.scheduler.ChangeJobs({job});
  world.scheduler.Submit(MakeAdvance(3));  // not due any more
  world.scheduler.Submit(MakeAdvance(4));
  world.scheduler.Drain();
  const auto results = world.history.Newest("j", 10);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(std::get<PageRankParameters>(results[1]->parameters).damping, 0.85);
  EXPECT_EQ(std::get<PageRankOutput>(results[1]->output).top.size(), 3u);
  EXPECT_EQ(std::get<PageRankParameters>(results[0]->parameters).damping, 0.5);
  EXPECT_EQ(std::get<PageRankOutput>(results[0]->output).top.size(), 2u);
  EXPECT_EQ(world.history.Newest("other", 10).size(), 3u);
}

TEST(JobSchedulerTest, QueueThatBecomesSkipLeavesTheNewestOnly) {
  JobSpec job = Job("j");
  job.overrun.queue = 3;
  World world({job});
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.sink.entered.acquire();  // 1 is being delivered
  for (const std::uint64_t snapshot : {2, 3, 4}) world.scheduler.Submit(MakeAdvance(snapshot));
  job.overrun.queue = 0;
  world.scheduler.ChangeJobs({job});
  world.scheduler.Submit(MakeAdvance(5));
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.delivered, (std::vector<std::uint64_t>{1, 5}));
  EXPECT_EQ(world.scheduler.Statuses()[0].skipped, 3u);
}

TEST(JobSchedulerTest, StopFreesAnEngineThatWaits) {
  JobSpec job = Job("j");
  job.overrun.queue = 1;
  World world({job});
  world.scheduler.Start();
  std::jthread engine([&] {
    for (std::uint64_t i = 1; i <= 10; ++i) world.scheduler.Submit(MakeAdvance(i));
  });
  world.sink.entered.acquire();
  world.sink.proceed.release(100);
  world.scheduler.Stop();
  engine.join();
  EXPECT_LE(world.sink.reports.size(), world.sink.delivered.size())
      << "an advance whose run was not added is not reported";
}

TEST(JobSchedulerTest, ARunCancelledByAStopIsNotReportedAndSoNotCommitted) {
  World world({testing::EndlessJob("j")});
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(testing::Star(1));
  while (world.scheduler.Statuses()[0].iteration == 0) std::this_thread::yield();
  world.scheduler.RequestStop();
  world.scheduler.Drain();
  world.scheduler.Stop();
  EXPECT_TRUE(world.sink.delivered.empty());
  EXPECT_TRUE(world.sink.reports.empty());
  EXPECT_EQ(world.scheduler.Statuses()[0].cancelled, 0u) << "only missed deadlines are counted";
}

TEST(JobSchedulerTest, WhenNothingFollowsTheSinkMayDoWhatItPutOffAndThenIsLeftAlone) {
  World world({Job("j")});
  world.sink.stepped = false;
  world.sink.rests = 3;
  world.scheduler.Start();
  EXPECT_FALSE(world.sink.rested.try_acquire_for(2 * JobScheduler::kRest)) << "no job has run yet";
  world.scheduler.Submit(MakeAdvance(1));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(world.sink.rested.try_acquire_for(std::chrono::seconds(20))) << i;
  }
  EXPECT_FALSE(world.sink.rested.try_acquire_for(3 * JobScheduler::kRest)) << "nothing is left";
  world.scheduler.Submit(MakeAdvance(2));
  EXPECT_TRUE(world.sink.rested.try_acquire_for(std::chrono::seconds(20)));
  world.scheduler.Stop();
}

}  // namespace
}  // namespace sash
