// RunQueue by itself: which run begins next when newer runs replace older ones.
#include "windows/jobs/run_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/named_seed.h"
#include "tests/windows/jobs/stepped_jobs.h"

namespace sash {
namespace {

class RunQueueTest : public ::testing::Test {
 protected:
  RegisteredJobPtr Register(const std::string& name) {
    auto job = std::make_shared<RegisteredJob>();
    job->settings = testing::Job(name);
    job->status.name = name;
    return job;
  }
  static QueuedRun Due(const RegisteredJobPtr& job, std::uint64_t snapshot) {
    auto ticket = std::make_shared<AdvanceTicket>();
    ticket->report.advance = testing::MakeAdvance(snapshot);
    return {job, std::move(ticket), nullptr, {}};
  }
  static QueuedRun Triggered(const RegisteredJobPtr& job, std::uint64_t snapshot) {
    return {job, nullptr, testing::MakeAdvance(snapshot), {}};
  }
  static std::string NameOf(const QueuedRun& run) {
    return run.job->status.name + std::to_string(run.on()->provenance.snapshot.value) +
           (run.is_triggered() ? "t" : "");
  }
  static std::string NamesOf(const RunQueue::Runs& runs) {
    std::string names;
    for (const QueuedRun& run : runs) names += NameOf(run) + " ";
    return names;
  }
  // The runs that wait, in the order in which they begin if each ends before the next.
  std::string Begun() {
    std::string names;
    while (const std::optional<QueuedRun> run = queue_.Begin(RunPlace::kHere)) {
      names += NameOf(*run) + " ";
      queue_.End(run->job, {});
    }
    return names;
  }

  RunQueue queue_;
  RegisteredJobPtr a_ = Register("a");
  RegisteredJobPtr b_ = Register("b");
};

TEST_F(RunQueueTest, ARunThatReplacesAnotherHasItsTurn) {
  queue_.Add(Due(a_, 1), {});
  queue_.Add(Due(b_, 1), {});
  EXPECT_EQ(NamesOf(queue_.Replace(Due(a_, 2), {})), "a1 ");
  EXPECT_EQ(NamesOf(queue_.Replace(Due(b_, 2), {})), "b1 ");
  EXPECT_EQ(a_->status.waiting, 1u);
  EXPECT_EQ(Begun(), "a2 b2 ");
}

TEST_F(RunQueueTest, ARunThatReplacesNothingGoesBehindAllOthers) {
  queue_.Add(Due(b_, 1), {});
  EXPECT_EQ(NamesOf(queue_.Replace(Due(a_, 1), {})), "");
  queue_.Add(Triggered(a_, 1), {});
  EXPECT_EQ(Begun(), "b1 a1 a1t ");
}

TEST_F(RunQueueTest, RunsOfAJobKeepTheirOrderInTheTurnsOfTheJob) {
  queue_.Add(Due(a_, 1), {});
  queue_.Add(Due(b_, 1), {});
  queue_.Add(Triggered(a_, 1), {});
  queue_.Add(Triggered(b_, 1), {});
  EXPECT_EQ(NamesOf(queue_.Replace(Due(a_, 2), {})), "a1 ");
  EXPECT_EQ(Begun(), "a1t b1 a2 b1t ");
}

TEST_F(RunQueueTest, SeveralRunsAreReplacedAtOnceAndTheForemostTurnStays) {
  for (const std::uint64_t snapshot : {1, 2, 3}) {
    queue_.Add(Due(a_, snapshot), {});
    queue_.Add(Due(b_, snapshot), {});
  }
  EXPECT_EQ(NamesOf(queue_.Replace(Due(a_, 4), {})), "a1 a2 a3 ");
  EXPECT_EQ(a_->status.waiting, 1u);
  EXPECT_EQ(Begun(), "a4 b1 b2 b3 ");
}

// With any script, a job begins its oldest run first, and waits for at most two runs of each other
// job if every addition replaces.
TEST_F(RunQueueTest, NoJobWaitsForMoreThanTheTurnsOfTheOthers) {
  const testing::NamedSeed seed;
  std::mt19937 random(seed.value());
  std::vector<RegisteredJobPtr> jobs = {a_, b_, Register("c"), Register("d")};
  std::map<std::string, int> overtaken;
  std::map<std::string, std::uint64_t> newest;
  std::optional<QueuedRun> under_way;
  for (std::uint64_t step = 1; step <= 5000; ++step) {
    if (random() % 2 == 0) {
      const RegisteredJobPtr& job = jobs[random() % jobs.size()];
      queue_.Replace(random() % 3 == 0 ? Triggered(job, step) : Due(job, step), {});
      continue;
    }
    if (under_way) queue_.End(under_way->job, {});
    under_way = queue_.Begin(RunPlace::kHere);
    if (!under_way) continue;
    std::uint64_t& last = newest[under_way->job->status.name];
    ASSERT_LT(std::exchange(last, under_way->on()->provenance.snapshot.value),
              under_way->on()->provenance.snapshot.value);
    for (const RegisteredJobPtr& job : jobs) {
      int& times = overtaken[job->status.name];
      times = job == under_way->job || job->status.waiting == 0 ? 0 : times + 1;
      // A job has up to two turns: a due run and a triggered one.
      ASSERT_LE(times, 2 * static_cast<int>(jobs.size() - 1)) << job->status.name;
    }
  }
}

}  // namespace
}  // namespace sash
