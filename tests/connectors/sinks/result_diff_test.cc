#include "connectors/sinks/result_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "connectors/sinks/result_json.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/plugin_of_scores.h"
#include "windows/jobs/previous_results.h"

namespace sash {
namespace {

using testing::At;
using testing::FinishedRuns;
using testing::NamedEdge;
using testing::PluginOfScores;
using Json = nlohmann::ordered_json;

class ResultDiffTest : public ::testing::Test {
 protected:
  std::shared_ptr<const RunResult> Run(const JobParameters& parameters,
                                       const std::vector<NamedEdge>& edges, std::int64_t end,
                                       std::size_t top = 50) {
    return runs_.Run(FinishedRuns::Job("x", parameters, top), runs_.MakeAdvance(edges, At(end)))
        .result;
  }
  static std::string Next(PreviousResults& previous,
                          const std::shared_ptr<const RunResult>& result) {
    return DiffJson(*result, previous.Before(result).get());
  }
  static std::string Text(const Json& json, const char* member) { return json.at(member).dump(); }

  FinishedRuns runs_;
};

TEST_F(ResultDiffTest, SaysWhoEnteredWhoLeftAndWhoMoved) {
  const DegreeParameters out{TraversalDirection::kOut};
  const auto before =
      Run(out, {{"a", "x", {}}, {"a", "y", {}}, {"b", "x", {}}, {"d", "y", {}}}, 300,
          3);  // a 2, b 1, d 1
  const auto now =
      Run(out, {{"a", "x", {}}, {"b", "x", {}}, {"b", "y", {}}, {"c", "x", {}}}, 310, 3);
  const Json diff = Json::parse(DiffJson(*now, before.get()));
  EXPECT_EQ(diff.at("since"), "1970-01-01T00:05:00.000Z");
  EXPECT_EQ(diff.at("window_end"), "1970-01-01T00:05:10.000Z");
  EXPECT_EQ(diff.at("kernel"), "degree");
  EXPECT_EQ(Text(diff, "entered"), R"([{"vertex":"c","rank":3,"score":1}])");
  EXPECT_EQ(Text(diff, "left"), R"([{"vertex":"d","rank_before":3,"score_before":1}])");
  EXPECT_EQ(Text(diff, "changed"),
            R"([{"vertex":"b","rank":1,"score":2,"rank_before":2,"score_before":1},)"
            R"({"vertex":"a","rank":2,"score":1,"rank_before":1,"score_before":2}])");
}

TEST_F(ResultDiffTest, NothingHasChangedBetweenEqualResults) {
  const auto result = Run(PageRankParameters(), {{"a", "b", {}}, {"b", "c", {}}}, 300);
  const Json diff = Json::parse(DiffJson(*result, result.get()));
  for (const char* member : {"entered", "left", "changed"}) EXPECT_EQ(Text(diff, member), "[]");
}

TEST_F(ResultDiffTest, ComparesTheListsOfEveryKernelThatHasOne) {
  const std::vector<NamedEdge> edges = {{"a", "b", {}}, {"b", "c", {}}, {"c", "a", {}}};
  const std::pair<JobParameters, const char*> kernels[] = {
      {PageRankParameters(), "score"},
      {BfsParameters{{"a"}}, "depth"},
      {SsspParameters{{"a"}}, "distance"},
      {TrianglesParameters(), "score"},
      {LccParameters(), "score"},
      {KcoreParameters(), "score"},
      {DegreeParameters(), "score"},
      {StrengthParameters(), "score"},
      {FanoutParameters(), "score"},
      {ReciprocityParameters(), "score"},
      {WccParameters(), "size"},
      {SccParameters(), "size"},
      {CdlpParameters(), "size"},
      {ExternalParameters(), "score"},
      {ExternalParameters{ExternalAnswers::kSets}, "size"},
      {PluginOfScores(), "score"}};
  for (const auto& [parameters, value] : kernels) {
    ASSERT_TRUE(HasDiffs(parameters));
    const auto result = Run(parameters, edges, 300);
    const Json whole = Json::parse(ResultJson(*result));
    const Json diff = Json::parse(DiffJson(*result, nullptr));
    EXPECT_EQ(diff.at("entered"), whole.at("top")) << result->kernel;
    EXPECT_TRUE(diff.at("entered").at(0).contains(value)) << result->kernel;
    EXPECT_TRUE(diff.at("since").is_null());
  }
  for (const JobParameters& parameters :
       {JobParameters(ShapeParameters()), JobParameters(NewEdgesParameters()),
        JobParameters(VanishedEdgesParameters()), JobParameters(CyclesParameters()),
         JobParameters(ExternalParameters{ExternalAnswers::kRows}),
         JobParameters(PathsParameters{{"a"}, {"b"}}), JobParameters(EdgeFeaturesParameters()),
        JobParameters(BfsParameters{{"a"}, TraversalDirection::kOut, true})}) {
    EXPECT_FALSE(HasDiffs(parameters));
  }
}

TEST_F(ResultDiffTest, AResultWithoutAnAnswerSaysWhyAllHaveLeft) {
  const JobSpec job = FinishedRuns::Job("j", PageRankParameters{.weighted = true}, 5);
  const auto before = runs_.Run(job, runs_.MakeAdvance({{"a", "b", {}}}, At(300)));
  const auto now = runs_.Run(
      job, runs_.MakeAdvance({{"a", "b", Weight::Real(std::numeric_limits<double>::infinity())}},
                             At(301)));
  const Json diff = Json::parse(DiffJson(*now.result, before.result.get()));
  EXPECT_EQ(diff.at("left").size(), 2u);
  EXPECT_EQ(diff.at("error"),
            "1 edge has a weight beyond the range of a double (1.8e308), as the sum of its copies; "
            "nothing is ranked by weight");
}

TEST_F(ResultDiffTest, KeepsTheNewestResultOfEachJob) {
  PreviousResults previous;
  const auto since = [&](const std::string& job, std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(end));
    const auto run = runs_.Run(FinishedRuns::Job(job, DegreeParameters()), advance);
    return Json::parse(Next(previous, run.result)).at("since").dump();
  };
  EXPECT_EQ(since("x", 300), "null");
  EXPECT_EQ(since("y", 310), "null");
  EXPECT_EQ(since("x", 320), "\"1970-01-01T00:05:00.000Z\"");
  EXPECT_EQ(since("x", 330), "\"1970-01-01T00:05:20.000Z\"");
  EXPECT_EQ(since("y", 330), "\"1970-01-01T00:05:10.000Z\"");
  EXPECT_FALSE(HasDiffs(ShapeParameters()));
}

// Jobs can be added and removed while the process runs.
TEST_F(ResultDiffTest, AJobOfAnotherKernelHasNothingBeforeItUnderTheSameName) {
  PreviousResults previous;
  const auto since = [&](const JobParameters& parameters, std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(end));
    const auto run = runs_.Run(FinishedRuns::Job("x", parameters), advance);
    return Json::parse(Next(previous, run.result)).at("since").dump();
  };
  EXPECT_EQ(since(DegreeParameters(), 300), "null");
  EXPECT_EQ(since(PageRankParameters(), 310), "null");
  EXPECT_EQ(since(PageRankParameters(), 320), "\"1970-01-01T00:05:10.000Z\"");
}

// A reader that applies every diff gets the list.
TEST_F(ResultDiffTest, DiffsAppliedOneAfterTheOtherGiveTheResult) {
  std::mt19937 random(7);
  PreviousResults previous;
  std::map<std::string, Json> list;  // by vertex
  for (int step = 0; step < 40; ++step) {
    std::vector<NamedEdge> edges;
    for (int i = 0; i < 30; ++i) {
      edges.push_back(
          {"v" + std::to_string(random() % 15), "v" + std::to_string(random() % 15), {}});
    }
    const auto result = Run(PageRankParameters(), edges, 300 + step, 8);
    const Json diff = Json::parse(Next(previous, result));
    for (const Json& row : diff.at("left")) ASSERT_EQ(list.erase(row.at("vertex")), 1u);
    for (const Json& row : diff.at("entered")) {
      ASSERT_TRUE(list.emplace(row.at("vertex").get<std::string>(), row).second);
    }
    for (Json row : diff.at("changed")) {
      Json& held = list.at(row.at("vertex"));
      ASSERT_EQ(held.at("rank"), row.at("rank_before"));
      ASSERT_EQ(held.at("score"), row.at("score_before"));
      row.erase("rank_before");
      row.erase("score_before");
      held = row;
    }
    const Json whole = Json::parse(ResultJson(*result));
    ASSERT_EQ(list.size(), whole.at("top").size());
    for (const Json& row : whole.at("top")) ASSERT_EQ(list.at(row.at("vertex")), row);
  }
}

}  // namespace
}  // namespace sash
