#include "daemon/config/job_baselines.h"

#include <gmock/gmock.h>

#include <memory>

namespace sash {
namespace {

using ::testing::HasSubstr;

JobSpec DegreesOn(const std::string& window, const std::string& baseline = {}) {
  JobSpec job;
  job.name = "of-" + window;
  job.window = window;
  job.parameters = DegreeParameters{};
  if (!baseline.empty()) job.baseline = BaselineSpec{.window = baseline};
  return job;
}

std::vector<WindowSpec> Windows() {
  std::vector<WindowSpec> windows(4);
  const char* const names[] = {"a", "b", "c", "n"};
  for (std::size_t i = 0; i < windows.size(); ++i) windows[i].name = names[i];
  windows[3].by = WindowAxis::kEvents;
  return windows;
}

std::string ReasonFor(const JobSpec& job, const std::vector<JobSpec>& jobs) {
  return WhyWithoutBaseline(job, jobs, Windows()).value_or("");
}

TEST(JobBaselinesTest, NeedAJobOfTheSameKernelAndParameters) {
  const JobSpec job = DegreesOn("a", "b");
  EXPECT_EQ(ReasonFor(job, {job, DegreesOn("b")}), "");
  EXPECT_EQ(ReasonFor(DegreesOn("a"), {}), "");
  JobSpec other = DegreesOn("b");
  other.parameters = DegreeParameters{.direction = TraversalDirection::kIn};
  EXPECT_THAT(ReasonFor(job, {job, other}),
              HasSubstr("no job of kernel degree with the same parameters runs; add one to jobs: "
                        "{name: of-a-b, kernel: degree, window: b}"));
  other.parameters = FanoutParameters{};
  EXPECT_THAT(ReasonFor(job, {job, other}), HasSubstr("add one to jobs"));
}

TEST(JobBaselinesTest, NeedAnotherWindowOfTheSameAxis) {
  EXPECT_THAT(ReasonFor(DegreesOn("a", "a"), {}), HasSubstr("{results: N}"));
  EXPECT_THAT(ReasonFor(DegreesOn("a", "x"), {}), HasSubstr("windows: a, b, c, n"));
  EXPECT_THAT(ReasonFor(DegreesOn("a", "n"), {DegreesOn("n")}), HasSubstr("the same `by`"));
}

TEST(JobBaselinesTest, GoRoundInNoCircle) {
  const std::vector<JobSpec> circle = {DegreesOn("a", "b"), DegreesOn("b", "c"),
                                       DegreesOn("c", "a")};
  for (const JobSpec& job : circle) {
    EXPECT_THAT(ReasonFor(job, circle), HasSubstr("leave out one of the baselines"));
  }
  EXPECT_EQ(ReasonFor(circle[0], {circle[0], circle[1], DegreesOn("c")}), "");
  const std::vector<JobSpec> running = {DegreesOn("a"), circle[1], circle[2]};
  EXPECT_THAT(ReasonFor(circle[0], running), HasSubstr("(by job `of-c`)"))
      << "the new settings of a job take the place of its old ones";
}

TEST(JobBaselinesTest, PlugInsAreTheSameWithTheSameValues) {
  auto loaded = std::make_shared<PluginKernel>();
  loaded->file = "/p.so";
  loaded->table.output = SASH_SCORES;
  JobSpec job = DegreesOn("a", "b");
  JobSpec other = DegreesOn("b");
  PluginParameters plugin{.file = "p.so", .values = {{"damping", 0.85}}, .kernel = loaded};
  job.parameters = plugin;
  plugin.given = {{"damping", 0.85}};  // the default
  other.parameters = plugin;
  EXPECT_EQ(ReasonFor(job, {job, other}), "");
  plugin.values = {{"damping", 0.5}};
  other.parameters = plugin;
  EXPECT_THAT(ReasonFor(job, {job, other}), HasSubstr("no job of kernel plugin"));
  auto sets = std::make_shared<PluginKernel>(*loaded);
  sets->table.output = SASH_SETS;
  EXPECT_TRUE(HasScores(job.parameters));
  plugin.kernel = sets;
  EXPECT_FALSE(HasScores(plugin));
}

}  // namespace
}  // namespace sash
