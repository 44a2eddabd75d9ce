// Why a job has no result of the newest advance: every reason, with a real engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "daemon/http/job_wait.h"
#include "tests/daemon/http/watched_stream.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

JobSpec Shape(std::string name) {
  JobSpec job;
  job.name = std::move(name);
  job.window = "w";
  job.parameters = ShapeParameters();
  return job;
}

std::string StateOf(const Json& why, const std::string& job) {
  for (const Json& each : why.at("jobs")) {
    if (each.at("name") == job) return each.at("state");
  }
  return "none";
}

// Waits until the job's status says so: &JobStatus::running, for example.
void AwaitFirstJob(const WatchedStream& stream, bool JobStatus::*state) {
  while (!(stream.scheduler.Statuses()[0].*state)) std::this_thread::yield();
}

TEST(WhyRouteTest, JobsSayWhyTheyHaveNoResultOfTheNewestAdvance) {
  JobSpec seldom = Shape("seldom");
  seldom.every =
      4;  // 2026 begins at a multiple of 4 times 10 s, and the first advance ends at 10 s
  JobSpec live = Shape("live");
  live.live_every = std::chrono::seconds(1);
  WatchedStream stream(
      WatchedStream::Tumbling(1, {Shape("always"), seldom, Shape("paused"), live}));
  stream.engine.Start();
  EXPECT_EQ(StateOf(stream.Why(), "live"), "live") << "it waits for no advance";
  EXPECT_EQ(StateOf(stream.Why(), "always"), "waits_for_window");
  ASSERT_TRUE(stream.scheduler.PauseJob("paused", true));
  stream.Add(0, 1);
  stream.Add(0, 12);
  stream.Process();
  stream.scheduler.Drain();
  const Json why = stream.Why();
  EXPECT_EQ(StateOf(why, "always"), "up_to_date");
  EXPECT_EQ(StateOf(why, "seldom"), "not_due");
  EXPECT_EQ(StateOf(why, "live"), "live");
  EXPECT_THAT(why.at("jobs")[1].at("summary").get<std::string>(), HasSubstr("the next one in 3"));
  EXPECT_EQ(StateOf(why, "paused"), "paused");
  EXPECT_EQ(why.at("jobs")[0].at("snapshot"), 1);
  EXPECT_TRUE(why.at("jobs")[2].at("snapshot").is_null());
  ASSERT_TRUE(stream.scheduler.PauseJob("paused", false));
  ASSERT_TRUE(stream.scheduler.AddJob(Shape("new")));
  EXPECT_EQ(StateOf(stream.Why(), "paused"), "joined");
  EXPECT_EQ(StateOf(stream.Why(), "new"), "joined");
}

TEST(WhyRouteTest, AJobThatIsBusyRunsWaitsOrHoldsTheStream) {
  JobSpec queued = Shape("queued");
  queued.overrun.queue = 1;
  WatchedStream stream(WatchedStream::Tumbling(1, {queued}));
  stream.engine.Start();
  stream.HoldRuns(true);
  stream.Add(0, 1);
  stream.Add(0, 13);
  stream.Process();
  AwaitFirstJob(stream, &JobStatus::running);
  EXPECT_EQ(StateOf(stream.Why(), "queued"), "running");
  stream.Add(0, 23);
  stream.Process();  // the queue has room
  stream.Add(0, 33);
  std::thread feed([&] { stream.Process(); });
  AwaitFirstJob(stream, &JobStatus::holds);
  const Json why = stream.Why();
  ExpectReason(why, "job_queue", "the stream waits for job 'queued', which has 1 advance waiting");
  EXPECT_EQ(why.at("snapshot"), 3) << "advance 3 is published; its job blocks the next one";
  stream.HoldRuns(false);
  feed.join();
  stream.scheduler.Drain();
  EXPECT_EQ(StateOf(stream.Why(), "queued"), "up_to_date");
  EXPECT_EQ(stream.Why().at("reason"), "events");
}

TEST(WhyRouteTest, AJobThatWaitsForOthersForLongerThanASlideStarves) {
  WatchedStream stream(WatchedStream::Tumbling(1, {Shape("long"), Shape("short")}));
  stream.engine.Start();
  stream.HoldRuns(true);
  stream.Add(0, 1);
  stream.Add(0, 13);
  stream.Process();
  AwaitFirstJob(stream, &JobStatus::running);
  stream.Pass(std::chrono::seconds(10));
  EXPECT_EQ(StateOf(stream.Why(), "short"), "waiting");
  stream.Pass(std::chrono::seconds(1));
  EXPECT_EQ(StateOf(stream.Why(), "short"), "starving");
  EXPECT_THAT(stream.Why().at("jobs")[1].at("summary").get<std::string>(),
              HasSubstr("Job 'short' has waited for other jobs for 11.0 s, which is longer than "
                        "10.0 s: more `runners`"));
  EXPECT_EQ(StateOf(stream.Why(), "long"), "running");
  stream.HoldRuns(false);
  stream.scheduler.Drain();
}

TEST(WhyRouteTest, AWaitOfLessThanASecondHasTheDigitsThatMatter) {
  JobSpec live = Shape("live");
  live.live_every = std::chrono::milliseconds(50);
  JobStatus status;
  status.waiting = 1;
  status.waiting_seconds = 0.0625;
  const JobWait wait = ExplainJob(status, live, {}, nullptr, nullptr);
  EXPECT_EQ(wait.state, "starving");
  EXPECT_THAT(wait.summary, HasSubstr("for 0.062 s, which is longer than 0.05 s"));
}

TEST(WhyRouteTest, AJobThatHasSkippedAdvancesOrMissedItsDeadlineSaysSo) {
  JobSpec hurried = Shape("hurried");
  hurried.parameters = PageRankParameters();
  hurried.deadline = std::chrono::nanoseconds(-1);  // expired at the start
  WatchedStream stream(WatchedStream::Tumbling(1, {Shape("slow"), hurried}));
  stream.engine.Start();
  stream.HoldRuns(true);
  stream.Add(0, 1);
  stream.Add(0, 13);
  stream.Process();
  AwaitFirstJob(stream, &JobStatus::running);
  stream.Add(0, 23);
  stream.Process();
  stream.Add(0, 33);  // displaces the previous advance
  stream.Process();
  const Json slow = stream.Why().at("jobs")[0];
  EXPECT_EQ(slow.at("skipped"), 1);
  EXPECT_THAT(
      slow.at("summary").get<std::string>(),
      HasSubstr("skipped advances so far: 1, most recently that of 2026-01-01T00:00:20.000Z"));
  stream.HoldRuns(false);
  stream.scheduler.Drain();
  EXPECT_EQ(StateOf(stream.Why(), "slow"), "up_to_date");
  EXPECT_EQ(StateOf(stream.Why(), "hurried"), "cancelled");
}

}  // namespace
}  // namespace sash
