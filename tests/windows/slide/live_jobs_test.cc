// Live jobs on a small stream: when they run, on what, and what their results say.
#include "windows/slide/live_jobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/engine_harness.h"
#include "windows/slide/live_advance.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using testing::EngineHarness;
using testing::ScriptRecord;

constexpr std::int64_t kSlideUnit = 1'000'000'000;

std::vector<WindowSpec> OneWindow(bool live) {
  return {{.name = "w", .length = 3 * kSlideUnit, .slide = kSlideUnit, .live = live}};
}

JobSpec LiveDegree(const std::string& name) {
  JobSpec job;
  job.name = name;
  job.window = "w";
  job.parameters = DegreeParameters();
  job.live_every = milliseconds(100);
  return job;
}

ScriptRecord LiveEdgeAt(std::int64_t second, std::int64_t source, std::int64_t target,
                        std::int64_t offset) {
  ScriptRecord record;
  record.time = second * kSlideUnit;
  record.offset = offset;
  record.source = source;
  record.target = target;
  return record;
}

class CountingSink final : public ResultSink {
 public:
  void Deliver(const CompletedRun& run) override { triggered += run.result->triggered ? 1 : 0; }
  void Complete(const AdvanceReport& report) override {
    for (const auto& result : report.results) names.push_back(result->job);
  }
  Status Flush() override { return Ok{}; }

  int triggered = 0;
  std::vector<std::string> names;  // of the jobs in reports
};

class LiveJobsTest : public ::testing::Test {
 protected:
  explicit LiveJobsTest(bool live = true) : harness(OneWindow(live), Late()) {
    JobSpec published = LiveDegree("published");
    published.live_every.reset();
    jobs = {LiveDegree("live"), published};
    history = std::make_unique<ResultHistory>(jobs);
    scheduler =
        std::make_unique<JobScheduler>(jobs, harness.keys, harness.clock, *history, sink, false);
    live_jobs = std::make_unique<LiveJobs>(harness.engine(), *scheduler, harness.clock);
    harness.on_advance = [this](const AdvancePtr& advance) { scheduler->Submit(advance); };
    scheduler->Start();
    harness.Start();
  }

  static TimePolicy Late() {
    TimePolicy policy;
    policy.disorder = Duration(2 * kSlideUnit);
    policy.check_ahead = false;
    return policy;
  }

  // Looks after `passed`, and waits for the runs.
  void LookAfter(milliseconds passed) {
    harness.clock.Advance(passed);
    (void)live_jobs->Look();
    const auto is_busy = [](const JobStatus& job) { return job.running || job.waiting > 0; };
    while (std::ranges::any_of(scheduler->Statuses(), is_busy)) {
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  std::uint64_t Runs() const { return scheduler->Statuses()[0].runs; }
  std::shared_ptr<const RunResult> Newest() const {
    const auto latest = history->Latest("live");
    return latest ? latest->result : nullptr;
  }

  EngineHarness harness;
  CountingSink sink;
  std::vector<JobSpec> jobs;
  std::unique_ptr<ResultHistory> history;
  std::unique_ptr<JobScheduler> scheduler;
  std::unique_ptr<LiveJobs> live_jobs;
};

TEST_F(LiveJobsTest, AResultIsThereBeforeTheWindowIsPublishedAndSaysSo) {
  LookAfter(milliseconds(100));
  EXPECT_EQ(Newest(), nullptr) << "there was no event";
  harness.Feed({LiveEdgeAt(1, 1, 2, 0), LiveEdgeAt(1, 1, 3, 1)});
  EXPECT_TRUE(harness.advances.empty());
  LookAfter(milliseconds(100));
  const auto result = Newest();
  ASSERT_NE(result, nullptr);
  const Provenance& about = result->provenance;
  EXPECT_FALSE(about.is_final());
  ASSERT_EQ(about.cut->size(), 1u);
  EXPECT_EQ(about.cut->begin()->second, 2) << "the offset that is read next";
  EXPECT_EQ(about.edges, 2u);
  EXPECT_EQ(about.vertices, 3u);
  EXPECT_EQ(about.snapshot.value, 0u);
  EXPECT_EQ(about.window_end, EventTime(Duration(2 * kSlideUnit)));
  EXPECT_EQ(about.window_start, EventTime(Duration(-kSlideUnit)));
  EXPECT_TRUE(result->triggered) << "no sink and no gauge takes it";
}

// The window is of two events, of which one has closed with its pane.
TEST(LiveAdvanceTest, ByEventsItSaysTheNumberAndTheTimesOfItsEvents) {
  std::vector<WindowSpec> windows = OneWindow(true);
  windows[0].by = WindowAxis::kEvents;
  windows[0].length = 2;
  windows[0].slide = 1;
  EngineHarness harness(windows, TimePolicy{.check_ahead = false});
  harness.Start();
  harness.Feed({LiveEdgeAt(1, 1, 2, 0), LiveEdgeAt(9, 1, 3, 1), LiveEdgeAt(5, 1, 4, 2)});
  EXPECT_EQ(harness.advances.size(), 2u);
  const auto window = harness.engine().Find("w");
  const Provenance about = LiveAdvance(harness.engine(), *window, harness.clock)->provenance;
  EXPECT_EQ(about.accepted, 3u);
  EXPECT_EQ(about.window_start, EventTime(Duration(5 * kSlideUnit)));
  EXPECT_EQ(about.window_end, EventTime(Duration(9 * kSlideUnit)));
  EXPECT_EQ(about.edges, 2u);
  EXPECT_FALSE(about.is_final());
}

// A reader may have the live window of a cut while the engine publishes windows behind it.
TEST(LiveAdvanceTest, LateRecordsOfTheCutCountAfterTheirSliceHasLeft) {
  EngineHarness harness(OneWindow(true), TimePolicy{.disorder = {}, .check_ahead = false});
  harness.Start();
  harness.Feed({LiveEdgeAt(5, 1, 2, 0), LiveEdgeAt(4, 1, 3, 1), LiveEdgeAt(6, 1, 4, 2)});
  const auto window = harness.engine().Find("w");
  ASSERT_EQ(LiveAdvance(harness.engine(), *window, harness.clock)->provenance.late, 1u);
  harness.Feed({LiveEdgeAt(60, 2, 3, 3)});
  const Provenance about = LiveAdvance(harness.engine(), *window, harness.clock)->provenance;
  EXPECT_EQ(about.late, 1u);
  EXPECT_EQ(about.edges, 2u);
  EXPECT_EQ(about.window_end, EventTime(Duration(7 * kSlideUnit)));
}

TEST_F(LiveJobsTest, ItRunsAsOftenAsItSaysAndOnlyIfTheWindowHasReadMore) {
  harness.Feed({LiveEdgeAt(1, 1, 2, 0)});
  LookAfter(milliseconds(100));
  EXPECT_EQ(Runs(), 1u);
  LookAfter(milliseconds(100));
  EXPECT_EQ(Runs(), 1u) << "nothing was read since";
  harness.Feed({LiveEdgeAt(1, 2, 3, 1)});
  LookAfter(milliseconds(50));
  EXPECT_EQ(Runs(), 1u) << "its time has not come";
  LookAfter(milliseconds(50));
  EXPECT_EQ(Runs(), 2u);
  EXPECT_EQ(Newest()->provenance.edges, 2u);
}

TEST_F(LiveJobsTest, AdvancesAndReportsAreOfPublishedJobsAlone) {
  harness.Feed({LiveEdgeAt(1, 1, 2, 0), LiveEdgeAt(9, 2, 3, 1)});
  harness.End();
  scheduler->Drain();
  EXPECT_FALSE(sink.names.empty()) << "there were advances";
  EXPECT_EQ(Runs(), 0u) << "it is due on no advance";
  LookAfter(milliseconds(100));
  EXPECT_EQ(Runs(), 1u);
  for (const std::string& name : sink.names) EXPECT_EQ(name, "published");
  EXPECT_EQ(sink.triggered, 1);
}

TEST_F(LiveJobsTest, APausedJobRestsAndARemovedOneIsForgotten) {
  harness.Feed({LiveEdgeAt(1, 1, 2, 0)});
  ASSERT_TRUE(scheduler->PauseJob("live", true).ok());
  LookAfter(milliseconds(500));
  EXPECT_EQ(Runs(), 0u);
  ASSERT_TRUE(scheduler->PauseJob("live", false).ok());
  LookAfter(milliseconds(1));
  EXPECT_EQ(Runs(), 1u) << "it was due";
  ASSERT_TRUE(scheduler->RemoveJob("live").ok());
  LookAfter(milliseconds(500));
  EXPECT_EQ(Newest(), nullptr);
}

TEST_F(LiveJobsTest, ItsOwnThreadRunsTheJobsUntilItIsStopped) {
  harness.Feed({LiveEdgeAt(1, 1, 2, 0)});
  live_jobs->Start();
  while (Newest() == nullptr) std::this_thread::sleep_for(milliseconds(1));
  live_jobs->Stop();
  harness.Feed({LiveEdgeAt(1, 2, 3, 1)});
  harness.clock.Advance(milliseconds(500));
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(Newest()->provenance.edges, 1u);
}

class WithoutLiveWindowTest : public LiveJobsTest {
 protected:
  WithoutLiveWindowTest() : LiveJobsTest(false) {}
};

TEST_F(WithoutLiveWindowTest, ThereIsNoResult) {
  harness.Feed({LiveEdgeAt(1, 1, 2, 0)});
  LookAfter(milliseconds(500));
  EXPECT_EQ(Runs(), 0u);
  EXPECT_EQ(LiveAdvance(harness.engine(), *harness.engine().Find("w"), harness.clock), nullptr);
}

}  // namespace
}  // namespace sash
