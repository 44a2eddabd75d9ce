#include "windows/jobs/work_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <map>
#include <semaphore>

#include "tests/support/manual_clock.h"
#include "tests/windows/jobs/stepped_jobs.h"
#include "windows/jobs/kept_reason.h"

namespace sash {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using testing::Job;
using testing::MakeAdvance;

JobSpec ExternalJob(const std::string& name = "model") {
  JobSpec job = Job(name, ExternalParameters());
  job.deadline = seconds(20);
  return job;
}

// A desk whose runs take place in threads; every offer is awaited, so nothing depends on time.
class WorkDeskTest : public ::testing::Test {
 protected:
  WorkDeskTest() {
    desk_.KeepBy([this](const AdvancePtr& advance, SteadyTime, const std::stop_token&) {
      return Keep(advance);
    });
    desk_.OnOffered([this] { offered_.release(); });
  }

  Result<HeldSnapshot> Keep(const AdvancePtr& advance) {
    if (!refusal_.empty()) return Error{ErrorCode::kOverloaded, refusal_};
    return HeldSnapshot{"/frozen/w/" + std::to_string(advance->provenance.snapshot.value), held_};
  }

  std::future<ExternalOutcome> Start(const JobSpec& job = ExternalJob()) {
    return std::async(std::launch::async, [this, job] {
      return desk_.Run(
          job, MakeAdvance(7), [this] { return wanted_.load(); }, [this] { ++taken_; },
          stop_.get_token());
    });
  }
  // Starts a run, and takes its work.
  std::pair<std::future<ExternalOutcome>, ExternalWork> StartTaken(
      std::optional<std::chrono::nanoseconds> lease = std::nullopt) {
    auto run = Start();
    offered_.acquire();
    std::optional<ExternalWork> work = desk_.Take("model", lease);
    EXPECT_TRUE(work);
    return {std::move(run), *std::move(work)};
  }
  static void ExpectFailure(std::future<ExternalOutcome> run, RunFault fault,
                            const std::string& why) {
    const ExternalOutcome outcome = run.get();
    EXPECT_FALSE(outcome.answer);
    ASSERT_TRUE(outcome.failure);
    EXPECT_EQ(NameOf(outcome.failure->fault), NameOf(fault));
    EXPECT_THAT(outcome.failure->why, HasSubstr(why));
  }
  std::string WhyNotUnderWay(const ExternalWork& work) {
    const Status given = desk_.Give("model", work.run, {});
    EXPECT_FALSE(given.ok());
    return given.ok() ? "" : given.error().message;
  }

  ManualClock clock_;
  WorkDesk desk_{clock_, "p1"};
  std::counting_semaphore<100> offered_{0};
  std::string refusal_;
  std::shared_ptr<int> held_ = std::make_shared<int>();
  std::atomic<bool> wanted_ = true;
  std::atomic<int> taken_ = 0;
  std::stop_source stop_;
};

TEST_F(WorkDeskTest, TheFirstAnswerEndsTheRunAndLaterOnesGetTheReason) {
  auto [run, work] = StartTaken();
  EXPECT_EQ(work.folder, "/frozen/w/7");
  EXPECT_EQ(work.run, "p1-1");
  EXPECT_EQ(work.left, seconds(20));
  EXPECT_EQ(held_.use_count(), 2) << "the snapshot is held while the run lasts";
  EXPECT_FALSE(desk_.Take("model", std::nullopt)) << "one worker takes the work";
  EXPECT_FALSE(desk_.Take("other", std::nullopt));
  ASSERT_TRUE(desk_.Give("model", work.run, {.scores = {1, 2, 3}}).ok());
  const ExternalOutcome outcome = run.get();
  ASSERT_TRUE(outcome.answer);
  EXPECT_EQ(outcome.answer->scores, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(taken_, 1);
  EXPECT_EQ(held_.use_count(), 1);
  EXPECT_THAT(WhyNotUnderWay(work), HasSubstr("another answer to it came first"));
}

TEST_F(WorkDeskTest, WorkThatNobodyTakesFailsAtTheDeadline) {
  auto run = Start();
  offered_.acquire();
  clock_.Advance(seconds(20));
  EXPECT_FALSE(desk_.Take("model", std::nullopt));
  ExpectFailure(std::move(run), RunFault::kNoWorker,
                "no worker had taken it at the deadline (20 s)");
}

TEST_F(WorkDeskTest, AWorkerThatIsLateFailsTheRun) {
  auto [run, work] = StartTaken();
  clock_.Advance(seconds(20));
  EXPECT_THAT(WhyNotUnderWay(work), HasSubstr("its worker had not answered at the deadline"));
  ExpectFailure(std::move(run), RunFault::kLate, "had not answered at the deadline (20 s)");
}

TEST_F(WorkDeskTest, AWorkerThatStopsRenewingHasDied) {
  auto [run, work] = StartTaken(seconds(3));
  clock_.Advance(seconds(2));
  EXPECT_EQ(desk_.Renew("model", work.run, std::nullopt).value(), seconds(18));
  clock_.Advance(seconds(2));
  EXPECT_TRUE(desk_.Renew("model", work.run, std::nullopt).ok());
  clock_.Advance(seconds(3));
  EXPECT_FALSE(desk_.Take("model", seconds(3))) << "the run has failed";
  ExpectFailure(std::move(run), RunFault::kWorkerDied, "did not renew the lease of 3 s");
  EXPECT_THAT(WhyNotUnderWay(work), HasSubstr("it failed: its worker did not renew"));
}

TEST_F(WorkDeskTest, WorkWhoseLeaseWasNeverRenewedIsTakenByAnotherWorker) {
  auto [run, lost] = StartTaken(seconds(3));
  clock_.Advance(seconds(3));
  const std::optional<ExternalWork> again = desk_.Take("model", seconds(5));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->run, lost.run);
  EXPECT_EQ(again->left, seconds(17));
  EXPECT_TRUE(desk_.Give("model", again->run, {.scores = {0}}).ok());
  EXPECT_TRUE(run.get().answer);
}

TEST_F(WorkDeskTest, ALeaseThatEndedCannotBeRenewed) {
  auto [run, work] = StartTaken(seconds(3));
  clock_.Advance(seconds(3));
  // It makes no difference whether this call, an earlier one or the run itself noticed the end.
  for (int i = 0; i < 3; ++i) {
    const auto renewed = desk_.Renew("model", work.run, std::nullopt);
    EXPECT_FALSE(renewed.ok());
    if (renewed.ok()) break;
    EXPECT_THAT(renewed.error().message, HasSubstr("is offered to another worker"));
  }
  EXPECT_THAT(WhyNotUnderWay(work), HasSubstr("is offered to another worker"));
  stop_.request_stop();
  const ExternalOutcome outcome = run.get();
  EXPECT_FALSE(outcome.answer || outcome.failure) << "a stop cancels";
}

TEST_F(WorkDeskTest, AWaitingWorkerIsToldOfTheEndOfALeaseThatARequestNoticed) {
  const std::map<std::string, std::function<void(const std::string&)>> requests = {
      {"renew", [&](const std::string& run) { (void)desk_.Renew("model", run, std::nullopt); }},
      {"find", [&](const std::string& run) { (void)desk_.Find("model", run); }},
      {"give", [&](const std::string& run) { (void)desk_.Give("model", run, {}); }},
      {"fail", [&](const std::string& run) { (void)desk_.Fail("model", run, {}); }}};
  for (const auto& [name, request] : requests) {
    auto [run, lost] = StartTaken(seconds(10));
    clock_.Advance(seconds(10));  // the run itself would notice it 10 s of real time later
    request(lost.run);
    const bool is_told = offered_.try_acquire_for(seconds(8));
    EXPECT_TRUE(is_told) << name;
    EXPECT_TRUE(desk_.Take("model", std::nullopt)) << name;
    desk_.Cancel("model");
    EXPECT_FALSE(run.get().failure) << name;
    if (!is_told) break;
  }
}

TEST_F(WorkDeskTest, AWorkerMayFailTheRun) {
  auto [run, work] = StartTaken();
  EXPECT_TRUE(desk_.Fail("model", work.run, {RunFault::kWrongAnswer, "4 values for 3"}).ok());
  ExpectFailure(std::move(run), RunFault::kWrongAnswer, "4 values for 3");
}

TEST_F(WorkDeskTest, OfALongReasonTheBeginningIsKept) {
  auto [run, work] = StartTaken();
  std::string why = "x";  // so that the bound is within a character
  while (why.size() < 2 * kMostReasonKept) why += "é";
  EXPECT_TRUE(desk_.Fail("model", work.run, {RunFault::kWorkerFailed, why}).ok());
  const ExternalOutcome outcome = run.get();
  EXPECT_EQ(outcome.failure->why, why.substr(0, kMostReasonKept - 1) + "...");
}

TEST_F(WorkDeskTest, WithoutASnapshotThereIsNoWork) {
  refusal_ = "the folder is full";
  ExpectFailure(Start(), RunFault::kNoSnapshot, "the folder is full");
}

TEST_F(WorkDeskTest, ARunOfARemovedJobIsCancelled) {
  auto run = Start();
  offered_.acquire();
  desk_.Cancel("other");
  desk_.Cancel("model");
  const ExternalOutcome outcome = run.get();
  EXPECT_FALSE(outcome.answer || outcome.failure);
  wanted_ = false;  // removed between the beginning of its run and Cancel()
  EXPECT_FALSE(Start().get().failure);
}

TEST_F(WorkDeskTest, AnIdOfAnotherProcessIsNotUnderWay) {
  auto [run, work] = StartTaken();
  const Status old = desk_.Give("model", "p0-1", {});
  ASSERT_FALSE(old.ok());
  EXPECT_THAT(old.error().message, HasSubstr("run p0-1 is not under way: it is of an earlier"));
  EXPECT_FALSE(desk_.Give("other", work.run, {}).ok()) << "of another job";
  EXPECT_TRUE(desk_.Give("model", work.run, {}).ok());
}

}  // namespace
}  // namespace sash
