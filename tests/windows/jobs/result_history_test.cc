#include "windows/jobs/result_history.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/read_at_the_end.h"
#include "tests/windows/jobs/stepped_jobs.h"

namespace sash {
namespace {

using testing::Job;
using testing::MakeAdvance;
using testing::World;

// Each run has a new snapshot, unless one is given.
CompletedRun RunOf(std::size_t listed, std::size_t scores, std::uint64_t snapshot = 0) {
  static std::uint64_t newest = 100;
  auto result = std::make_shared<RunResult>();
  result->job = "j";
  result->provenance.snapshot = SnapshotId{snapshot == 0 ? ++newest : snapshot};
  PageRankOutput output;
  for (std::size_t i = 0; i < listed; ++i) {
    output.top.push_back({"a key that is too long to lie inside its string", i + 1, 0.5});
  }
  result->output = std::move(output);
  auto whole = std::make_shared<WholeVector>();
  whole->scores.resize(scores);
  return {result, whole, nullptr};
}

ResultHistory KeepingTwo() {
  JobSpec job;
  job.name = "j";
  job.keep_results = 2;
  return ResultHistory({job});
}

TEST(ResultHistoryTest, BytesCountListsKeysAndTheNewestWholeVector) {
  ResultHistory history = KeepingTwo();
  EXPECT_EQ(history.bytes(), 0u);
  history.Add(RunOf(100, 10'000));
  EXPECT_GE(history.bytes(), 100 * (sizeof(RankedVertex) + 48) + 80'000);
  EXPECT_LE(history.bytes(), 2 * (100 * (sizeof(RankedVertex) + 48) + 80'000));
}

TEST(ResultHistoryTest, KeepingFewerLetsTheOldestGoAtOnce) {
  ResultHistory history = KeepingTwo();
  history.Add(RunOf(100, 0));
  history.Add(RunOf(100, 0));
  const std::size_t two = history.bytes();
  history.Keep("j", 1);
  EXPECT_EQ(history.Newest("j", 10).size(), 1u);
  EXPECT_LT(history.bytes(), two * 2 / 3);
  history.Keep("j", 3);
  for (int i = 0; i < 5; ++i) history.Add(RunOf(1, 0));
  EXPECT_EQ(history.Newest("j", 10).size(), 3u);
}

TEST(ResultHistoryTest, KeepsTheNewestResultsAndOneWholeVector) {
  JobSpec job = Job("j", PageRankParameters());
  job.keep_results = 3;
  World world({job}, true);
  world.sink.stepped = false;
  world.scheduler.Start();
  for (std::uint64_t i = 1; i <= 5; ++i) world.scheduler.Submit(MakeAdvance(i));
  world.scheduler.Drain();
  const auto newest = world.history.Newest("j", 10);
  ASSERT_EQ(newest.size(), 3u);
  EXPECT_EQ(newest[0]->provenance.snapshot, SnapshotId{5});
  EXPECT_EQ(newest[2]->provenance.snapshot, SnapshotId{3});
  const auto older = world.history.Newest("j", 1, SnapshotId{5});
  ASSERT_EQ(older.size(), 1u);
  EXPECT_EQ(older[0]->provenance.snapshot, SnapshotId{4});
  EXPECT_TRUE(world.history.Newest("j", 10, SnapshotId{3}).empty());
  EXPECT_EQ(world.history.Latest("j")->whole->scores.size(), 3u);
  EXPECT_TRUE(world.history.Newest("unknown", 10).empty());
}

TEST(ResultHistoryTest, KeepsOneResultOfASnapshotTheNewest) {
  ResultHistory history = KeepingTwo();
  history.Add(RunOf(1, 0, 7));
  const std::size_t one = history.bytes();
  history.Add(RunOf(2, 0, 7));
  history.Add(RunOf(1, 0, 7));
  EXPECT_EQ(history.bytes(), one);
  EXPECT_EQ(history.Newest("j", 10).size(), 1u);
  ASSERT_NE(history.Find("j", SnapshotId{7}), nullptr);
  EXPECT_EQ(history.Find("j", SnapshotId{7}), history.Latest("j")->result);
  EXPECT_EQ(history.Find("j", SnapshotId{8}), nullptr);
  EXPECT_EQ(history.Find("k", SnapshotId{7}), nullptr);
}

TEST(ResultHistoryTest, ReadersDoNotWaitWhileAResultThatLeavesIsDestroyed) {
  ResultHistory* of_readers = nullptr;
  testing::ReadAtTheEnd end([&] { (void)of_readers->Newest("j", 1); });
  ResultHistory history = KeepingTwo();
  of_readers = &history;
  // The second one takes the place of a result of its snapshot.
  for (const std::uint64_t snapshot : {1, 1, 2, 3}) {
    CompletedRun run = RunOf(1, 0, snapshot);
    run.result = end.Make<RunResult>(*run.result);
    history.Add(std::move(run));
  }
  EXPECT_EQ(end.ended(), 2);
  EXPECT_EQ(end.Waited(), 0);
  history.Clear("j");
  EXPECT_EQ(end.Waited(), 0);
}

// Runs that ranked nothing, so that a vector is small and needs no view.
CompletedRun VectorRun() {
  CompletedRun run = RunOf(0, 0);
  auto result = std::make_shared<RunResult>(*run.result);
  std::get<PageRankOutput>(result->output).error = "nothing is ranked";
  run.result = std::move(result);
  run.advance = std::make_shared<Advance>();
  return run;
}

std::size_t VectorsIn(const ResultHistory& history) {
  std::size_t vectors = 0;
  for (const auto& each : history.NewestWithVectors("j", 100)) vectors += each.vector ? 1 : 0;
  return vectors;
}

TEST(ResultHistoryTest, TheNewestResultsHaveVectorsAsManyAsAreWanted) {
  ResultHistory history = KeepingTwo();
  history.Add(VectorRun());
  const std::size_t without = history.bytes();
  history.Keep("j", 5, 3);
  EXPECT_EQ(VectorsIn(history), 0u) << "a result that exists gets none";
  for (int i = 0; i < 6; ++i) history.Add(VectorRun());
  EXPECT_EQ(VectorsIn(history), 3u);
  EXPECT_NE(history.NewestWithVectors("j", 1).front().vector, nullptr);
  history.Keep("j", 5, 1);
  EXPECT_EQ(VectorsIn(history), 1u);
  EXPECT_NE(history.NewestWithVectors("j", 1).front().vector, nullptr);
  history.Keep("j", 1, 0);
  EXPECT_EQ(VectorsIn(history), 0u);
  EXPECT_EQ(history.bytes(), without) << "what is freed is not counted any more";
}

// The snapshots of steps, written as "3<2 2<1 1<".
std::string StepsText(const std::vector<ResultHistory::Step>& steps) {
  std::string text;
  for (const ResultHistory::Step& step : steps) {
    if (!text.empty()) text += " ";
    text += std::to_string(step.now->provenance.snapshot.value) + "<";
    if (step.before) text += std::to_string(step.before->provenance.snapshot.value);
  }
  return text;
}

TEST(ResultHistoryTest, StepsLeadFromEachKeptResultToTheNextAndBeginWithNothingOnce) {
  ResultHistory history = KeepingTwo();
  EXPECT_TRUE(history.NewestSteps("j", 10).empty());
  history.Add(RunOf(1, 0, 1));
  EXPECT_EQ(StepsText(history.NewestSteps("j", 10)), "1<");
  history.Add(RunOf(1, 0, 4));
  EXPECT_EQ(StepsText(history.NewestSteps("j", 10)), "4<1 1<");
  EXPECT_EQ(StepsText(history.NewestSteps("j", 1)), "4<1");
  EXPECT_EQ(StepsText(history.NewestSteps("j", 1, SnapshotId{4})), "1<");
  history.Add(RunOf(1, 0, 5));
  EXPECT_EQ(StepsText(history.NewestSteps("j", 10)), "5<4") << "the result before 4 is gone";
  EXPECT_EQ(StepsText(history.NewestSteps("j", 10, SnapshotId{5})), "");
  history.Keep("j", 1);
  EXPECT_EQ(StepsText(history.NewestSteps("j", 10)), "");
  history.Clear("j");
  history.Add(RunOf(1, 0, 9));
  EXPECT_EQ(StepsText(history.NewestSteps("j", 10)), "9<") << "the first result of another job";
}

TEST(ResultHistoryTest, WhatIsForgottenTakesNoMemoryAndIsNotKeptAgain) {
  ResultHistory history = KeepingTwo();
  history.Add(RunOf(100, 100));
  history.Clear("j");
  EXPECT_EQ(history.bytes(), 0u);
  EXPECT_FALSE(history.Latest("j").has_value());
  history.Add(RunOf(100, 100));
  EXPECT_EQ(history.Newest("j", 10).size(), 1u) << "cleared, not forgotten";
  history.Forget("j");
  EXPECT_EQ(history.bytes(), 0u);
  history.Add(RunOf(100, 100));
  EXPECT_EQ(history.bytes(), 0u);
  EXPECT_TRUE(history.Newest("j", 10).empty());
  history.Keep("j", 1);
  history.Add(RunOf(100, 100));
  EXPECT_EQ(history.Newest("j", 10).size(), 1u);
}

TEST(ResultHistoryTest, BytesCountTheKeysOfParents) {
  const auto bytes = [](const std::optional<VertexKey>& parent) {
    auto result = std::make_shared<RunResult>();
    result->job = "j";
    result->parameters = BfsParameters();
    result->output = BfsOutput{{{std::nullopt, 1, {1}, {{"v", 1, 0, parent}}}}};
    ResultHistory history = KeepingTwo();
    history.Add({result, nullptr, nullptr});
    return history.bytes();
  };
  EXPECT_GE(bytes(std::string(1'000, 'x')), bytes(std::nullopt) + 1'000);
}

TEST(ResultHistoryTest, BytesDoNotGrowOnceTheHistoryIsFull) {
  ResultHistory history = KeepingTwo();
  history.Add(RunOf(100, 1000));
  const std::size_t one = history.bytes();
  history.Add(RunOf(100, 1000));
  const std::size_t two = history.bytes();
  EXPECT_GT(two, one);
  EXPECT_LT(two, 2 * one) << "only the newest keeps its whole vector";
  for (int i = 0; i < 10; ++i) history.Add(RunOf(100, 1000));
  EXPECT_EQ(history.bytes(), two);
  for (int i = 0; i < 2; ++i) history.Add(RunOf(0, 0));
  EXPECT_LT(history.bytes(), one / 10);
}

}  // namespace
}  // namespace sash
