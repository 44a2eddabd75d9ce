// Runs that start from the result of the previous run and follow the changes of their window.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tests/support/manual_clock.h"
#include "tests/support/random_graph.h"
#include "tests/support/rank_difference.h"
#include "tests/support/store_script.h"
#include "windows/jobs/run_job.h"
#include "windows/store/window_store.h"

namespace sash {
namespace {

using testing::RandomPairs;

// Runs of a job on a window of the multiversioned store. Ids and keys of vertices are equal.
class FollowingRuns {
 public:
  explicit FollowingRuns(JobParameters parameters, int slices = 50)
      : keys_(KeyKind::kInteger), store_(MakeSliceStore({})), window_(store_->Open(0)) {
    job_.parameters = std::move(parameters);
    for (VertexId v = 0; v < kIds; ++v) VertexDictionary::Writer(keys_).Intern(std::int64_t{v});
    for (int i = 0; i < slices; ++i) Enter();
  }

  // Runs the job after the window has moved by `slices`. Empty: the run was stopped.
  std::optional<CompletedRun> Next(int slices = 1, const KernelProgress& progress = {}) {
    for (; slices > 0; --slices) {
      Enter();
      window_->AgeOutOldest();
    }
    auto advance = std::make_shared<Advance>();
    advance->view = window_->Publish(kIds).view;
    auto run = RunJob(job_, advance, keys_, clock_, progress, newest_ ? &*newest_ : nullptr);
    if (run) newest_ = run;
    return run;
  }

  // Each iteration shrinks the remaining change at least by the damping factor.
  static double MostError() {
    const PageRankParameters usual;
    return usual.tolerance * usual.damping / (1 - usual.damping);
  }

  // The L1 difference of the newest result to a run that starts from nothing.
  double Error() const {
    const auto full = FromNothing(PageRankParameters{.tolerance = 1e-13, .max_iterations = 1'000});
    return testing::L1Difference(newest_->whole->scores, full.whole->scores);
  }

  // A full run on the window of the newest result.
  CompletedRun FromNothing(JobParameters parameters) const {
    JobSpec job = job_;
    job.parameters = std::move(parameters);
    return *RunJob(job, newest_->advance, keys_, clock_, {});
  }

  CompletedRun& newest() { return *newest_; }
  void SetParameters(JobParameters parameters) { job_.parameters = std::move(parameters); }

 private:
  static constexpr VertexId kIds = 500;

  void Enter() {
    testing::SliceOperations operations;
    for (const auto& [source, target] : RandomPairs(++entered_, kIds, 60)) {
      operations.push_back(testing::Add(source, target));
    }
    store_->Add(testing::MakeSlice(entered_, operations));
  }

  VertexDictionary keys_;
  const std::shared_ptr<SliceStore> store_;
  const std::unique_ptr<WindowStore> window_;
  std::uint64_t entered_ = 0;
  const ManualClock clock_;
  JobSpec job_;
  std::optional<CompletedRun> newest_;
};

TEST(FollowingRunsTest, AWarmRunFollowsAWindowThatHasChangedALittle) {
  FollowingRuns runs(PageRankParameters{.warm_start = true});
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    const CompletedRun run = *runs.Next();
    EXPECT_EQ(run.result->mode, i == 0 ? RunMode::kFull : RunMode::kIncremental);
    EXPECT_TRUE(run.result->converged);
    EXPECT_LE(runs.Error(), runs.MostError());
  }
  EXPECT_EQ(runs.Next(25)->result->mode, RunMode::kWarm) << "half of the window has changed";
  EXPECT_LE(runs.Error(), runs.MostError());
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental);
}

TEST(FollowingRunsTest, ARunThatWasStoppedIsNotFollowed) {
  FollowingRuns runs(PageRankParameters{.warm_start = true});
  runs.Next();
  runs.Next();
  EXPECT_FALSE(runs.Next(1, [](int, double) { return false; }));
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kWarm);
  EXPECT_LE(runs.Error(), runs.MostError());
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental);
  EXPECT_EQ(runs.Next(0)->result->mode, RunMode::kIncremental);
  EXPECT_LE(runs.Error(), runs.MostError());
}

TEST(FollowingRunsTest, RunsThatFollowAreHeldAgainstAFullOneAndGoOn) {
  FollowingRuns runs(PageRankParameters{.warm_start = true, .check_every = 4});
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const RunResult& result = *runs.Next()->result;
    const bool is_check = i > 0 && i % 4 == 0;
    EXPECT_EQ(result.mode, i == 0 || is_check ? RunMode::kFull : RunMode::kIncremental);
    ASSERT_EQ(result.drift.has_value(), is_check);
    EXPECT_LE(result.drift.value_or(0), 1e-6);
    EXPECT_FALSE(result.fell_back);
  }
}

BfsParameters Reach(std::vector<VertexKey> roots, bool separate, bool warm_start = true) {
  return {
      .roots = std::move(roots), .separate = separate, .parents = true, .warm_start = warm_start};
}

void ExpectSameTraversals(const CompletedRun& run, const CompletedRun& full) {
  EXPECT_EQ(run.whole->depths, full.whole->depths);
  EXPECT_EQ(run.result->iterations, full.result->iterations);
  const auto& found = std::get<BfsOutput>(run.result->output).traversals;
  const auto& expected = std::get<BfsOutput>(full.result->output).traversals;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].root, expected[i].root);
    EXPECT_EQ(found[i].reached, expected[i].reached);
    EXPECT_EQ(found[i].levels, expected[i].levels);
    ASSERT_EQ(found[i].top.size(), expected[i].top.size());
    for (std::size_t row = 0; row < found[i].top.size(); ++row) {
      EXPECT_EQ(found[i].top[row].key, expected[i].top[row].key);
      EXPECT_EQ(found[i].top[row].parent, expected[i].top[row].parent);
    }
  }
}

const std::vector<VertexKey> kRoots = {std::int64_t{3}, std::int64_t{499}, std::int64_t{10'000}};

TEST(FollowingRunsTest, ASearchThatStartsWarmSaysWhatAFullOneDoes) {
  for (const bool separate : {false, true}) {
    SCOPED_TRACE(separate);
    FollowingRuns runs(Reach(kRoots, separate), 200);
    for (int i = 0; i < 30; ++i) {
      SCOPED_TRACE(i);
      const CompletedRun run = *runs.Next();
      EXPECT_EQ(run.result->mode, i == 0 ? RunMode::kFull : RunMode::kIncremental);
      ASSERT_NO_FATAL_FAILURE(
          ExpectSameTraversals(run, runs.FromNothing(Reach(kRoots, separate, false))));
    }
    EXPECT_EQ(runs.Next(25)->result->mode, RunMode::kFull) << "an eighth of the window has changed";
    EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental);
  }
}

TEST(FollowingRunsTest, ASearchStartsFromItsRootsUnlessItIsToldTo) {
  FollowingRuns runs(Reach(kRoots, false, false), 200);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull);
  runs.SetParameters(Reach(kRoots, false));
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental) << "the depths must be equal";
}

TEST(FollowingRunsTest, AnotherSearchIsNotFollowed) {
  FollowingRuns runs(Reach(kRoots, false), 200);
  runs.Next();
  runs.SetParameters(Reach(kRoots, true));
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull);
  runs.SetParameters(Reach({std::int64_t{4}}, true));
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull);
  BfsParameters backwards = Reach({std::int64_t{4}}, true);
  backwards.direction = TraversalDirection::kIn;
  runs.SetParameters(backwards);
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull);
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental);
}

TEST(FollowingRunsTest, ASearchThatWasStoppedIsFollowedFromTheOneBefore) {
  for (const bool separate : {false, true}) {
    FollowingRuns runs(Reach(kRoots, separate), 300);
    runs.Next();
    EXPECT_FALSE(runs.Next(1, [](int, double) { return false; }));
    const CompletedRun run = *runs.Next();
    EXPECT_EQ(run.result->mode, RunMode::kIncremental);
    ExpectSameTraversals(run, runs.FromNothing(Reach(kRoots, separate, false)));
  }
}

TEST(FollowingRunsTest, SearchesThatStartWarmAreHeldAgainstAFullOne) {
  BfsParameters parameters = Reach(kRoots, true);
  parameters.check_every = 3;
  FollowingRuns runs(parameters, 200);
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const RunResult& result = *runs.Next()->result;
    const bool is_check = i > 0 && i % 3 == 0;
    EXPECT_EQ(result.mode, i == 0 || is_check ? RunMode::kFull : RunMode::kIncremental);
    ASSERT_EQ(result.drift.has_value(), is_check);
    EXPECT_EQ(result.drift.value_or(0), 0);
    EXPECT_FALSE(result.fell_back);
  }
}

TEST(FollowingRunsTest, TrianglesThatAreCountedWarmAreThoseOfAFullRun) {
  const TrianglesParameters cold;
  FollowingRuns runs(TrianglesParameters{.warm_start = true, .check_every = 7}, 200);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const CompletedRun run = *runs.Next();
    EXPECT_EQ(run.result->mode, i % 7 == 0 ? RunMode::kFull : RunMode::kIncremental);
    EXPECT_EQ(run.result->drift.value_or(0), 0);
    const CompletedRun full = runs.FromNothing(cold);
    EXPECT_EQ(run.whole->counts, full.whole->counts);
    EXPECT_EQ(std::get<CountOutput>(run.result->output).figure->value,
              std::get<CountOutput>(full.result->output).figure->value);
  }
  EXPECT_EQ(runs.Next(25)->result->mode, RunMode::kFull) << "an eighth of the window has changed";
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental);
  EXPECT_FALSE(runs.Next(1, [](int, double) { return false; }));
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull);
}

TEST(FollowingRunsTest, StrengthsThatAreAddedWarmAreThoseOfAFullRun) {
  StrengthParameters parameters{.direction = StrengthDirection::kNet};
  const StrengthParameters cold = parameters;
  parameters.warm_start = true;
  parameters.check_every = 7;
  FollowingRuns runs(parameters, 200);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const CompletedRun run = *runs.Next();
    EXPECT_EQ(run.result->mode, i % 7 == 0 ? RunMode::kFull : RunMode::kIncremental);
    EXPECT_EQ(run.result->drift.value_or(0), 0);
    EXPECT_EQ(run.whole->weights, runs.FromNothing(cold).whole->weights);
  }
  EXPECT_EQ(runs.Next(25)->result->mode, RunMode::kFull) << "an eighth of the window has changed";
  EXPECT_FALSE(runs.Next(1, [](int, double) { return false; }));
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental) << "from the result before";
  parameters.direction = StrengthDirection::kIn;
  runs.SetParameters(parameters);
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull) << "other sums";
}

TEST(FollowingRunsTest, ComponentsThatAreFollowedAreThoseOfAFullRunAndHaveTheirNames) {
  FollowingRuns runs(WccParameters{.warm_start = true, .check_every = 7}, 200);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const CompletedRun run = *runs.Next();
    EXPECT_EQ(run.result->mode, i % 7 == 0 ? RunMode::kFull : RunMode::kIncremental);
    EXPECT_EQ(run.result->drift.value_or(0), 0);
    const CompletedRun full = runs.FromNothing(WccParameters());
    EXPECT_EQ(run.whole->groups, full.whole->groups);
    EXPECT_EQ(std::get<GroupsOutput>(run.result->output).groups,
              std::get<GroupsOutput>(full.result->output).groups);
  }
  EXPECT_EQ(runs.Next(25)->result->mode, RunMode::kFull) << "an eighth of the window has changed";
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental);
  EXPECT_FALSE(runs.Next(1, [](int, double) { return false; }));
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull);
}

TEST(FollowingRunsTest, AJobThatGetsAnotherKernelIsNotFollowed) {
  FollowingRuns runs(TrianglesParameters{.warm_start = true}, 200);
  runs.Next();
  runs.SetParameters(PageRankParameters{.warm_start = true});
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull);
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental);
  runs.SetParameters(TrianglesParameters{.warm_start = true});
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kFull);
  EXPECT_EQ(runs.Next()->result->mode, RunMode::kIncremental);
}

// A wrong result, whatever its cause, is detected and not continued.
TEST(FollowingRunsTest, AJobWhoseDepthsAreWrongStartsWarmNoMore) {
  BfsParameters parameters = Reach({std::int64_t{3}}, false);
  parameters.check_every = 1;
  FollowingRuns runs(parameters, 200);
  runs.Next();
  auto misled = std::make_shared<WholeVector>(*runs.newest().whole);
  for (VertexId v = 100; v < 120; ++v) misled->depths[0][v] = 1;
  runs.newest().whole = misled;
  const RunResult checked = *runs.Next()->result;
  EXPECT_EQ(checked.mode, RunMode::kFull);
  EXPECT_GE(checked.drift.value_or(0), 10);
  EXPECT_TRUE(checked.fell_back);
  for (int i = 0; i < 3; ++i) {
    const CompletedRun after = *runs.Next();
    EXPECT_EQ(after.result->mode, RunMode::kFull);
    EXPECT_FALSE(after.result->fell_back);
  }
}

}  // namespace
}  // namespace sash
