#include "daemon/metrics/result_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/sinks/result_json.h"
#include "tests/daemon/http/tiny_daemon.h"
#include "windows/jobs/kinds/kinds.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using Values = std::map<std::string, double>;

Values ValuesOf(const RunResult& result) {
  Values values;
  for (const auto& [name, value] : FiguresOf(result).numbers) {
    EXPECT_TRUE(values.emplace(name, value).second) << name << " comes twice";
  }
  return values;
}

template <std::size_t... I>
std::vector<JobParameters> OneOfEach(std::index_sequence<I...>) {
  return {std::variant_alternative_t<I, JobParameters>()...};
}

bool IsNotInThisProcess(const JobParameters& parameters) {
  return IsExternal(parameters) || std::holds_alternative<PluginParameters>(parameters);
}

// The numbers in the JSON of a result that gauges show. Those of its provenance, which metrics of
// the window and of the job have, are not.
Values ShownIn(const Json& json) {
  static const std::set<std::string> kOfOthers = {"schema",  "snapshot", "late",
                                                  "refused", "accepted", "seconds"};
  Values values;
  for (const auto& [name, value] : json.items()) {
    if (value.is_number() && !kOfOthers.contains(name)) values[name] = value;
    if (name == "converged") values[name] = value.get<bool>() ? 1 : 0;
  }
  if (!json.contains("top") || json.at("top").empty()) return values;
  for (const char* value : {"score", "size"}) {
    const Json& first = json.at("top").front();
    if (first.contains(value)) values[std::string("top_") + value] = first.at(value);
  }
  return values;
}

TEST(ResultFiguresTest, AreTheNumbersInTheJsonOfEveryKernelsResults) {
  std::vector<JobParameters> kernels =
      OneOfEach(std::make_index_sequence<std::variant_size_v<JobParameters>>());
  std::erase_if(kernels, IsNotInThisProcess);  // there is neither a worker nor a plug-in here
  TinyDaemon daemon(KeyKind::kString, {std::string("a")}, kernels);
  std::map<std::string, RunResult> newest;
  daemon.on_run = [&](const RunResult& result) { newest.insert_or_assign(result.job, result); };
  for (const double seconds : {1., 11.}) {
    for (const char* target : {"b", "c", "d"}) {
      daemon.Add(std::string("a"), std::string(target), seconds);
      daemon.Add(std::string(target), "e" + std::to_string(seconds), seconds);
    }
    daemon.Add(std::string("b"), std::string("a"), seconds);
    daemon.Add(std::string("b"), std::string("c"), seconds);
  }
  daemon.EndSource();
  std::set<std::string> names;
  for (const std::string_view kernel : kKernels) {
    if (kernel == ExternalParameters::kKernel || kernel == PluginParameters::kKernel) continue;
    ASSERT_TRUE(newest.contains(std::string(kernel))) << kernel;
  }
  for (const auto& [job, result] : newest) {
    const Json json = Json::parse(ResultJson(result));
    ASSERT_FALSE(json.contains("error")) << json;
    const Values values = ValuesOf(result);
    EXPECT_EQ(values, ShownIn(json)) << json;
    EXPECT_FALSE(FiguresOf(result).has_error);
    EXPECT_EQ(FiguresOf(result).window_end, result.provenance.window_end);
    for (const auto& [name, value] : values) names.insert(name);
  }
  for (const char* name : {"reached", "pairs", "weight", "components", "communities", "triangles",
                           "cycles", "residual", "top_score", "top_size"}) {
    EXPECT_TRUE(names.contains(name)) << name << ": no kernel gave it, so nothing was compared";
  }
}

RunResult ResultOf(JobParameters parameters, KernelOutput output) {
  RunResult result;
  result.parameters = std::move(parameters);
  result.output = std::move(output);
  return result;
}

TEST(ResultFiguresTest, OfAResultWithAnErrorNoneIsShown) {
  RunResult result = ResultOf(SsspParameters(), DistancesOutput{.reached = 3, .top = {}});
  EXPECT_EQ(ValuesOf(result).at("reached"), 3);
  std::get<DistancesOutput>(result.output).negative_edges = 1;
  const ResultFigures figures = FiguresOf(result);
  EXPECT_TRUE(figures.has_error);
  EXPECT_THAT(figures.numbers, IsEmpty());
}

TEST(ResultFiguresTest, AFigureWithoutAFiniteValueIsLeftOut) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto of_run = {std::pair<const std::string, double>("edges", 0),
                       {"vertices", 0},
                       {"iterations", 0},
                       {"converged", 1}};
  ScoreOutput scores{.top = {}, .figure = {{.name = "mean", .value = {}}}};
  RunResult result = ResultOf(LccParameters(), scores);
  EXPECT_EQ(ValuesOf(result), Values(of_run)) << "it has no value in this window";
  for (const double value : {kInfinity, std::nan("")}) {
    scores.figure->value = value;
    result.output = scores;
    EXPECT_EQ(ValuesOf(result), Values(of_run)) << value;
  }
  scores.figure->value = 0.25;
  result.output = scores;
  EXPECT_EQ(ValuesOf(result).at("mean"), 0.25);
}

TEST(ResultFiguresTest, TheFirstRowOfNearestVerticesIsNotAGreatestValue) {
  DistancesOutput output{.reached = 1, .top = {{.key = std::string("a"), .rank = 1}}};
  EXPECT_THAT(ValuesOf(ResultOf(SsspParameters(), output)),
              UnorderedElementsAre(Pair("reached", 1), Pair("edges", 0), Pair("vertices", 0),
                                   Pair("iterations", 0), Pair("converged", 1)));
}

}  // namespace
}  // namespace sash
