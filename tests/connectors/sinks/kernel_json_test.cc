// The JSON of results of all kernels except pagerank, bfs and window: sets, distances and scores.
#include "tests/connectors/sinks/kernel_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using testing::At;
using testing::kAll;
using testing::KernelJsonTest;
using testing::kTop;

TEST_F(KernelJsonTest, ComponentsAreCountedTheLargestListedAndTheirMembersOnDemand) {
  EXPECT_EQ(Written(WccParameters(), 1, kTop),
            R"({"parameters":{},"converged":true,"components":2,)"
            R"("top":[{"component":"a","rank":1,"size":4}]})");
  EXPECT_EQ(Written(WccParameters(), 1, kAll),
            R"({"parameters":{},"converged":true,"components":2,"top":[)"
            R"({"component":"a","rank":1,"size":4},{"component":"x","rank":2,"size":2}],)"
            R"("members":[{"vertex":"a","component":"a"},{"vertex":"b","component":"a"},)"
            R"({"vertex":"c","component":"a"},{"vertex":"d","component":"a"},)"
            R"({"vertex":"x","component":"x"},{"vertex":"y","component":"x"}]})");
}

TEST_F(KernelJsonTest, StronglyConnectedComponentsLikewise) {
  EXPECT_EQ(Written(SccParameters(), 1, kTop),
            R"({"parameters":{},"converged":true,"components":4,)"
            R"("top":[{"component":"a","rank":1,"size":3}]})");
  const Json all = Json::parse(Written(SccParameters(), 1, kAll));
  EXPECT_EQ(all.at("top").size(), 4u);
  EXPECT_EQ(all.at("members").at(2).dump(), R"({"vertex":"c","component":"a"})");
  EXPECT_EQ(all.at("members").at(3).dump(), R"({"vertex":"d","component":"d"})");
}

TEST_F(KernelJsonTest, CommunitiesLikewise) {
  EXPECT_EQ(Written(CdlpParameters{1}, 2, kTop),
            R"({"parameters":{"max_iterations":1},"converged":false,"communities":5,"top":[)"
            R"({"community":"a","rank":1,"size":2},{"community":"b","rank":2,"size":1}]})");
  const Json all = Json::parse(Written(CdlpParameters{1}, 2, kAll));
  EXPECT_EQ(all.at("top").size(), 5u);
  EXPECT_EQ(all.at("members").size(), 6u);
  EXPECT_EQ(all.at("members").at(0).dump(), R"({"vertex":"a","community":"b"})");
}

TEST_F(KernelJsonTest, DistancesAreListedNearestFirst) {
  EXPECT_EQ(Written(SsspParameters{.roots = {"a", "nobody"}}, 2, kTop),
            R"({"parameters":{"roots":["a","nobody"],"direction":"out","delta":"auto"},)"
            R"("converged":true,"reached":4,"top":[{"vertex":"a","rank":1,"distance":0.0},)"
            R"({"vertex":"c","rank":2,"distance":0.5}]})");
  const SsspParameters inwards{{"a"}, TraversalDirection::kIn, 2.5};
  EXPECT_EQ(Written(inwards, 2, kAll),
            R"({"parameters":{"roots":["a"],"direction":"in","delta":2.5},)"
            R"("converged":true,"reached":3,"top":[{"vertex":"a","rank":1,"distance":0.0},)"
            R"({"vertex":"b","rank":2,"distance":4.0},{"vertex":"c","rank":3,"distance":5.0}]})");
}

TEST_F(KernelJsonTest, CountsAreIntegersWithTheFigureOfTheWholeWindow) {
  EXPECT_EQ(Written(TrianglesParameters(), 1, kTop),
            R"({"parameters":{},"converged":true,"triangles":1,)"
            R"("top":[{"vertex":"a","rank":1,"score":1}]})");
  EXPECT_EQ(Written(KcoreParameters(), 1, kTop),
            R"({"parameters":{},"converged":true,"degeneracy":2,)"
            R"("top":[{"vertex":"a","rank":1,"score":2}]})");
  EXPECT_EQ(Written(DegreeParameters(), 2, kTop),
            R"({"parameters":{"direction":"both"},"converged":true,)"
            R"("top":[{"vertex":"c","rank":1,"score":3},{"vertex":"d","rank":2,"score":3}]})");
  EXPECT_EQ(Written(FanoutParameters{TraversalDirection::kIn}, 1, kTop),
            R"({"parameters":{"direction":"in"},"converged":true,)"
            R"("top":[{"vertex":"a","rank":1,"score":1}]})");
  for (const JobParameters& parameters :
       {JobParameters(TrianglesParameters()), JobParameters(KcoreParameters()),
        JobParameters(DegreeParameters()), JobParameters(LccParameters())}) {
    EXPECT_EQ(Json::parse(Written(parameters, 1, kAll)).at("top").size(), 6u);
  }
}

TEST_F(KernelJsonTest, CoefficientsAreScores) {
  EXPECT_EQ(Written(LccParameters(), 3, kTop),
            R"({"parameters":{},"converged":true,"top":[{"vertex":"a","rank":1,"score":0.5},)"
            R"({"vertex":"b","rank":2,"score":0.5},)"
            R"({"vertex":"c","rank":3,"score":0.16666666666666666}]})");
}

TEST_F(KernelJsonTest, AHubAndAnAuthorityAreBothGivenAndOneRanks) {
  const auto star = runs_.MakeAdvance({{"a", "b", {}}, {"a", "c", {}}, {"d", "c", {}}}, At(300));
  const HitsParameters once{.tolerance = 0, .max_iterations = 1};
  EXPECT_EQ(Written(once, 2, kTop, star),
            R"({"parameters":{"rank_by":"authorities","tolerance":0.0,"max_iterations":1},)"
            R"("residual":2.0,"converged":false,)"
            R"("top":[{"vertex":"c","rank":1,"score":0.6666666666666666,"hub":0.0},)"
            R"({"vertex":"b","rank":2,"score":0.3333333333333333,"hub":0.0}]})");
  const HitsParameters hubs{HitsRanking::kHubs, 0, 1, true};
  EXPECT_EQ(
      Written(hubs, 1, kAll, star),
      R"({"parameters":{"rank_by":"hubs","tolerance":0.0,"max_iterations":1,"weighted":true},)"
      R"("residual":2.0,"converged":false,)"
      R"("top":[{"vertex":"a","rank":1,"score":0.6000000000000001,"authority":0.0},)"
      R"({"vertex":"d","rank":2,"score":0.4,"authority":0.0},)"
      R"({"vertex":"b","rank":3,"score":0.0,"authority":0.3333333333333333},)"
      R"({"vertex":"c","rank":4,"score":0.0,"authority":0.6666666666666666}]})");
  const auto weightless = runs_.MakeAdvance({{"a", "b", Weight::Integer(0)}}, At(300));
  const Json none = Json::parse(Written(hubs, 1, kAll, weightless));
  EXPECT_EQ(none.at("top").dump(), "[]");
  EXPECT_EQ(none.at("error"),
            "no edge has a weight above 0; hubs and authorities by weight need one");
}

TEST_F(KernelJsonTest, VerticesWithoutAScoreAreLeftOutEvenOfAll) {
  const auto mutual = runs_.MakeAdvance(
      {{"a", "b", {}}, {"a", "b", {}}, {"b", "a", {}}, {"b", "c", {}}, {"c", "c", {}}}, At(300));
  for (const auto& [top, vertices] : {std::pair(5, kTop), std::pair(1, kAll)}) {
    EXPECT_EQ(Written(ReciprocityParameters(), static_cast<std::size_t>(top), vertices, mutual),
              R"({"parameters":{},"converged":true,"reciprocity":0.6666666666666666,"top":[)"
              R"({"vertex":"a","rank":1,"score":1.0},{"vertex":"b","rank":2,"score":0.5}]})");
  }
  const auto loop = runs_.MakeAdvance({{"c", "c", {}}}, At(300));
  EXPECT_EQ(Written(ReciprocityParameters(), 5, kAll, loop),
            R"({"parameters":{},"converged":true,"reciprocity":null,"top":[]})");
}

TEST_F(KernelJsonTest, RowsOfAWorkerAreByScoreAndAWholeFileHasNoMore) {
  const ExternalParameters rows{ExternalAnswers::kRows};
  const std::string text =
      R"({"parameters":{"returns":"rows"},"converged":true,"pairs":2,"top_edges":[)"
      R"({"source":"b","target":"a","score":2.5},{"source":"a","target":"b","score":-1.0}]})";
  EXPECT_EQ(Written(rows, 5, kTop), text);
  EXPECT_EQ(Written(rows, 5, kAll), text);
}

TEST_F(KernelJsonTest, AnEmptyWindowHasEmptyLists) {
  const auto empty = runs_.MakeAdvance({}, At(300));
  for (const VerticesWritten vertices : {kTop, kAll}) {
    for (const JobParameters& parameters :
         {JobParameters(HitsParameters{.weighted = true}), JobParameters(WccParameters()),
          JobParameters(SccParameters()), JobParameters(SsspParameters{.roots = {"a"}}),
          JobParameters(TrianglesParameters()), JobParameters(LccParameters()),
          JobParameters(CdlpParameters()), JobParameters(KcoreParameters()),
          JobParameters(DegreeParameters()), JobParameters(StrengthParameters()),
          JobParameters(FanoutParameters())}) {
      const Json json = Json::parse(Written(parameters, 5, vertices, empty));
      EXPECT_EQ(json.at("top").dump(), "[]");
      EXPECT_EQ(json.at("converged"), true);
    }
    const Json changes = Json::parse(Written(NewEdgesParameters(), 5, vertices, empty));
    EXPECT_EQ(changes.at("top_edges").dump(), "[]");
    const ExternalParameters of_rows{ExternalAnswers::kRows};
    const Json rows = Json::parse(Written(of_rows, 5, vertices, empty));
    EXPECT_EQ(rows.at("pairs"), 0);
    const Json cycles = Json::parse(Written(CyclesParameters(), 5, vertices, empty));
    EXPECT_EQ(cycles.at("top_cycles").dump(), "[]");
    const Json features = Json::parse(Written(EdgeFeaturesParameters(), 5, vertices, empty));
    EXPECT_EQ(features.at("top_features").dump(), "[]");
    const PathsParameters between{{"a"}, {"a", "b"}};
    const Json paths = Json::parse(Written(between, 5, vertices, empty));
    EXPECT_EQ(paths.at("top_paths").dump(), "[]");
  }
}

}  // namespace
}  // namespace sash
