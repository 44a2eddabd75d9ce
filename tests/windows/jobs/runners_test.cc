// Several runners: which runs are under way together, and in which order they are reported.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "tests/windows/jobs/stepped_jobs.h"
#include "windows/base/parallel.h"
#include "windows/jobs/past_run.h"
#include "windows/jobs/run_bytes.h"
#include "windows/jobs/thread_share.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::AdvanceOfPairs;
using testing::EndlessJob;
using testing::Job;
using testing::MakeAdvance;
using testing::Star;
using testing::World;
using Snapshots = std::vector<std::uint64_t>;

// Ends when the clock has advanced by two seconds.
JobSpec LongJob(const std::string& name) {
  JobSpec job = EndlessJob(name);
  job.deadline = seconds(1);
  return job;
}

struct TwoRunners : World {
  explicit TwoRunners(std::vector<JobSpec> jobs) : World(std::move(jobs), false, 2) {
    sink.stepped = false;
    scheduler.Start();
  }

  JobStatus Status(std::size_t job) const { return scheduler.Statuses().at(job); }
  void AwaitRunning(std::size_t job) const {
    while (Status(job).iteration == 0 || !Status(job).running) std::this_thread::yield();
  }
  void AwaitRuns(std::size_t job, std::uint64_t runs) const {
    while (Status(job).runs < runs) std::this_thread::yield();
  }
};

CompletedRun PastOf(const World& world, std::uint64_t snapshot) {
  return *RunOnPast(Job("x"), MakeAdvance(snapshot), nullptr, world.keys, world.clock,
                    KernelProgress());
}

TEST(RunnersTest, AResultOnAnEarlierWindowIsDeliveredBetweenOthersAndKeptNowhere) {
  World world({Job("x")});
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(5));
  world.sink.entered.acquire();  // the sink works on the due result
  std::atomic<bool> is_delivered = false;
  std::jthread requester([&] {
    EXPECT_TRUE(world.scheduler.DeliverPast(PastOf(world, 2)));
    is_delivered = true;
  });
  EXPECT_FALSE(is_delivered);
  EXPECT_TRUE(world.sink.past.empty());
  world.sink.proceed.release();
  requester.join();
  world.scheduler.Drain();
  EXPECT_EQ(world.sink.past, (Snapshots{2}));
  EXPECT_EQ(world.sink.delivered, (Snapshots{5}));
  EXPECT_EQ(world.sink.reports.size(), 1u);
  EXPECT_EQ(world.history.Latest("x")->result->provenance.snapshot, SnapshotId{5});
  EXPECT_EQ(world.history.Find("x", SnapshotId{2}), nullptr);
  EXPECT_EQ(world.scheduler.Statuses().at(0).runs, 1u);
}

TEST(RunnersTest, AfterTheStopNoResultOnAnEarlierWindowReachesTheSink) {
  World world({Job("x")});
  world.scheduler.Start();
  world.scheduler.Stop();
  EXPECT_FALSE(world.scheduler.DeliverPast(PastOf(world, 2)));
  EXPECT_TRUE(world.sink.past.empty());
}

TEST(RunnersTest, AShortJobDoesNotWaitForALongOneAndAdvancesAreReportedInOrder) {
  JobSpec rare = LongJob("long");
  rare.every = 2;
  TwoRunners world({rare, Job("short")});
  world.scheduler.Submit(Star(2));
  world.AwaitRunning(0);
  world.AwaitRuns(1, 1);
  world.scheduler.Submit(Star(3));  // only the short job is due
  world.AwaitRuns(1, 2);
  EXPECT_TRUE(world.Status(0).running) << "the long run is still under way";
  EXPECT_NE(world.history.Find("short", SnapshotId{3}), nullptr);
  world.clock.Advance(seconds(2));
  world.scheduler.Drain();
  world.scheduler.Stop();
  EXPECT_EQ(world.sink.delivered, (Snapshots{2, 3}));
  ASSERT_EQ(world.sink.reports.size(), 2u);
  EXPECT_EQ(world.sink.reports[0].advance->provenance.snapshot, SnapshotId{2});
  EXPECT_EQ(world.sink.reports[0].cancelled, std::vector<std::string>{"long"})
      << "complete only when all its runs have ended, although the next one was ready before";
  EXPECT_EQ(world.sink.reports[0].results.size(), 1u);
  EXPECT_EQ(world.sink.reports[1].advance->provenance.snapshot, SnapshotId{3});
}

TEST(RunnersTest, AJobIsNeverUnderWayTwiceAndAReportKeepsTheOrderOfTheJobs) {
  TwoRunners world({LongJob("first"), Job("second")});
  ASSERT_TRUE(world.scheduler.TriggerJob("first", Star(1)).ok());
  world.AwaitRunning(0);
  world.scheduler.Submit(AdvanceOfPairs(2, {}));  // on which even a run of `first` ends at once
  world.AwaitRuns(1, 1);
  EXPECT_EQ(world.Status(0).waiting, 1u) << "behind the run of the same job";
  EXPECT_EQ(world.Status(0).waiting_seconds, 0) << "not for a runner";
  world.clock.Advance(seconds(2));
  world.scheduler.Drain();
  world.scheduler.Stop();
  ASSERT_EQ(world.sink.reports.size(), 1u);
  ASSERT_EQ(world.sink.reports[0].results.size(), 2u);
  EXPECT_EQ(world.sink.reports[0].results[0]->job, "first") << "although it ended last";
  EXPECT_EQ(world.sink.reports[0].results[1]->job, "second");
}

TEST(RunnersTest, WhileTwoRunsAreUnderWayJobsAreRemovedAndTriggeredAndTheRestIsStopped) {
  TwoRunners world({EndlessJob("gone"), EndlessJob("stopped"), Job("short")});
  world.scheduler.Submit(Star(1));
  world.AwaitRunning(0);
  world.AwaitRunning(1);
  EXPECT_EQ(world.Status(2).waiting, 1u) << "both runners are busy";
  ASSERT_TRUE(world.scheduler.TriggerJob("stopped", Star(2)).ok());
  ASSERT_TRUE(world.scheduler.RemoveJob("gone").ok());
  ASSERT_TRUE(world.scheduler.AddJob(Job("gone")).ok());
  world.AwaitRuns(1, 1);  // of `short`: its place is 1 now
  world.scheduler.Submit(AdvanceOfPairs(3, {}));
  world.AwaitRuns(1, 2);
  world.AwaitRuns(2, 1);  // the new job with the old name
  EXPECT_TRUE(world.Status(0).running);
  world.scheduler.RequestStop();
  world.scheduler.Drain();
  world.scheduler.Stop();
  EXPECT_TRUE(world.sink.reports.empty()) << "the first advance is not complete";
  EXPECT_EQ(world.sink.triggered, 0);
  EXPECT_EQ(world.history.Latest("gone")->result->kernel, "window");
  EXPECT_EQ(world.history.Newest("stopped", 9).size(), 0u);
}

TEST(RunnersTest, TheTimeThatAJobWaitsForARunnerIsSeenAlsoWhileItsAdvancesAreDisplaced) {
  World world({EndlessJob("long"), Job("starving")});
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(Star(1));
  while (world.scheduler.Statuses()[0].iteration == 0) std::this_thread::yield();
  world.clock.Advance(seconds(3));
  EXPECT_EQ(world.scheduler.Statuses()[1].waiting_seconds, 3);
  world.scheduler.Submit(Star(2));
  world.clock.Advance(seconds(2));
  EXPECT_EQ(world.scheduler.Statuses()[1].skipped, 1u);
  EXPECT_EQ(world.scheduler.Statuses()[1].waiting_seconds, 5);
  EXPECT_EQ(world.scheduler.Statuses()[0].waiting_seconds, 0) << "it runs";
  ASSERT_TRUE(world.scheduler.RemoveJob("long").ok());
  world.scheduler.Drain();
  EXPECT_EQ(world.scheduler.Statuses()[0].waiting_seconds, 0);
}

TEST(RunnersTest, MemoryIsReservedForAsManyRunsAsMayBegin) {
  EXPECT_EQ(SumOfGreatest({3, 9, 4}, 2), 13u);
  EXPECT_EQ(SumOfGreatest({3, 9, 4}, 7), 16u);
  EXPECT_EQ(SumOfGreatest({3, 9, 4}, 0), 0u);
  TwoRunners world({EndlessJob("a"), EndlessJob("b"), Job("c", TrianglesParameters())});
  const auto bytes = [&](const JobParameters& parameters) { return RunBytes(parameters, 0, 3); };
  const std::uint64_t rank = bytes(EndlessJob("a").parameters);
  const std::uint64_t count = bytes(TrianglesParameters());
  world.scheduler.Submit(AdvanceOfPairs(1, {}));
  world.scheduler.Drain();
  EXPECT_EQ(world.scheduler.reserved_bytes(), rank + std::max(rank, count));
  ASSERT_TRUE(world.scheduler.TriggerJob("a", Star(2)).ok());
  world.AwaitRunning(0);
  EXPECT_EQ(world.scheduler.reserved_bytes(), std::max(rank, count)) << "one more may begin";
  ASSERT_TRUE(world.scheduler.TriggerJob("b", Star(2)).ok());
  world.AwaitRunning(1);
  EXPECT_EQ(world.scheduler.reserved_bytes(), 0u);
}

TEST(RunnersTest, RunsShareTheCoresThatIngestLeaves) {
  ThreadShare alone(1, 8);
  {
    const ThreadShare::Computing run(alone);
    EXPECT_EQ(most_threads, nullptr) << "one runner: each job has the threads that it asks for";
  }
  ThreadShare share(3, 8);
  {
    const ThreadShare::Computing run(share);
    EXPECT_EQ(share.threads(), 7);
    std::jthread([&] {
      const ThreadShare::Computing second(share);
      EXPECT_EQ(share.threads(), 3);
      std::jthread([&] {
        const ThreadShare::Computing third(share);
        EXPECT_EQ(share.threads(), 2);
        EXPECT_LE(ThreadCount(64), 2);
      }).join();
      EXPECT_LE(ThreadCount(2), 2) << "a job's own number is an upper bound";
    }).join();
    EXPECT_EQ(share.threads(), 7);
    EXPECT_LE(ThreadCount(64), 7);
  }
  EXPECT_EQ(most_threads, nullptr);
  ThreadShare few(4, 2);
  const ThreadShare::Computing first(few);
  EXPECT_EQ(few.threads(), 1);
}

// Fails when it is called by two threads at once.
class LonelySink final : public ResultSink {
 public:
  void Deliver(const CompletedRun& run) override {
    const Call call(*this);
    const RunResult& result = *run.result;
    const std::uint64_t snapshot = result.provenance.snapshot.value;
    EXPECT_LE(newest_[result.job], snapshot) << result.job;
    newest_[result.job] = snapshot;
    if (!result.triggered) ++due_results_;
  }
  void Complete(const AdvanceReport& report) override {
    const Call call(*this);
    EXPECT_LT(reported_, report.advance->provenance.snapshot.value);
    reported_ = report.advance->provenance.snapshot.value;
    ++reports;
    reported_results += report.results.size();
    EXPECT_GE(due_results_, reported_results) << "a result is delivered before it is reported";
  }
  Status Flush() override { return Ok{}; }
  bool Rest() override {
    const Call call(*this);
    return false;
  }

  std::size_t reports = 0;  // read after Stop()
  std::size_t reported_results = 0;

 private:
  struct Call {
    explicit Call(LonelySink& of) : sink(of) { EXPECT_FALSE(sink.busy_.exchange(true)); }
    ~Call() { sink.busy_ = false; }
    LonelySink& sink;
  };

  std::atomic<bool> busy_ = false;
  std::map<std::string, std::uint64_t> newest_;
  std::uint64_t reported_ = 0;
  std::size_t due_results_ = 0;
};

TEST(RunnersTest, WhateverComesAndGoesAdvancesAreReportedOnceAndInOrder) {
  constexpr std::uint32_t kAdvances = 300;
  std::vector<JobSpec> jobs = {Job("shape"), Job("triangles", TrianglesParameters()),
                               Job("new", NewEdgesParameters()),
                               Job("ranks", PageRankParameters{.warm_start = true})};
  jobs[1].overrun.queue = 2;
  jobs[2].every = 3;
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"a", "b", "c"}) VertexDictionary::Writer(keys).Intern(key);
  const SystemClock clock;
  ResultHistory history(jobs);
  LonelySink sink;
  JobScheduler scheduler(
      jobs, keys, clock, history, sink, false,
      [](const std::string& job, const JobParameters&) { return job == "triangles"; }, 3);
  scheduler.Start();
  std::jthread engine([&] {
    for (std::uint32_t i = 1; i <= kAdvances; ++i) {
      scheduler.Submit(AdvanceOfPairs(i, {{0, 1}, {i % 3, (i + 1) % 3}}));
    }
  });
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    const std::string name = "guest" + std::to_string(random() % 2);
    if (random() % 2 == 0) {
      (void)scheduler.AddJob(Job(name, PageRankParameters())).ok();
    } else {
      (void)scheduler.RemoveJob(name).ok();
    }
    if (const auto newest = history.Latest("shape")) {
      (void)scheduler.TriggerJob("ranks", newest->advance).ok();
    }
    jobs[1].overrun.queue = 1 + random() % 3;
    scheduler.ChangeJobs({jobs[1]});
    (void)scheduler.reserved_bytes();
    (void)scheduler.Statuses();
  }
  engine.join();
  scheduler.Drain();
  scheduler.Stop();
  EXPECT_EQ(sink.reports, kAdvances);
  EXPECT_GE(sink.reported_results, kAdvances) << "`triangles` skips nothing";
}

}  // namespace
}  // namespace sash
