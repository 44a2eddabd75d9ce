// Plug-ins as jobs: what their answers become, what is refused, and runs that do not end. The
// kernels are functions of this file; tests/daemon/plugins loads them from shared objects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <stdexcept>
#include <thread>

#include "tests/windows/jobs/stepped_jobs.h"
#include "windows/jobs/kept_reason.h"
#include "windows/jobs/plugin/lost_runs.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/run_job.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Job;
using testing::MakeAdvance;
using testing::World;

using Kernel = int (*)(const sash_run*);

PluginParameters PluginOf(std::uint32_t output, Kernel kernel, const char* figure = nullptr) {
  auto loaded = std::make_shared<PluginKernel>();
  loaded->title = "mine 1.0";
  loaded->table.size = sizeof(sash_kernel);
  loaded->table.abi = SASH_ABI;
  loaded->table.output = output;
  loaded->table.run = kernel;
  if (figure != nullptr) loaded->figures.emplace_back(figure);
  PluginParameters plugin;
  plugin.file = "mine.so";
  plugin.values = {{"half", 0.5}, {"count", std::int64_t{7}}, {"on", true}, {"word", "text"}};
  plugin.json = R"({"half":0.5})";
  plugin.kernel = std::move(loaded);
  return plugin;
}

// Ids in another order than their keys: 0 is "c", 1 "a", 2 "b"; the edges are c->a and a->b.
class PluginRunTest : public ::testing::Test {
 protected:
  PluginRunTest() {
    VertexDictionary::Writer writer(keys_);
    for (const char* key : {"c", "a", "b", "not in the window"}) writer.Intern(key);
  }
  std::optional<CompletedRun> Run(const PluginParameters& plugin,
                                  std::optional<RunFailure>* failure = nullptr,
                                  const KernelProgress& progress = {}) {
    return RunJob(Job("mine", plugin), advance_, keys_, clock_, progress, nullptr, false, {},
                  &lost_, failure);
  }
  RunFailure FailureOf(std::uint32_t output, Kernel kernel) {
    std::optional<RunFailure> failure;
    EXPECT_FALSE(Run(PluginOf(output, kernel), &failure));
    EXPECT_TRUE(failure.has_value());
    return failure.value_or(RunFailure());
  }
  void ExpectWrong(std::uint32_t output, Kernel kernel, const std::string& why) {
    const RunFailure failure = FailureOf(output, kernel);
    EXPECT_EQ(failure.fault, RunFault::kWrongAnswer);
    EXPECT_THAT(failure.why, HasSubstr("plug-in mine 1.0: "));
    EXPECT_THAT(failure.why, HasSubstr(why));
  }

  VertexDictionary keys_{KeyKind::kString};
  ManualClock clock_;
  LostRuns lost_{std::chrono::milliseconds(30)};
  AdvancePtr advance_ = [] {
    auto advance = std::make_shared<Advance>(*MakeAdvance(1));
    advance->provenance.vertices = 3;
    return advance;
  }();
};

TEST_F(PluginRunTest, ScoresAreRankedAndAVertexMayHaveNone) {
  const auto run = Run(PluginOf(
      SASH_SCORES,
      [](const sash_run* of) {
        const double scores[] = {1, 3, std::numeric_limits<double>::quiet_NaN()};
        const std::uint8_t has[] = {1, 1, 0};
        of->put_figure(of, "total", 4);
        of->progress(of, 5, 0.25);
        return of->put_scores(of, scores, has, 3);
      },
      "total"));
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->result->kernel, "plugin");
  EXPECT_EQ(run->result->iterations, 5);
  const auto& output = std::get<ScoreOutput>(run->result->output);
  ASSERT_EQ(output.top.size(), 2u);
  EXPECT_EQ(output.top[0].key, VertexKey("a"));
  EXPECT_EQ(output.scored, 2u);
  const ResultTable table = DescribeResult(*run->result);
  ASSERT_EQ(table.figures.size(), 1u);
  EXPECT_EQ(table.figures[0].name, "total");
  EXPECT_EQ(std::get<std::optional<double>>(table.figures[0].value), 4.0);
}

TEST_F(PluginRunTest, SetsAreNamedByTheirLeastKey) {
  const auto run = Run(PluginOf(SASH_SETS, [](const sash_run* of) {
    const std::uint32_t sets[] = {2, 0, 2};
    return of->put_sets(of, sets, 3);
  }));
  ASSERT_TRUE(run.has_value());
  const auto& output = std::get<GroupsOutput>(run->result->output);
  EXPECT_EQ(output.groups, 2u);
  ASSERT_EQ(output.top.size(), 2u);
  EXPECT_EQ(output.top[0].key, VertexKey("b"));  // of b and c
  EXPECT_EQ(output.top[0].count, 2u);
}

TEST_F(PluginRunTest, DepthsAreListedNearestFirst) {
  const auto run = Run(PluginOf(SASH_DEPTHS, [](const sash_run* of) {
    const std::int32_t depths[] = {-1, 4, 0};
    return of->put_depths(of, depths, 3);
  }));
  ASSERT_TRUE(run.has_value());
  const ResultTable table = DescribeResult(*run->result);
  const auto& rows = *std::get<const std::vector<ReachedVertex>*>(table.lists.at(0).rows);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].key, VertexKey("b"));
  EXPECT_EQ(rows[1].depth, 4);
  EXPECT_EQ(table.lists[0].available, 2u);
}

TEST_F(PluginRunTest, EdgesAreListedByKeyAndCounted) {
  const auto run = Run(PluginOf(SASH_EDGES, [](const sash_run* of) {
    const sash_id sources[] = {0, 1, 1};
    const sash_id targets[] = {1, 2, 0};
    return of->put_edges(of, sources, targets, 3);
  }));
  ASSERT_TRUE(run.has_value());
  const auto& output = std::get<ChangesOutput>(run->result->output);
  EXPECT_EQ(output.pairs, 3u);
  ASSERT_EQ(output.first.size(), 3u);
  EXPECT_EQ(output.first[0].source, VertexKey("a"));
  EXPECT_EQ(output.first[0].target, VertexKey("b"));
  EXPECT_EQ(output.first[2].source, VertexKey("c"));
}

TEST_F(PluginRunTest, AnswersThatDoNotFitTheWindowAreRefusedWithTheReason) {
  ExpectWrong(
      SASH_SCORES,
      [](const sash_run* of) {
        const double scores[] = {1, std::numeric_limits<double>::quiet_NaN(), 2};
        return of->put_scores(of, scores, nullptr, 3);
      },
      "the score of the vertex with id 1 is NaN");
  ExpectWrong(
      SASH_SCORES,
      [](const sash_run* of) {
        const double scores[] = {1, 2, std::numeric_limits<double>::infinity()};
        return of->put_scores(of, scores, nullptr, 3);
      },
      "the score of the vertex with id 2 is infinite");
  ExpectWrong(
      SASH_SCORES,
      [](const sash_run* of) {
        const double scores[] = {1, 2};
        return of->put_scores(of, scores, nullptr, 2);
      },
      "it gives 2 values, but there are 3 ids (id_limit)");
  ExpectWrong(
      SASH_SCORES,
      [](const sash_run* of) {
        return of->put_scores(of, nullptr, nullptr, std::numeric_limits<std::size_t>::max());
      },
      "values, but there are 3 ids");
  ExpectWrong(
      SASH_SCORES, [](const sash_run* of) { return of->put_scores(of, nullptr, nullptr, 3); },
      "it gives no array of scores");
  ExpectWrong(
      SASH_SETS,
      [](const sash_run* of) {
        const std::uint32_t sets[] = {0, 0, 3};
        return of->put_sets(of, sets, 3);
      },
      "the set of the vertex with id 2 is 3; it must be below id_limit (3)");
  ExpectWrong(
      SASH_DEPTHS,
      [](const sash_run* of) {
        const std::int32_t depths[] = {0, -2, 1};
        return of->put_depths(of, depths, 3);
      },
      "the depth of the vertex with id 1 is -2");
  ExpectWrong(
      SASH_EDGES,
      [](const sash_run* of) {
        const sash_id sources[] = {0, 3};
        const sash_id targets[] = {1, 1};
        return of->put_edges(of, sources, targets, 2);
      },
      "edge 1 names the id 3, which is not in the window");
  ExpectWrong(
      SASH_SCORES,
      [](const sash_run* of) {
        const std::uint32_t sets[] = {0, 0, 0};
        return of->put_sets(of, sets, 3);
      },
      "it gives sets, but says that it gives scores");
  ExpectWrong(
      SASH_SCORES, [](const sash_run* of) { return of->put_figure(of, "unknown", 1); },
      "the figure 'unknown', which it does not declare");
  ExpectWrong(
      SASH_SCORES, [](const sash_run*) { return 0; }, "it returned 0 without an answer");
  ExpectWrong(
      SASH_SCORES,
      [](const sash_run* of) {
        const double scores[] = {1, 2, 3};
        of->put_scores(of, scores, nullptr, 3);
        return of->put_scores(of, scores, nullptr, 3);
      },
      "it gives a second answer");
}

TEST_F(PluginRunTest, ItsOwnFailuresAreTheReason) {
  RunFailure failure = FailureOf(SASH_SCORES, [](const sash_run* of) {
    of->fail(of, "no roots");
    of->fail(of, "a consequence");
    return 1;
  });
  EXPECT_EQ(failure.fault, RunFault::kPluginFailed);
  EXPECT_EQ(failure.why, "plug-in mine 1.0: no roots");
  failure = FailureOf(SASH_SCORES, [](const sash_run* of) {
    of->fail(of, std::string(3 * kMostReasonKept, 'x').c_str());
    return 1;
  });
  EXPECT_EQ(failure.why, "plug-in mine 1.0: " + std::string(kMostReasonKept, 'x') + "...");
  failure = FailureOf(SASH_SCORES, [](const sash_run*) { return 12; });
  EXPECT_EQ(failure.why, "plug-in mine 1.0: it returned 12");
  failure = FailureOf(SASH_SCORES, [](const sash_run*) -> int { throw std::runtime_error("oh"); });
  EXPECT_EQ(failure.why, "plug-in mine 1.0: it threw an exception: oh");
  failure = FailureOf(SASH_SCORES, [](const sash_run* of) {
    of->parallel_for(
        of, 10, 1, [](void*, std::size_t, std::size_t) { throw std::runtime_error("in a loop"); },
        nullptr);
    return 0;
  });
  EXPECT_EQ(failure.why, "plug-in mine 1.0: it threw an exception: in a loop");
}

TEST_F(PluginRunTest, ItReadsParametersAndKeys) {
  std::optional<RunFailure> failure;
  Run(PluginOf(SASH_SCORES,
               [](const sash_run* of) {
                 char key[2];
                 const std::size_t length = of->key(of, 0, key, 2);
                 sash_id order[3];
                 of->order_by_key(of, order);
                 const bool right = length == 1 && key[0] == 'c' && of->key(of, 3, key, 2) == 0 &&
                                    of->find(of, "a", 1) == 1 &&
                                    of->find(of, "not in the window", 17) == SASH_NO_ID &&
                                    order[0] == 1 && order[1] == 2 && order[2] == 0 &&
                                    of->number(of, "half") == 0.5 && of->number(of, "count") == 7 &&
                                    of->integer(of, "count") == 7 && of->boolean(of, "on") == 1 &&
                                    std::string(of->text(of, "word")) == "text" &&
                                    of->number(of, "none") == 0;
                 of->fail(of, right ? "right" : "wrong");
                 return 1;
               }),
      &failure);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->why, "plug-in mine 1.0: right");
}

std::atomic<bool> has_begun = false;
std::atomic<bool> let_end = false;

int RunUntilLet(const sash_run* run) {
  has_begun = true;
  while (!let_end) std::this_thread::yield();
  const double scores[] = {1, 2, 3};
  return run->put_scores(run, scores, nullptr, 3);
}

TEST_F(PluginRunTest, ARunThatIsStoppedIsCancelled) {
  std::optional<RunFailure> failure;
  const auto run = Run(PluginOf(SASH_SCORES,
                                [](const sash_run* of) {
                                  while (of->should_stop(of) == 0) std::this_thread::yield();
                                  return 1;
                                }),
                       &failure, [](int, double) { return false; });
  EXPECT_FALSE(run.has_value());
  EXPECT_FALSE(failure.has_value());
}

TEST_F(PluginRunTest, ARunThatGoesOnIsLostAndTheJobDoesNotRunUntilItEnds) {
  let_end = false;
  std::optional<RunFailure> failure;
  EXPECT_FALSE(
      Run(PluginOf(SASH_SCORES, RunUntilLet), &failure, [](int, double) { return false; }));
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->fault, RunFault::kPluginLost);
  EXPECT_THAT(failure->why, HasSubstr("after it was asked to stop; the job is paused"));
  EXPECT_EQ(lost_.under_way(), 1u);
  EXPECT_FALSE(Run(PluginOf(SASH_SCORES, RunUntilLet), &failure));
  EXPECT_EQ(failure->fault, RunFault::kPluginLost);
  EXPECT_THAT(failure->why, HasSubstr("an earlier run of this job was lost"));
  let_end = true;
  while (lost_.under_way() > 0) std::this_thread::yield();
  EXPECT_TRUE(Run(PluginOf(SASH_SCORES, RunUntilLet)).has_value());
}

TEST(PluginJobTest, ALostRunPausesItsJobAndGivesTheRunnerBack) {
  let_end = false;
  has_begun = false;
  JobSpec mine = Job("mine", PluginOf(SASH_SCORES, RunUntilLet));
  mine.deadline = std::chrono::milliseconds(1);
  World world({mine, Job("other")});
  world.sink.stepped = false;
  world.scheduler.Start();
  world.scheduler.Submit(MakeAdvance(1));
  while (!has_begun) std::this_thread::yield();
  world.clock.Advance(std::chrono::seconds(1));
  world.scheduler.Drain();
  const std::vector<JobStatus> jobs = world.scheduler.Statuses();
  EXPECT_TRUE(jobs.at(0).paused);
  EXPECT_EQ(jobs.at(0).failed[static_cast<std::size_t>(RunFault::kPluginLost)], 1u);
  EXPECT_EQ(jobs.at(1).runs, 1u) << "the runner went on to the other job";
  EXPECT_EQ(world.scheduler.lost_runs(), 1u);
  world.scheduler.Submit(MakeAdvance(2));
  world.scheduler.Drain();
  EXPECT_EQ(world.scheduler.Statuses().at(0).failures(), 1u) << "a paused job is not due";
  let_end = true;
  world.scheduler.Stop();
  EXPECT_EQ(world.scheduler.lost_runs(), 0u);
}

}  // namespace
}  // namespace sash
