// External jobs: what a worker's answer becomes, and what the scheduler does meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <semaphore>
#include <thread>

#include "tests/windows/jobs/stepped_jobs.h"
#include "windows/jobs/external_answer.h"
#include "windows/jobs/run_job.h"
#include "windows/jobs/work_desk.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Job;
using testing::MakeAdvance;
using testing::World;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Ids in another order than their keys: 0 is "c", 1 "a", 2 "b".
class ExternalRunTest : public ::testing::Test {
 protected:
  ExternalRunTest() {
    VertexDictionary::Writer writer(keys_);
    for (const char* key : {"c", "a", "b", "not in the window"}) writer.Intern(key);
  }
  static AdvancePtr AdvanceOfThree() {
    auto advance = std::make_shared<Advance>(*MakeAdvance(1));
    advance->provenance.vertices = 3;
    return advance;
  }
  CompletedRun Run(ExternalAnswers returns, const ExternalAnswer& answer) const {
    JobSpec job = Job("model", ExternalParameters{returns});
    return *RunJob(job, advance_, keys_, clock_, {}, nullptr, false,
                   [&](const KernelProgress&) { return answer; });
  }
  template <typename Values>
  std::string Why(const Values& values) const {
    const auto answer = AnswerOf(values, *advance_, keys_);
    EXPECT_FALSE(answer.ok());
    return answer.ok() ? "" : answer.error().message;
  }

  VertexDictionary keys_{KeyKind::kString};
  ManualClock clock_;
  AdvancePtr advance_ = AdvanceOfThree();
};

TEST_F(ExternalRunTest, ScoresByPlaceAreThoseOfTheKeysInOrder) {
  const auto answer = AnswerOf(std::vector<double>{1, 3, kNone}, *advance_);
  ASSERT_TRUE(answer.ok());
  const CompletedRun run = Run(ExternalAnswers::kScores, answer.value());
  EXPECT_EQ(run.result->kernel, "external");
  const auto& output = std::get<ScoreOutput>(run.result->output);
  ASSERT_EQ(output.top.size(), 2u);
  EXPECT_EQ(output.top[0].key, VertexKey("b"));
  EXPECT_EQ(output.top[0].score, 3);
  EXPECT_EQ(output.top[1].key, VertexKey("a"));
  EXPECT_EQ(output.scored, 2u);
  EXPECT_TRUE(std::isnan(run.whole->scores[0]));
  EXPECT_EQ(run.whole->scores[1], 1);
}

TEST_F(ExternalRunTest, ScoresByKeyAreTheSame) {
  const auto answer =
      AnswerOf(std::vector<KeyedValue<double>>{{"b", 3}, {"a", 1}, {"c", kNone}}, *advance_, keys_);
  ASSERT_TRUE(answer.ok());
  const CompletedRun run = Run(ExternalAnswers::kScores, answer.value());
  const auto& output = std::get<ScoreOutput>(run.result->output);
  ASSERT_EQ(output.top.size(), 2u);
  EXPECT_EQ(output.top[0].key, VertexKey("b"));
}

TEST_F(ExternalRunTest, SetsAreNamedByTheirLeastKeyInBothForms) {
  const auto by_place = AnswerOf(std::vector<std::uint32_t>{2, 0, 2}, *advance_);  // {a, c}, {b}
  const auto by_key = AnswerOf(std::vector<KeyedValue<std::uint32_t>>{{"c", 1}, {"b", 2}, {"a", 1}},
                               *advance_, keys_);
  ASSERT_TRUE(by_place.ok() && by_key.ok());
  for (const ExternalAnswer& answer : {by_place.value(), by_key.value()}) {
    const CompletedRun run = Run(ExternalAnswers::kSets, answer);
    const auto& output = std::get<GroupsOutput>(run.result->output);
    EXPECT_EQ(output.groups, 2u);
    ASSERT_EQ(output.top.size(), 2u);
    EXPECT_EQ(output.top[0].key, VertexKey("a"));
    EXPECT_EQ(output.top[0].count, 2u);
    EXPECT_EQ(output.top[1].key, VertexKey("b"));
    EXPECT_THAT(run.whole->groups, ElementsAre(1, 1, 2));
  }
}

TEST_F(ExternalRunTest, RowsAreOrderedByScoreAndThenByKeysInBothForms) {
  // By place: a, b, c.
  const auto by_place = AnswerOf(
      ExternalRows{.pairs = {{2, 0}, {0, 1}, {1, 1}, {0, 2}}, .scores = {0.5, 0.5, 2, 0.5}},
      *advance_);
  const auto by_key =
      AnswerOf(std::vector<PairedKeys>{{"c", "a"}, {"a", "b"}, {"b", "b"}, {"a", "c"}},
               {0.5, 0.5, 2, 0.5}, *advance_, keys_);
  ASSERT_TRUE(by_place.ok() && by_key.ok());
  for (const ExternalAnswer& answer : {by_place.value(), by_key.value()}) {
    const CompletedRun run = Run(ExternalAnswers::kRows, answer);
    const auto& output = std::get<ChangesOutput>(run.result->output);
    EXPECT_EQ(output.pairs, 4u);
    std::string text;
    for (const PairOfVertices& pair : output.first) {
      text += std::get<std::string>(pair.source) + std::get<std::string>(pair.target) + " ";
    }
    EXPECT_EQ(text, "bb ab ac ca ");
    EXPECT_EQ(output.first.front().score, 2);
  }
}

TEST_F(ExternalRunTest, RowsWithoutScoresAreOrderedByKeysAndTheFirstAreListed) {
  const auto answer = AnswerOf(ExternalRows{.pairs = {{2, 0}, {0, 2}, {0, 1}}}, *advance_);
  ASSERT_TRUE(answer.ok());
  JobSpec job = Job("model", ExternalParameters{ExternalAnswers::kRows});
  job.top = 2;
  const auto run = RunJob(job, advance_, keys_, clock_, {}, nullptr, false,
                          [&](const KernelProgress&) { return answer.value(); });
  const auto& output = std::get<ChangesOutput>(run->result->output);
  EXPECT_EQ(output.pairs, 3u);
  ASSERT_EQ(output.first.size(), 2u);
  EXPECT_EQ(output.first[0].target, VertexKey("b"));
  EXPECT_EQ(output.first[1].target, VertexKey("c"));
  EXPECT_FALSE(output.first[0].score);
}

TEST_F(ExternalRunTest, WrongRowsAreRefusedWithTheReason) {
  const auto why = [&](ExternalRows rows) {
    const auto answer = AnswerOf(std::move(rows), *advance_);
    EXPECT_FALSE(answer.ok());
    return answer.ok() ? "" : answer.error().message;
  };
  EXPECT_THAT(why({.pairs = {{0, 1}, {3, 1}}}),
              HasSubstr("row 1 names the id 3, but the snapshot has 3 vertices"));
  EXPECT_THAT(why({.pairs = {{0, 1}}, .scores = {kNone}}), HasSubstr("score of row 0 is NaN"));
  EXPECT_THAT(why({.pairs = {{0, 1}}, .scores = {HUGE_VAL}}), HasSubstr("row 0 is infinite"));
  EXPECT_THAT(why({.pairs = {{0, 1}}, .scores = {1, 2}}), HasSubstr("2 scores for 1 rows"));
  EXPECT_THAT(why({.pairs = {{0, 1}, {1, 0}, {0, 1}}}),
              HasSubstr("row 2 has a pair that an earlier row has"));
  ExternalRows many;
  many.pairs.resize(ExternalAnswer::kMostRows + 1);
  EXPECT_THAT(why(many), HasSubstr("it has 1000001 rows; 1000000 is the most"));
  const auto unknown = AnswerOf(std::vector<PairedKeys>{{"a", "b"}, {"a", "not in the window"}}, {},
                                *advance_, keys_);
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().message,
              HasSubstr("row 1: key 'not in the window' is not in the window"));
}

TEST_F(ExternalRunTest, AnEmptyWindowNeedsNoWorker) {
  auto empty = std::make_shared<Advance>();
  empty->provenance.empty = true;
  empty->view = EmptyView();
  for (const auto returns :
       {ExternalAnswers::kScores, ExternalAnswers::kSets, ExternalAnswers::kRows}) {
    const JobSpec job = Job("model", ExternalParameters{returns});
    const auto run = RunJob(job, empty, keys_, clock_, {}, nullptr, false,
                            [](const KernelProgress&) -> std::optional<ExternalAnswer> {
                              ADD_FAILURE() << "nobody is asked";
                              return std::nullopt;
                            });
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->result->converged);
  }
}

TEST_F(ExternalRunTest, WrongAnswersAreRefusedWithTheReason) {
  const auto short_one = AnswerOf(std::vector<double>{1, 2}, *advance_);
  ASSERT_FALSE(short_one.ok());
  EXPECT_THAT(short_one.error().message, HasSubstr("it has 2 values for 3 vertices"));
  const auto infinite = AnswerOf(std::vector<double>{1, HUGE_VAL, 2}, *advance_);
  ASSERT_FALSE(infinite.ok());
  EXPECT_THAT(infinite.error().message, HasSubstr("vertex with id 1 is infinite"));
  EXPECT_FALSE(AnswerOf(std::vector<std::uint32_t>{0, 1, 2, 0}, *advance_).ok());
  using Scores = std::vector<KeyedValue<double>>;
  EXPECT_THAT(Why(Scores{{"a", 1}, {"x", 1}, {"c", 1}}), HasSubstr("key 'x' is not in the window"));
  EXPECT_THAT(Why(Scores{{"a", 1}, {"not in the window", 1}, {"c", 1}}),
              HasSubstr("key 'not in the window' is not in the window"));
  EXPECT_THAT(Why(Scores{{"a", 1}, {std::int64_t{7}, 1}, {"c", 1}}), HasSubstr("key 7 is not"));
  EXPECT_THAT(Why(Scores{{"a", 1}, {"b", 1}}), HasSubstr("it has 2 values for 3 vertices"));
  EXPECT_THAT(Why(Scores{{"a", 1}, {"b", 1}, {"a", 2}}), HasSubstr("key 'a' is given twice"));
  EXPECT_THAT(Why(Scores{{"a", 1}, {"b", 1}, {"c", -HUGE_VAL}}), HasSubstr("of 'c' is infinite"));
}

TEST_F(ExternalRunTest, SetsWithTooGreatNumbersAreRefused) {
  for (const std::uint32_t set : {3u, std::numeric_limits<std::uint32_t>::max()}) {
    const auto by_place = AnswerOf(std::vector<std::uint32_t>{0, 2, set}, *advance_);
    ASSERT_FALSE(by_place.ok());
    EXPECT_THAT(by_place.error().message, HasSubstr("number " + std::to_string(set) + "; "));
    using Sets = std::vector<KeyedValue<std::uint32_t>>;
    EXPECT_THAT(Why(Sets{{"a", 0}, {"b", set}, {"c", 2}}), HasSubstr("must be below"));
  }
}

// A desk beside a scheduler.
struct DeskWorld : World {
  explicit DeskWorld(std::vector<JobSpec> jobs) : World(std::move(jobs), false, 1, &desk) {
    sink.stepped = false;
    desk.KeepBy([](const AdvancePtr&, SteadyTime, const std::stop_token&) {
      return Result<HeldSnapshot>(HeldSnapshot{"/f", nullptr});
    });
    desk.OnOffered([this] { offered.release(); });
  }
  static AdvancePtr Full(std::uint64_t snapshot) {
    auto advance = std::make_shared<Advance>(*MakeAdvance(snapshot));
    advance->provenance.vertices = 3;
    return advance;
  }
  static JobSpec External(const std::string& name) {
    JobSpec job = Job(name, ExternalParameters());
    job.deadline = std::chrono::seconds(20);
    return job;
  }
  // The next work that is offered, which must be of this job.
  ExternalWork TakeOffered(const std::string& job) {
    offered.acquire();
    return Take(job);
  }
  ExternalWork Take(const std::string& job) {
    std::optional<ExternalWork> work = desk.Take(job, std::nullopt);
    EXPECT_TRUE(work);
    return work.value();
  }
  std::counting_semaphore<100> offered{0};
};

TEST(ExternalJobsTest, AWaitingRunTakesNoRunnerFromOtherJobs) {
  DeskWorld world({DeskWorld::External("m1"), DeskWorld::External("m2"), Job("shape")});
  world.scheduler.Start();
  world.scheduler.Submit(DeskWorld::Full(1));
  world.offered.acquire();
  world.offered.acquire();  // both wait for workers, and there is one runner
  world.sink.entered.acquire();
  // The run of `shape` may still be under way when the sink has its result.
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (world.scheduler.reserved_bytes() == 0 && std::chrono::steady_clock::now() < patience) {
    std::this_thread::yield();
  }
  EXPECT_GT(world.scheduler.reserved_bytes(), 0u);
  for (const char* job : {"m2", "m1"}) {
    const auto work = world.desk.Take(job, std::nullopt);
    ASSERT_TRUE(work);
    EXPECT_TRUE(world.desk.Give(job, work->run, {.scores = {1, 2, 3}}).ok());
  }
  world.scheduler.Drain();
  world.scheduler.Stop();
  ASSERT_EQ(world.sink.reports.size(), 1u);
  ASSERT_EQ(world.sink.reports[0].results.size(), 3u);
  EXPECT_EQ(world.sink.reports[0].results[0]->job, "m1") << "in the order of the configuration";
}

TEST(ExternalJobsTest, AFailedRunIsCountedAndReportedAndTheNextAdvanceRuns) {
  DeskWorld world({DeskWorld::External("m")});
  world.scheduler.Start();
  world.scheduler.Submit(DeskWorld::Full(1));
  const ExternalWork first = world.TakeOffered("m");
  world.scheduler.Submit(DeskWorld::Full(2));
  world.scheduler.Submit(DeskWorld::Full(3));  // overrun: skip displaces 2
  ASSERT_TRUE(world.desk.Fail("m", first.run, {RunFault::kWrongAnswer, "too few"}).ok());
  const ExternalWork second = world.TakeOffered("m");
  EXPECT_EQ(second.advance->provenance.snapshot, SnapshotId{3});
  ASSERT_TRUE(world.desk.Give("m", second.run, {.scores = {1, 2, 3}}).ok());
  world.scheduler.Drain();
  world.scheduler.Stop();
  const JobStatus status = world.scheduler.Statuses()[0];
  EXPECT_EQ(status.runs, 1u);
  EXPECT_EQ(status.skipped, 1u);
  EXPECT_EQ(status.cancelled, 0u);
  EXPECT_EQ(status.failures(), 1u);
  EXPECT_EQ(status.failed[static_cast<std::size_t>(RunFault::kWrongAnswer)], 1u);
  EXPECT_EQ(status.last_failure, "too few");
  ASSERT_EQ(world.sink.reports.size(), 3u);
  ASSERT_EQ(world.sink.reports[0].failed.size(), 1u);
  EXPECT_EQ(world.sink.reports[0].failed[0].job, "m");
  EXPECT_TRUE(world.sink.reports[0].results.empty());
  EXPECT_EQ(world.sink.reports[2].results.size(), 1u);
}

// A restart may come before the report: a failure that is not known then looks like a lost result.
TEST(ExternalJobsTest, TheSinkLearnsOfAFailureBeforeTheNextRunOfItsJob) {
  DeskWorld world({DeskWorld::External("m"), DeskWorld::External("slow")});
  world.scheduler.Start();
  world.scheduler.Submit(DeskWorld::Full(1));
  for (int job = 0; job < 2; ++job) world.offered.acquire();
  const ExternalWork slow = world.Take("slow");
  const ExternalWork first = world.Take("m");
  world.scheduler.Submit(DeskWorld::Full(2));
  ASSERT_TRUE(world.desk.Fail("m", first.run, {RunFault::kWrongAnswer, "too few"}).ok());
  (void)world.TakeOffered("m");
  EXPECT_TRUE(world.sink.noted.try_acquire());
  EXPECT_EQ(world.sink.unfinished,
            (std::vector<testing::SteppedSink::Unfinished>{{"m", 1, "too few"}}));
  ASSERT_TRUE(world.desk.Give("slow", slow.run, {.scores = {1, 2, 3}}).ok());
  world.scheduler.Stop();
}

TEST(ExternalJobsTest, AJobThatIsAddedLaterRunsAndOneThatIsRemovedEnds) {
  DeskWorld world({Job("shape")});
  world.scheduler.Start();
  ASSERT_TRUE(world.scheduler.AddJob(DeskWorld::External("m")).ok());
  world.scheduler.Submit(DeskWorld::Full(1));
  const ExternalWork work = world.TakeOffered("m");
  ASSERT_TRUE(world.scheduler.RemoveJob("m").ok());
  world.scheduler.Drain();
  EXPECT_FALSE(world.desk.Give("m", work.run, {.scores = {1, 2, 3}}).ok());
  world.scheduler.Stop();
  ASSERT_EQ(world.sink.reports.size(), 1u);
  EXPECT_TRUE(world.sink.reports[0].failed.empty());
  EXPECT_EQ(world.sink.reports[0].results.size(), 1u);
}

TEST(ExternalJobsTest, AStopCancelsTheRunAndItsAdvanceIsNotReported) {
  DeskWorld world({DeskWorld::External("m")});
  world.scheduler.Start();
  world.scheduler.Submit(DeskWorld::Full(1));
  world.offered.acquire();
  world.scheduler.Stop();
  EXPECT_TRUE(world.sink.reports.empty()) << "it must run again";
  EXPECT_EQ(world.scheduler.Statuses()[0].failures(), 0u);
}

}  // namespace
}  // namespace sash
