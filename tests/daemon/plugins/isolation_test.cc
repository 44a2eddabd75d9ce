// Plug-ins in processes of their own: results equal those in this process; whatever the plug-in
// does to its process, the run fails with a reason, and the process is gone afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "tests/daemon/plugins/plugin_runs.h"
#include "tests/support/named_seed.h"
#include "tests/support/random_graph.h"
#include "tests/support/sliding_view.h"
#include "windows/base/sanitizers.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using testing::MakeCsr;
using testing::PluginRuns;
using testing::RandomPairs;
using testing::SlidingView;

class IsolationRuns : public PluginRuns {
 protected:
  static JobSpec Alone(JobSpec job) {
    std::get<PluginParameters>(job.parameters).isolate = true;
    return job;
  }
  JobSpec Loaded(JobSpec job) const {
    for (const PluginFault& fault : LoadPluginOf(job, {folder_.path()})) {
      ADD_FAILURE() << fault.key << ": " << fault.message;
    }
    return job;
  }
  static bool HasChildren() { return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }
};

class IsolatedEqualityTest : public IsolationRuns, public ::testing::WithParamInterface<StoreSpec> {
 protected:
  IsolatedEqualityTest() {
    for (VertexId v = 0; v < SlidingView::kIds; ++v) {
      VertexDictionary::Writer(keys_).Intern("vértex " + std::to_string(v * 7919 % 4001));
    }
  }
  // Scores may differ in their last digits, because lists have no order.
  void ExpectEqual(const JobSpec& job, const WindowView& view) const {
    const auto here = Run(job, view, keys_);
    const auto alone = Run(Loaded(Alone(job)), view, keys_);
    ASSERT_TRUE(here && alone) << why_;
    EXPECT_EQ(alone->whole->groups, here->whole->groups);
    EXPECT_EQ(alone->whole->depths, here->whole->depths);
    ASSERT_EQ(alone->whole->scores.size(), here->whole->scores.size());
    for (std::size_t v = 0; v < here->whole->scores.size(); ++v) {
      const double score = here->whole->scores[v];
      ASSERT_EQ(std::isnan(alone->whole->scores[v]), std::isnan(score)) << "id " << v;
      if (std::isnan(score)) continue;
      ASSERT_NEAR(alone->whole->scores[v], score, 1e-12) << "id " << v;
    }
    EXPECT_EQ(alone->result->iterations, here->result->iterations);
    ASSERT_EQ(alone->result->figures.size(), here->result->figures.size());
    for (std::size_t i = 0; i < here->result->figures.size(); ++i) {
      EXPECT_EQ(alone->result->figures[i].name, here->result->figures[i].name);
      ASSERT_TRUE(alone->result->figures[i].value && here->result->figures[i].value);
      EXPECT_NEAR(*alone->result->figures[i].value, *here->result->figures[i].value, 1e-12);
    }
  }

  VertexDictionary keys_{KeyKind::kString};
};

TEST_P(IsolatedEqualityTest, ExamplesAreEqualOnEveryWindow) {
  const testing::NamedSeed seed;
  SlidingView window(GetParam(), seed.value(), 6, 1'000);
  for (int advance = 0; advance < 2; ++advance) {
    const VertexId some = window.view()->vertices().back();
    const PluginParameter root{"root", std::string(keys_.TextOf(some))};
    for (const JobSpec& job :
         {ExampleJob("reciprocity"), ExampleJob("colouring"), ExampleJob("vertex_pagerank"),
          ExampleJob("vertex_sssp", {root}), ExampleJob("vertex_flood_echo", {root})}) {
      SCOPED_TRACE(std::get<PluginParameters>(job.parameters).kernel->title);
      ExpectEqual(job, window.view());
    }
    window.Advance();
  }
  EXPECT_FALSE(HasChildren());
}

INSTANTIATE_TEST_SUITE_P(AllPolicies, IsolatedEqualityTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

class IsolationTest : public IsolationRuns {
 protected:
  IsolationTest() {
    for (VertexId v = 0; v < kIds; ++v) VertexDictionary::Writer(keys_).Intern(std::int64_t{v});
  }
  std::optional<RunFailure> FailureOf(const std::string& fault,
                                      const KernelProgress& progress = {}) {
    const JobSpec job = Loaded(Alone(FixtureJob("hostile", {{"fault", fault}})));
    return FailureOf(job, progress);
  }
  std::optional<RunFailure> FailureOf(const JobSpec& job, const KernelProgress& progress = {}) {
    auto advance = std::make_shared<Advance>();
    advance->view = view_;
    advance->provenance.vertices = view_->vertices().size();
    std::optional<RunFailure> failure;
    run_ =
        RunJob(job, advance, keys_, ManualClock(), progress, nullptr, false, {}, nullptr, &failure);
    EXPECT_FALSE(HasChildren()) << "a process is left";
    return failure;
  }

  static constexpr VertexId kIds = 300;
  VertexDictionary keys_{KeyKind::kInteger};
  const std::shared_ptr<const CsrGraph> view_ =
      std::make_shared<const CsrGraph>(MakeCsr(RandomPairs(5, kIds, 900), kIds));
  std::optional<CompletedRun> run_;
};

TEST_F(IsolationTest, AProcessThatEndsFailsTheRunWithItsReason) {
  for (const auto& [fault, why] :
       {std::pair{"abort", "its process was ended by signal 6 (Aborted)"},
        std::pair{"segfault", "its process was ended by signal 11 (Segmentation fault)"},
        std::pair{"exits", "its process ended with exit code 0 before it had answered"},
        std::pair{"closes", "it closed the descriptor of its answer and went on"}}) {
    const auto failure = FailureOf(fault);
    ASSERT_TRUE(failure.has_value()) << fault;
    EXPECT_EQ(failure->fault, RunFault::kPluginDied);
    if (kSanitized && fault != std::string("abort")) continue;  // they end the process differently
    EXPECT_EQ(failure->why, std::string("plug-in hostile 1.0: ") + why);
    EXPECT_FALSE(run_.has_value());
  }
  EXPECT_FALSE(FailureOf("none").has_value());
  EXPECT_TRUE(run_.has_value()) << "a later run is not disturbed";
}

TEST_F(IsolationTest, WrongAnswersAndFailuresHaveTheReasonsOfOtherPlugins) {
  for (const auto& [fault, kind, why] :
       {std::tuple{"nan", RunFault::kWrongAnswer, " is NaN"},
        std::tuple{"few", RunFault::kWrongAnswer, "it gives 1 values, but there are "},
        std::tuple{"garbage", RunFault::kWrongAnswer, "it gives 18446744073709551615 values"},
        std::tuple{"fails", RunFault::kPluginFailed, "it was told to fail"},
        std::tuple{"writes", RunFault::kWrongAnswer,
                   "its process wrote bytes that are not an answer"}}) {
    const auto failure = FailureOf(fault);
    ASSERT_TRUE(failure.has_value()) << fault;
    EXPECT_EQ(failure->fault, kind) << fault;
    EXPECT_THAT(failure->why, HasSubstr(std::string("plug-in hostile 1.0: "))) << fault;
    EXPECT_THAT(failure->why, HasSubstr(why)) << fault;
  }
}

TEST_F(IsolationTest, ARunThatIsStoppedEndsItsProcessWhateverThePluginDoes) {
  for (const char* const fault : {"slow", "endless", "forks"}) {
    const auto begun = std::chrono::steady_clock::now();
    const auto until = begun + std::chrono::milliseconds(300);
    const auto failure =
        FailureOf(fault, [&](int, double) { return std::chrono::steady_clock::now() < until; });
    EXPECT_FALSE(failure.has_value()) << fault;
    EXPECT_FALSE(run_.has_value()) << fault;
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(4)) << fault;
  }
}

TEST_F(IsolationTest, ThisProcessDoesNotLoadThePlugin) {
  JobSpec job;
  PluginParameters plugin;
  plugin.file = folder_.Fixture("bad_constructor");
  plugin.isolate = true;
  job.parameters = plugin;
  const std::vector<PluginFault> faults = LoadPluginOf(job, {folder_.path()});
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].key, "plugin");
  EXPECT_THAT(faults[0].message,
              HasSubstr("cannot be used: its process was ended by signal 6 (Aborted)"));
}

TEST_F(IsolationTest, WrongPluginsAreRefusedLikeOthers) {
  for (const char* const name : {"later_member", "no_symbol", "short_symbol", "taken_figure",
                                 "unlinked", "wrong_abi", "wrong_schema", "wrong_size"}) {
    PluginParameters plugin;
    plugin.file = folder_.Fixture(name);
    JobSpec here;
    here.parameters = plugin;
    const std::vector<PluginFault> faults = LoadPluginOf(here, {folder_.path()});
    JobSpec alone = Alone(here);
    const std::vector<PluginFault> others = LoadPluginOf(alone, {folder_.path()});
    ASSERT_EQ(faults.size(), 1u) << name;
    ASSERT_EQ(others.size(), 1u) << name;
    EXPECT_EQ(others[0].message, faults[0].message);
  }
}

TEST_F(IsolationTest, AFileThatHasChangedIsRefusedUntilItIsLoadedAgain) {
  const std::string file = folder_.Copy(SASH_FIXTURES, "hostile", "changing");
  JobSpec job;
  PluginParameters plugin;
  plugin.file = file;
  plugin.isolate = true;
  job.parameters = plugin;
  job = Loaded(job);
  EXPECT_FALSE(FailureOf(job).has_value());
  std::filesystem::last_write_time(
      file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  const auto failure = FailureOf(job);
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->why, HasSubstr("has changed since it was loaded: reload"));
  const JobSpec before = job;
  job = Loaded(job);
  EXPECT_FALSE(FailureOf(job).has_value());
  EXPECT_FALSE(EqualPlugins(std::get<PluginParameters>(before.parameters),
                            std::get<PluginParameters>(job.parameters)));
}

}  // namespace
}  // namespace sash
