// Jobs that are added, changed and removed while the scheduler runs.
#include <gtest/gtest.h>

#include <thread>

#include "tests/windows/jobs/stepped_jobs.h"
#include "windows/jobs/job_scheduler.h"

namespace sash {
namespace {

using testing::EndlessJob;
using testing::Job;
using testing::MakeAdvance;
using testing::Star;
using testing::World;
using Snapshots = std::vector<std::uint64_t>;

TEST(RegisteredJobsTest, AJobThatJoinsIsDueFromTheNextAdvanceOn) {
  World world({Job("j")}, true);
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.scheduler.Drain();
  ASSERT_TRUE(world.scheduler.AddJob(Job("k", PageRankParameters())).ok());
  EXPECT_FALSE(world.history.Latest("k").has_value());
  world.scheduler.Submit(MakeAdvance(2));
  world.scheduler.Drain();
  ASSERT_TRUE(world.history.Latest("k").has_value());
  EXPECT_EQ(world.history.Latest("k")->result->provenance.snapshot, SnapshotId{2});
  ASSERT_EQ(world.scheduler.Statuses().size(), 2u);
  EXPECT_EQ(world.scheduler.Statuses()[1].name, "k");
  EXPECT_EQ(world.scheduler.Statuses()[1].kernel, "pagerank");
  ASSERT_EQ(world.sink.reports.back().results.size(), 2u);
  EXPECT_EQ(world.sink.reports.back().results[1]->job, "k") << "in the order of joining";
}

TEST(RegisteredJobsTest, ANameIsTakenOnlyOnce) {
  World world({Job("j")});
  EXPECT_FALSE(world.scheduler.AddJob(Job("j")).ok());
  ASSERT_TRUE(world.scheduler.RemoveJob("j").ok());
  EXPECT_TRUE(world.scheduler.AddJob(Job("j")).ok());
  EXPECT_EQ(world.scheduler.jobs().size(), 1u);
}

TEST(RegisteredJobsTest, WhoLeavesTakesItsResultsAlongAndWhatItWaitedForIsReported) {
  JobSpec queued = Job("gone");
  queued.overrun.queue = 3;
  World world({queued, Job("j")});
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.sink.entered.acquire();  // the run of `gone` on 1 is being delivered
  world.scheduler.Submit(MakeAdvance(2));
  world.scheduler.Submit(MakeAdvance(3));
  ASSERT_TRUE(world.scheduler.RemoveJob("gone").ok());
  EXPECT_FALSE(world.scheduler.Find("gone").has_value());
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.reports.size(), 3u) << "every advance is reported";
  EXPECT_TRUE(world.history.Newest("gone", 10).empty()) << "the result in delivery is dropped too";
  EXPECT_FALSE(world.history.Latest("gone").has_value());
  ASSERT_EQ(world.scheduler.Statuses().size(), 1u);
  EXPECT_FALSE(world.scheduler.RemoveJob("gone").ok());
}

TEST(RegisteredJobsTest, ARunOfAJobThatLeavesEndsAndIsNeitherKeptNorDelivered) {
  World world({EndlessJob("gone"), Job("j")});
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(Star(1));
  while (world.scheduler.Statuses()[0].iteration == 0) std::this_thread::yield();
  ASSERT_TRUE(world.scheduler.RemoveJob("gone").ok());
  ASSERT_TRUE(world.scheduler.AddJob(Job("gone")).ok()) << "another job with this name";
  world.scheduler.Drain();
  ASSERT_EQ(world.sink.reports.size(), 1u);
  ASSERT_EQ(world.sink.reports[0].results.size(), 1u);
  EXPECT_EQ(world.sink.reports[0].results[0]->job, "j");
  EXPECT_TRUE(world.sink.reports[0].cancelled.empty()) << "only missed deadlines are counted";
  EXPECT_FALSE(world.history.Latest("gone").has_value());
  world.scheduler.Submit(MakeAdvance(2));
  world.scheduler.Drain();
  ASSERT_TRUE(world.history.Latest("gone").has_value());
  EXPECT_EQ(world.history.Latest("gone")->result->kernel, "window");
}

TEST(RegisteredJobsTest, AnEngineThatWaitsForRoomIsFreedByTheJobLeaving) {
  JobSpec job = EndlessJob("gone");
  job.overrun.queue = 1;
  World world({job});
  world.sink.stepped = false;
  world.scheduler.Start();
  std::jthread engine([&] {
    for (std::uint64_t i = 1; i <= 5; ++i) world.scheduler.Submit(Star(i));
  });
  while (world.scheduler.Statuses()[0].waiting == 0 ||
         world.scheduler.Statuses()[0].iteration == 0) {
    std::this_thread::yield();
  }
  ASSERT_TRUE(world.scheduler.RemoveJob("gone").ok());
  engine.join();
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.reports.size(), 5u);
  EXPECT_TRUE(world.sink.delivered.empty());
}

TEST(RegisteredJobsTest, APausedJobIsDueOnNothingAndSkipsNothing) {
  World world({Job("j"), Job("k")}, true);
  world.sink.stepped = false;
  world.scheduler.Start();
  ASSERT_TRUE(world.scheduler.PauseJob("j", true).ok());
  EXPECT_TRUE(world.scheduler.Statuses()[0].paused);
  world.scheduler.Submit(MakeAdvance(1));
  world.scheduler.Drain();
  EXPECT_FALSE(world.history.Latest("j").has_value());
  EXPECT_EQ(world.scheduler.Statuses()[0].skipped, 0u);
  ASSERT_TRUE(world.scheduler.PauseJob("j", false).ok());
  world.scheduler.Submit(MakeAdvance(2));
  world.scheduler.Drain();
  EXPECT_EQ(world.history.Newest("j", 10).size(), 1u);
  EXPECT_EQ(world.history.Newest("k", 10).size(), 2u);
  EXPECT_FALSE(world.scheduler.PauseJob("nobody", true).ok());
}

TEST(RegisteredJobsTest, ATriggeredRunComesAtOnceAlsoOfAPausedJobAndBelongsToNoReport) {
  JobSpec seldom = Job("j");
  seldom.every = 100;
  World world({seldom}, true);
  world.scheduler.Start();
  const AdvancePtr advance = MakeAdvance(7);
  world.scheduler.Submit(advance);
  world.scheduler.Drain();
  EXPECT_TRUE(world.sink.reports[0].results.empty()) << "not due";
  ASSERT_TRUE(world.scheduler.PauseJob("j", true).ok());
  const Result<SnapshotId> snapshot = world.scheduler.TriggerJob("j", advance);
  ASSERT_TRUE(snapshot.ok());
  EXPECT_EQ(snapshot.value(), SnapshotId{7});
  world.sink.entered.acquire();
  EXPECT_NE(world.history.Find("j", SnapshotId{7}), nullptr);
  world.sink.proceed.release(10);
  world.scheduler.Stop();
  EXPECT_EQ(world.sink.delivered, Snapshots{7});
  EXPECT_EQ(world.sink.triggered, 1);
  EXPECT_EQ(world.sink.reports.size(), 1u);
  EXPECT_EQ(world.scheduler.Statuses()[0].runs, 1u);
  EXPECT_FALSE(world.scheduler.TriggerJob("nobody", advance).ok());
}

TEST(RegisteredJobsTest, TriggersOfWhatWaitsAlreadyAreOneRunAndNoneGoesBack) {
  World world({Job("j")});
  world.compared = {"j"};
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.sink.entered.acquire();  // 1 is being delivered
  for (const std::uint64_t snapshot : {2, 2, 3, 3}) {
    EXPECT_EQ(world.scheduler.TriggerJob("j", MakeAdvance(snapshot)).value().value, snapshot);
  }
  EXPECT_EQ(world.scheduler.Statuses()[0].waiting, 1u) << "the newest";
  world.scheduler.Submit(MakeAdvance(4));
  EXPECT_EQ(world.scheduler.TriggerJob("j", MakeAdvance(4)).value(), SnapshotId{4});
  EXPECT_EQ(world.scheduler.TriggerJob("j", MakeAdvance(3)).value(), SnapshotId{4})
      << "runs are in the order of the advances";
  world.scheduler.Submit(MakeAdvance(5));  // displaces the due run on 4, not the triggered one
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.delivered, (Snapshots{1, 4, 5}));
  EXPECT_EQ(world.sink.before["j"], (Snapshots{0, 0, 1})) << "a triggered run is not compared";
  EXPECT_EQ(world.sink.triggered, 1);
  EXPECT_EQ(world.scheduler.Statuses()[0].waiting, 0u);
}

TEST(RegisteredJobsTest, ATriggerThatReplacesOneThatWaitsStaysBehindWhatWasDueBeforeIt) {
  JobSpec job = Job("j");
  job.overrun.queue = 3;
  World world({job});
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  world.sink.entered.acquire();  // 1 is being delivered
  EXPECT_TRUE(world.scheduler.TriggerJob("j", MakeAdvance(2)).ok());
  world.scheduler.Submit(MakeAdvance(3));
  EXPECT_TRUE(world.scheduler.TriggerJob("j", MakeAdvance(4)).ok());
  EXPECT_EQ(world.scheduler.Statuses()[0].waiting, 2u);
  world.scheduler.Submit(MakeAdvance(5));
  world.sink.proceed.release(10);
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.delivered, (Snapshots{1, 3, 4, 5}));
  EXPECT_EQ(world.scheduler.Statuses()[0].waiting, 0u);
}

TEST(RegisteredJobsTest, ComingAndGoingAmongAdvancesLosesNoReport) {
  World world({Job("j")});
  world.sink.stepped = false;
  world.scheduler.Start();
  constexpr std::uint64_t kAdvances = 300;
  std::jthread engine([&] {
    for (std::uint64_t i = 1; i <= kAdvances; ++i) world.scheduler.Submit(MakeAdvance(i));
  });
  for (int i = 0; i < 300; ++i) {
    JobSpec job = Job("k", PageRankParameters());
    job.overrun.queue = i % 3;
    ASSERT_TRUE(world.scheduler.AddJob(job).ok());
    (void)world.scheduler.Statuses();
    ASSERT_TRUE(world.scheduler.RemoveJob("k").ok());
  }
  engine.join();
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.reports.size(), kAdvances);
  EXPECT_TRUE(world.history.Newest("k", 1).empty());
}

}  // namespace
}  // namespace sash
