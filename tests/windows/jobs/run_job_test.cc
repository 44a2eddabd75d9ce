#include "windows/jobs/run_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>

#include "tests/support/manual_clock.h"
#include "tests/support/random_graph.h"
#include "tests/support/ticking_clock.h"
#include "windows/base/check.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::Pairs;
using testing::RandomPairs;

// A window of pairs of numbers. Vertex ids are assigned in a random order.
class Numbering {
 public:
  Numbering(const Pairs& pairs, VertexId ids, std::uint64_t seed) : keys(KeyKind::kInteger) {
    std::vector<VertexId> order(ids);
    for (VertexId v = 0; v < ids; ++v) order[v] = v;
    std::ranges::shuffle(order, std::mt19937_64(seed));
    std::vector<VertexId> id_of(ids);
    for (const VertexId v : order) {
      id_of[v] = VertexDictionary::Writer(keys).Intern(std::int64_t{v});
    }
    Pairs named;
    for (const auto& [source, target] : pairs) named.emplace_back(id_of[source], id_of[target]);
    auto made = std::make_shared<Advance>();
    made->view = std::make_shared<const CsrGraph>(MakeCsr(named, ids));
    advance = std::move(made);
  }

  CompletedRun Run(JobParameters parameters, const KernelProgress& progress = {}) const {
    JobSpec job;
    job.parameters = std::move(parameters);
    job.top = 10'000;
    const ManualClock clock;
    return *RunJob(job, advance, keys, clock, progress);
  }

  VertexDictionary keys;
  AdvancePtr advance;
};

// For each key: the key that names the vertex's group.
std::map<VertexKey, VertexKey> Members(const Numbering& window, const CompletedRun& run) {
  std::map<VertexKey, VertexKey> members;
  VisitView(window.advance->view, [&](const auto& graph) {
    for (const VertexId v : graph.vertices()) {
      members[window.keys.KeyOf(v)] = window.keys.KeyOf(run.whole->groups[v]);
    }
  });
  return members;
}

TEST(RunJobTest, GroupsDoNotDependOnTheIdsOfTheirVertices) {
  const Pairs pairs = RandomPairs(7, 400, 420);
  const Numbering one(pairs, 400, 1);
  const Numbering other(pairs, 400, 2);
  for (const JobParameters& parameters :
       {JobParameters(WccParameters()), JobParameters(SccParameters()),
        JobParameters(CdlpParameters{5})}) {
    const CompletedRun run = one.Run(parameters);
    const auto members = Members(one, run);
    EXPECT_EQ(members, Members(other, other.Run(parameters)));
    std::map<VertexKey, std::uint64_t> sizes;
    for (const auto& [key, group] : members) ++sizes[group];
    const auto& output = std::get<GroupsOutput>(run.result->output);
    EXPECT_EQ(output.groups, sizes.size());
    ASSERT_EQ(output.top.size(), sizes.size());
    for (const CountedVertex& row : output.top) EXPECT_EQ(row.count, sizes[row.key]);
  }
}

// Runs of a job with warm start on consecutive windows; a tenth of the pairs changes each time.
class WarmRuns {
 public:
  explicit WarmRuns(PageRankParameters parameters) { job_.parameters = parameters; }

  const CompletedRun& Next() {
    const auto first = pairs_.begin() + static_cast<std::ptrdiff_t>(300 * windows_.size());
    windows_.push_back(std::make_unique<Numbering>(Pairs(first, first + 3'000), kIds, 1));
    newest_ = RunJob(job_, windows_.back()->advance, windows_.back()->keys, clock_, {},
                     newest_ ? &*newest_ : nullptr);
    return *newest_;
  }
  CompletedRun& newest() { return *newest_; }

 private:
  static constexpr VertexId kIds = 500;
  const Pairs pairs_ = RandomPairs(5, kIds, 12'000);
  const ManualClock clock_;
  JobSpec job_;
  std::vector<std::unique_ptr<Numbering>> windows_;
  std::optional<CompletedRun> newest_;
};

TEST(RunJobTest, APageRankStartsWarmOnlyWhenItIsToldTo) {
  WarmRuns cold({});
  WarmRuns warm({.warm_start = true});
  int iterations_cold = 0, iterations_warm = 0;
  for (int i = 0; i < 5; ++i) {
    SCOPED_TRACE(i);
    const RunResult& full = *cold.Next().result;
    const RunResult& result = *warm.Next().result;
    EXPECT_EQ(full.mode, RunMode::kFull);
    EXPECT_EQ(result.mode, i == 0 ? RunMode::kFull : RunMode::kWarm);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, full.iterations);
    iterations_cold += full.iterations;
    iterations_warm += result.iterations;
    EXPECT_FALSE(result.drift);
  }
  EXPECT_LT(iterations_warm, iterations_cold);
}

TEST(RunJobTest, WarmRunsAreHeldAgainstAFullOneAtIntervals) {
  WarmRuns runs({.warm_start = true, .check_every = 3});
  for (int i = 0; i < 9; ++i) {
    SCOPED_TRACE(i);
    const RunResult& result = *runs.Next().result;
    const bool is_check = i > 0 && i % 3 == 0;
    EXPECT_EQ(result.mode, i == 0 || is_check ? RunMode::kFull : RunMode::kWarm);
    ASSERT_EQ(result.drift.has_value(), is_check);
    EXPECT_LE(result.drift.value_or(0), 1e-6);
    EXPECT_FALSE(result.fell_back);
  }
}

// The deadline may leave time for one run, but not for two.
TEST(RunJobTest, AWarmRunIsAResultWhenThereIsNoTimeToCheckIt) {
  const Numbering window(RandomPairs(5, 500, 3'000), 500, 1);
  const ManualClock clock;
  JobSpec job;
  job.parameters = PageRankParameters{.warm_start = true, .check_every = 1};
  const auto first = RunJob(job, window.advance, window.keys, clock, {});
  std::optional<CompletedRun> newest = first;
  for (int i = 0; i < 3; ++i) {
    int runs = 0;  // a run begins with iteration 1
    const auto in_time = [&](int iteration, double) { return (runs += iteration == 1) < 2; };
    const auto next = RunJob(job, window.advance, window.keys, clock, in_time, &*newest);
    ASSERT_TRUE(next);
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(next->result->mode, RunMode::kWarm);
    EXPECT_FALSE(next->result->drift);
    newest = next;
  }
}

// A few iterations do not come near the right ranks when they start far away.
TEST(RunJobTest, AJobWhoseRanksDriftStartsWarmNoMore) {
  WarmRuns runs({.max_iterations = 2, .warm_start = true, .check_every = 1});
  runs.Next();
  auto misled = std::make_shared<WholeVector>(*runs.newest().whole);
  std::ranges::fill(misled->scores, 1e-6);
  misled->scores[0] = 1;
  runs.newest().whole = misled;
  const RunResult checked = *runs.Next().result;
  EXPECT_EQ(checked.mode, RunMode::kFull);
  ASSERT_TRUE(checked.drift);
  EXPECT_GT(*checked.drift, 1e-3);
  EXPECT_TRUE(checked.fell_back);
  for (int i = 0; i < 3; ++i) {
    const RunResult& after = *runs.Next().result;
    EXPECT_EQ(after.mode, RunMode::kFull);
    EXPECT_FALSE(after.fell_back);
  }
}

TEST(RunJobTest, AfterAnEmptyWindowThereIsNothingToStartFrom) {
  const Numbering empty({}, 0, 1);
  const Numbering window(RandomPairs(5, 500, 3'000), 500, 1);
  const ManualClock clock;
  JobSpec job;
  job.parameters = PageRankParameters{.warm_start = true};
  const auto first = RunJob(job, empty.advance, empty.keys, clock, {});
  const auto second = RunJob(job, window.advance, window.keys, clock, {}, &*first);
  EXPECT_EQ(second->result->mode, RunMode::kFull);
  EXPECT_TRUE(second->result->converged);
}

TEST(RunJobTest, ParentsDoNotDependOnTheIdsOfTheirVertices) {
  const Pairs pairs = RandomPairs(9, 300, 1'500);
  const BfsParameters parameters{
      .roots = {std::int64_t{2}, std::int64_t{5}}, .separate = true, .parents = true};
  const CompletedRun one = Numbering(pairs, 300, 1).Run(parameters);
  const CompletedRun other = Numbering(pairs, 300, 2).Run(parameters);
  const auto& traversals = std::get<BfsOutput>(one.result->output).traversals;
  const auto& others = std::get<BfsOutput>(other.result->output).traversals;
  ASSERT_EQ(traversals.size(), 2u);
  for (std::size_t i = 0; i < traversals.size(); ++i) {
    ASSERT_GT(traversals[i].top.size(), 50u);
    ASSERT_EQ(traversals[i].top.size(), others[i].top.size());
    for (std::size_t row = 0; row < traversals[i].top.size(); ++row) {
      EXPECT_EQ(traversals[i].top[row].key, others[i].top[row].key);
      EXPECT_EQ(traversals[i].top[row].parent, others[i].top[row].parent);
      EXPECT_EQ(traversals[i].top[row].parent.has_value(), traversals[i].top[row].depth > 0);
    }
  }
}

TEST(RunJobTest, VerticesWithoutAScoreAreNotListed) {
  const Numbering window({{0, 1}, {1, 0}, {1, 2}, {2, 2}}, 3, 1);
  const CompletedRun run = window.Run(ReciprocityParameters());
  const auto& output = std::get<ScoreOutput>(run.result->output);
  EXPECT_EQ(output.scored, 2u);
  ASSERT_EQ(output.top.size(), 2u);
  EXPECT_EQ(output.top[0].score, 1);
  EXPECT_EQ(output.top[1].score, 0.5);
  ASSERT_TRUE(output.figure);
  EXPECT_EQ(output.figure->value, 2.0 / 3);
  const Numbering loops({{0, 0}}, 1, 1);
  const CompletedRun none = loops.Run(ReciprocityParameters());
  EXPECT_EQ(std::get<ScoreOutput>(none.result->output).scored, 0u);
  EXPECT_EQ(std::get<ScoreOutput>(none.result->output).figure->value, std::nullopt);
}

std::vector<JobParameters> EveryKernelOnce() {
  const std::vector<VertexKey> roots = {std::int64_t{0}, std::int64_t{1}};
  std::vector<JobParameters> all = {PageRankParameters(),
                                    HitsParameters(),
                                    BfsParameters{.roots = roots},
                                    ShapeParameters(),
                                    WccParameters(),
                                    SccParameters(),
                                    SsspParameters{roots},
                                    TrianglesParameters(),
                                    LccParameters(),
                                    CdlpParameters(),
                                    KcoreParameters(),
                                    DegreeParameters(),
                                    StrengthParameters(),
                                    FanoutParameters(),
                                    ReciprocityParameters(),
                                    NewEdgesParameters(),
                                    VanishedEdgesParameters(),
                                    CyclesParameters{.max_length = 3},
                                    PathsParameters{roots, roots},
                                    EdgeFeaturesParameters{.max_length = 3},
                                    PageRankParameters{.weighted = true, .sources = roots}};
  // Pagerank twice; neither an external job nor a plug-in, which have no kernel here.
  SASH_CHECK(all.size() + 1 == std::variant_size_v<JobParameters>);
  return all;
}

TEST(RunJobTest, EveryKernelStopsWhenToldToAndPublishesNothing) {
  const Numbering window(RandomPairs(3, 200, 900), 200, 1);
  for (const JobParameters& parameters : EveryKernelOnce()) {
    JobSpec job;
    job.parameters = parameters;
    const ManualClock clock;
    const auto kernel = std::visit([](const auto& p) { return p.kKernel; }, parameters);
    EXPECT_FALSE(RunJob(job, window.advance, window.keys, clock, [](int, double) { return false; }))
        << kernel;
    const auto run = RunJob(job, window.advance, window.keys, clock, {});
    ASSERT_TRUE(run) << kernel;
    EXPECT_EQ(run->result->kernel, kernel);
  }
}

// The phases that a run reported one after another, and the run itself.
struct ToldPhases {
  std::vector<RunPhase> begun;
  CompletedRun run;
};

ToldPhases Phases(const JobParameters& parameters, const Numbering& window,
                  const CompletedRun* previous = nullptr) {
  JobSpec job;
  job.parameters = parameters;
  const TickingClock clock;
  ToldPhases told;
  const KernelProgress progress([](int, double) { return true; },
                                [&](RunPhase phase) {
                                  if (told.begun.empty() || told.begun.back() != phase) {
                                    told.begun.push_back(phase);
                                  }
                                });
  told.run = *RunJob(job, window.advance, window.keys, clock, progress, previous);
  return told;
}

constexpr RunPhase kPreparing = RunPhase::kPreparing;
constexpr RunPhase kComputing = RunPhase::kComputing;
constexpr RunPhase kFinishing = RunPhase::kFinishing;

TEST(RunJobTest, EveryKernelPreparesComputesAndFinishesWhichIsAllThatARunTakes) {
  const Numbering window(RandomPairs(3, 200, 900), 200, 1);
  for (const JobParameters& parameters : EveryKernelOnce()) {
    const auto [begun, run] = Phases(parameters, window);
    EXPECT_EQ(begun, (std::vector{kPreparing, kComputing, kFinishing})) << run.result->kernel;
    const RunPhases& phases = run.result->phases;
    Duration sum{};
    for (const RunPhase phase : begun) {
      EXPECT_GT(phases[phase], Duration()) << run.result->kernel;
      sum += phases[phase];
    }
    EXPECT_EQ(phases.total(), sum) << run.result->kernel;
    EXPECT_EQ(run.result->seconds, ToSeconds(sum)) << run.result->kernel;
  }
}

TEST(RunJobTest, RunsOfSeveralTraversalsOrOfTwoPageRanksAreInAPhaseMoreThanOnce) {
  const Numbering window(RandomPairs(3, 200, 900), 200, 1);
  const BfsParameters each{.roots = {std::int64_t{0}, std::int64_t{1}},
                           .direction = TraversalDirection::kBoth,
                           .separate = true};
  const std::vector twice = {kPreparing, kComputing, kFinishing,
                             kPreparing, kComputing, kFinishing};
  EXPECT_EQ(Phases(each, window).begun, twice);
  const PageRankParameters warm{.warm_start = true, .check_every = 1};
  const CompletedRun first = Phases(warm, window).run;
  const ToldPhases checked = Phases(warm, window, &first);
  EXPECT_TRUE(checked.run.result->drift);
  EXPECT_EQ(checked.begun, twice);
}

TEST(RunJobTest, AnEmptyWindowLeavesPageRankNothingToCompute) {
  EXPECT_EQ(Phases(PageRankParameters(), Numbering({}, 0, 1)).begun, std::vector{kPreparing});
}

}  // namespace
}  // namespace sash
