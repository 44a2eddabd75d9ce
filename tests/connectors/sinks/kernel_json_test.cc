// The JSON of results of all kernels except pagerank, bfs and window.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "connectors/sinks/result_json.h"
#include "tests/connectors/sinks/finished_runs.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using testing::At;
using testing::FinishedRuns;

// A triangle a, b, c with a tail d, and a pair x, y.
class KernelJsonTest : public ::testing::Test {
 protected:
  // The text from "parameters" on, without the members that every result has.
  std::string Written(JobParameters parameters, std::size_t top, VerticesWritten vertices) {
    return Written(std::move(parameters), top, vertices, advance_);
  }
  std::string Written(JobParameters parameters, std::size_t top, VerticesWritten vertices,
                      const AdvancePtr& advance, const AdvancePtr& previous = nullptr) {
    const CompletedRun run =
        runs_.Run(FinishedRuns::Job("j", std::move(parameters), top), advance, previous);
    Json json = Json::parse(ResultJson(run, {.top = {}, .vertices = vertices}, runs_.keys()));
    Json rest;
    bool begun = false;
    for (const auto& [key, value] : json.items()) {
      begun = begun || key == "parameters";
      if (!begun || key == "mode" || key == "seconds" || key == "iterations") continue;
      rest[key] = value;
    }
    return rest.dump();
  }

  FinishedRuns runs_;
  const AdvancePtr advance_ = runs_.MakeAdvance({{"b", "a", Weight::Integer(4)},
                                                 {"a", "c", Weight::Real(0.5)},
                                                 {"c", "b", {}},
                                                 {"c", "d", {}},
                                                 {"d", "d", {}},
                                                 {"y", "x", {}}},
                                                At(300));
};

constexpr VerticesWritten kTop = VerticesWritten::kTop;
constexpr VerticesWritten kAll = VerticesWritten::kAll;

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

TEST_F(KernelJsonTest, ANegativeWeightIsAnErrorThatSaysHowMany) {
  const auto negative = runs_.MakeAdvance(
      {{"a", "b", {}}, {"x", "y", Weight::Integer(-2)}, {"x", "y", Weight::Real(-0.5)}}, At(300));
  EXPECT_EQ(Written(SsspParameters{.roots = {"a"}}, 5, kAll, negative),
            R"({"parameters":{"roots":["a"],"direction":"out","delta":"auto"},"converged":true,)"
            R"("error":"2 edges have a negative weight; distances need weights of at least 0",)"
            R"("reached":0,"top":[]})");
}

// A sum of weights in a window becomes infinity when it is beyond the range of a double.
class OverflowJsonTest : public KernelJsonTest {
 protected:
  // The JSON of the result without its parameters.
  std::string WrittenOf(JobParameters parameters, const AdvancePtr& advance) {
    Json json = Json::parse(Written(std::move(parameters), 5, kAll, advance));
    json.erase("parameters");
    return json.dump();
  }

  const Weight infinite_ = Weight::Real(std::numeric_limits<double>::infinity());
  const Weight most_ = Weight::Real(std::numeric_limits<double>::max());
  const AdvancePtr overflown_ =
      runs_.MakeAdvance({{"a", "b", infinite_}, {"b", "c", {}}, {"a", "d", {}}}, At(300));
};

TEST_F(OverflowJsonTest, NothingIsRankedByIt) {
  EXPECT_EQ(
      WrittenOf(PageRankParameters{.weighted = true}, overflown_),
      R"({"residual":0.0,"converged":true,"error":"1 edge has a weight beyond the range of a )"
      R"(double (1.8e308), as the sum of its copies; nothing is ranked by weight","top":[]})");
}

TEST_F(OverflowJsonTest, VerticesThatAreTooFarAreCounted) {
  EXPECT_EQ(WrittenOf(SsspParameters{.roots = {"a"}}, overflown_),
            R"({"converged":true,"error":"2 vertices have a distance beyond the range of a double )"
            R"((1.8e308); they are not listed","reached":2,"top":[)"
            R"({"vertex":"a","rank":1,"distance":0.0},{"vertex":"d","rank":2,"distance":1.0}]})");
  const auto one = runs_.MakeAdvance({{"a", "b", most_}, {"b", "c", most_}}, At(300));
  EXPECT_EQ(Json::parse(WrittenOf(SsspParameters{.roots = {"a"}}, one)).at("error"),
            "1 vertex has a distance beyond the range of a double (1.8e308); it is not listed");
}

TEST_F(OverflowJsonTest, VerticesWhoseSumIsTooLargeAreCounted) {
  EXPECT_EQ(WrittenOf(StrengthParameters(), overflown_),
            R"({"converged":true,"error":"2 vertices have a score beyond the range of a double )"
            R"((1.8e308); they are not listed","top":[{"vertex":"c","rank":1,"score":1},)"
            R"({"vertex":"d","rank":2,"score":1}]})");
}

TEST_F(OverflowJsonTest, TheTotalWeightHasNoValue) {
  EXPECT_EQ(
      WrittenOf(ShapeParameters(), overflown_),
      R"({"converged":true,"error":"1 edge has a weight beyond the range of a double (1.8e308), )"
      R"(as the sum of its copies; the total weight has no value","pairs":3,"weight":null,)"
      R"("top_edges":[{"source":"a","target":"b","weight":null},)"
      R"({"source":"a","target":"d","weight":1},{"source":"b","target":"c","weight":1}]})");
  const auto sum = runs_.MakeAdvance({{"a", "b", most_}, {"b", "c", most_}}, At(300));
  EXPECT_EQ(Json::parse(WrittenOf(ShapeParameters(), sum)).at("error"),
            "the total weight is beyond the range of a double (1.8e308)");
}

TEST_F(OverflowJsonTest, ANumberOfARowThatReadsNullIsAnErrorOfTheResult) {
  EXPECT_EQ(WrittenOf(NewEdgesParameters(), overflown_),
            R"({"converged":true,"since":null,"pairs":3,)"
            R"("top_edges":[{"source":"a","target":"b","edges":1,"weight":null},)"
            R"({"source":"a","target":"d","edges":1,"weight":1},)"
            R"({"source":"b","target":"c","edges":1,"weight":1}],)"
            R"("error":"1 number is beyond the range of a double (1.8e308) and reads null"})");
  const auto open = runs_.MakeAdvance({{"a", "b", infinite_}}, At(100));
  const auto closed = runs_.MakeAdvance({{"a", "b", infinite_}, {"b", "a", {}}}, At(300));
  const Json cycles = Json::parse(Written(CyclesParameters(), 5, kAll, closed, open));
  ASSERT_EQ(cycles.at("top_cycles").size(), 1u) << cycles;
  EXPECT_EQ(cycles.contains("error"), cycles.at("top_cycles")[0].at("weight").is_null()) << cycles;
}

TEST_F(KernelJsonTest, RanksByWeightFromSourcesSayHowManySourcesAreAbsent) {
  const auto fork =
      runs_.MakeAdvance({{"s", "t", Weight::Integer(3)}, {"s", "u", {}}, {"v", "s", {}}}, At(300));
  const PageRankParameters parameters{.damping = 0.5,
                                      .tolerance = 0,
                                      .max_iterations = 1,
                                      .weighted = true,
                                      .sources = {"s", "nobody", "s"}};
  EXPECT_EQ(Written(parameters, 1, kAll, fork),
            R"({"parameters":{"damping":0.5,"tolerance":0.0,"max_iterations":1,"weighted":true,)"
            R"("sources":["s","nobody","s"]},"residual":1.0,"converged":false,)"
            R"("absent_sources":1,"top":[{"vertex":"s","rank":1,"score":0.5},)"
            R"({"vertex":"t","rank":2,"score":0.375},{"vertex":"u","rank":3,"score":0.125},)"
            R"({"vertex":"v","rank":4,"score":0.0}]})");
}

TEST_F(KernelJsonTest, WithoutASourceOrWithANegativeWeightNothingIsRankedAndTheErrorSaysWhy) {
  const auto written = [&](const PageRankParameters& parameters, const AdvancePtr& advance) {
    Json json = Json::parse(Written(parameters, 5, kAll, advance));
    json.erase("parameters");
    return json.dump();
  };
  const auto negative = runs_.MakeAdvance(
      {{"a", "b", {}}, {"x", "y", Weight::Integer(-2)}, {"x", "y", Weight::Real(-0.5)}}, At(300));
  EXPECT_EQ(written({.weighted = true}, negative),
            R"({"residual":0.0,"converged":true,"error":"2 edges have a negative weight; ranks by )"
            R"(weight need weights of at least 0","top":[]})");
  EXPECT_EQ(written({.sources = {"nobody"}}, negative),
            R"({"residual":0.0,"converged":true,"error":"the source is not in the window",)"
            R"("absent_sources":1,"top":[]})");
  EXPECT_EQ(written({.weighted = true, .sources = {"nobody", "d", "nobody"}}, negative),
            R"({"residual":0.0,"converged":true,"error":"none of the 2 sources is in the window",)"
            R"("absent_sources":2,"top":[]})");
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

TEST_F(KernelJsonTest, SumsOfIntegersAreIntegersAndOthersAreNot) {
  EXPECT_EQ(Written(StrengthParameters{StrengthDirection::kIn}, 3, kTop),
            R"({"parameters":{"direction":"in"},"converged":true,)"
            R"("top":[{"vertex":"a","rank":1,"score":4},{"vertex":"d","rank":2,"score":2},)"
            R"({"vertex":"b","rank":3,"score":1}]})");
  EXPECT_EQ(Written(StrengthParameters{StrengthDirection::kNet}, 1, kAll),
            R"({"parameters":{"direction":"net"},"converged":true,)"
            R"("top":[{"vertex":"a","rank":1,"score":3.5},{"vertex":"d","rank":2,"score":1},)"
            R"({"vertex":"x","rank":3,"score":1},{"vertex":"y","rank":4,"score":-1},)"
            R"({"vertex":"c","rank":5,"score":-1.5},{"vertex":"b","rank":6,"score":-3}]})");
  constexpr std::int64_t kLarge = 9'007'199'254'740'993;  // beyond the integers of doubles
  const auto large = runs_.MakeAdvance({{"a", "b", Weight::Integer(kLarge)}}, At(300));
  EXPECT_EQ(Written(StrengthParameters{StrengthDirection::kIn}, 1, kTop, large),
            R"({"parameters":{"direction":"in"},"converged":true,)"
            R"("top":[{"vertex":"b","rank":1,"score":9007199254740993}]})");
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

TEST_F(KernelJsonTest, ChangesSayWithWhichWindowTheyCompareAndListByKey) {
  const auto before = runs_.MakeAdvance(
      {{"z", "a", {}}, {"b", "a", {}}, {"q", "a", {}}, {"q", "a", Weight::Integer(4)}}, At(100));
  EXPECT_EQ(Written(NewEdgesParameters(), 2, kAll, advance_, before),
            R"({"parameters":{},"converged":true,"since":"1970-01-01T00:01:40.000Z","pairs":5,)"
            R"("top_edges":[{"source":"a","target":"c","edges":1,"weight":0.5},)"
            R"({"source":"c","target":"b","edges":1,"weight":1}]})");
  EXPECT_EQ(Written(VanishedEdgesParameters(), 5, kTop, advance_, before),
            R"({"parameters":{},"converged":true,"since":"1970-01-01T00:01:40.000Z","pairs":2,)"
            R"("top_edges":[{"source":"q","target":"a","edges":2,"weight":5},)"
            R"({"source":"z","target":"a","edges":1,"weight":1}]})");
  const Json first = Json::parse(Written(NewEdgesParameters(), 50, kTop, advance_));
  EXPECT_TRUE(first.at("since").is_null());
  EXPECT_EQ(first.at("pairs"), 6);
  EXPECT_EQ(first.at("top_edges").size(), 6u);
}

TEST_F(KernelJsonTest, RowsOfAWorkerAreByScoreAndAWholeFileHasNoMore) {
  const ExternalParameters rows{ExternalAnswers::kRows};
  const std::string text =
      R"({"parameters":{"returns":"rows"},"converged":true,"pairs":2,"top_edges":[)"
      R"({"source":"b","target":"a","score":2.5},{"source":"a","target":"b","score":-1.0}]})";
  EXPECT_EQ(Written(rows, 5, kTop), text);
  EXPECT_EQ(Written(rows, 5, kAll), text);
}

TEST_F(KernelJsonTest, CyclesBeginWithAnEdgeThatEnteredAndSayWhenThereMayBeMore) {
  const auto before = runs_.MakeAdvance({{"a", "c", {}}, {"c", "b", {}}}, At(100));
  const Json found =
      Json::parse(Written(CyclesParameters{.min_weight = 0.5}, 2, kAll, advance_, before));
  EXPECT_EQ(found.at("parameters").dump(),
            R"({"max_length":5,"min_weight":0.5,"through":"any","max_steps":10000000})");
  EXPECT_EQ(found.at("since"), "1970-01-01T00:01:40.000Z");
  EXPECT_EQ(found.at("entered"), 3);
  EXPECT_EQ(found.at("cycles"), 1);
  EXPECT_EQ(found.at("top_cycles").dump(), R"([{"vertices":["b","a","c"],"weight":0.5}])");
  EXPECT_FALSE(found.contains("error"));
  const auto count = [&](CyclesParameters parameters) {
    return Json::parse(Written(std::move(parameters), 2, kTop)).at("cycles").get<int>();
  };
  EXPECT_EQ(count({.min_weight = 1}), 0);
  EXPECT_EQ(count({.through = {"a", "b", "c"}}), 1);
  EXPECT_EQ(count({.through = {"d"}}), 0);
  EXPECT_EQ(count({.through = {"nobody"}}), 0);
  const Json cut = Json::parse(Written(CyclesParameters{.max_steps = 2}, 2, kTop));
  EXPECT_EQ(cut.at("error"), "the search used its 2 steps (`max_steps`); there may be more cycles");
  EXPECT_EQ(cut.at("top_cycles").dump(), "[]");
}

TEST_F(KernelJsonTest, FeaturesOfAnEdgeAreThoseOfItsEndsAndOfPatternsWithIt) {
  const auto before =
      runs_.MakeAdvance({{"b", "a", {}}, {"c", "b", {}}, {"c", "d", {}}, {"y", "x", {}}}, At(100));
  const EdgeFeaturesParameters parameters{.max_length = 3, .min_intermediates = 1};
  EXPECT_EQ(
      Written(parameters, 5, kAll, advance_, before),
      R"({"parameters":{"max_length":3,"min_intermediates":1,"max_steps":10000000},)"
      R"("converged":true,"since":"1970-01-01T00:01:40.000Z","entered":1,"steps":9,)"
      R"("top_features":[{"source":"a","target":"c","edges":1,"weight":0.5,)"
      R"("source_out_fan":1,"source_out_degree":1,"source_out_sum":0.5,"source_out_mean":0.5,)"
      R"("source_out_min":0.5,"source_out_max":0.5,"source_out_variance":0.0,)"
      R"("source_in_fan":1,"source_in_degree":1,"source_in_sum":4,"source_in_mean":4.0,)"
      R"("source_in_min":4,"source_in_max":4,"source_in_variance":0.0,)"
      R"("target_out_fan":2,"target_out_degree":2,"target_out_sum":2,"target_out_mean":1.0,)"
      R"("target_out_min":1,"target_out_max":1,"target_out_variance":0.0,)"
      R"("target_in_fan":1,"target_in_degree":1,"target_in_sum":0.5,"target_in_mean":0.5,)"
      R"("target_in_min":0.5,"target_in_max":0.5,"target_in_variance":0.0,)"
      R"("cycles_2":0,"cycles_3":1,"scatter_gathers":3,"intermediates":1}]})");
  const Json cut =
      Json::parse(Written(EdgeFeaturesParameters{.max_steps = 2}, 2, kTop, advance_, before));
  EXPECT_EQ(cut.at("error"),
            "the 2 steps (`max_steps`) were used up: the cycles of 1 listed edges and the "
            "scatter-gather patterns of 1 read null");
  for (const char* name : {"cycles_2", "cycles_5", "scatter_gathers", "intermediates"}) {
    EXPECT_TRUE(cut.at("top_features")[0].at(name).is_null()) << name;
  }
  const auto far = runs_.MakeAdvance(
      {{"a", "b", Weight::Real(1e308)}, {"a", "b", Weight::Real(1.5e308)}, {"c", "d", {}}},
      At(300));
  const Json huge = Json::parse(Written(EdgeFeaturesParameters(), 5, kTop, far));
  EXPECT_EQ(huge.at("error"),
            "1 edge has a number beyond the range of a double (1.8e308), which reads null");
  EXPECT_TRUE(huge.at("top_features")[0].at("source_out_sum").is_null());
  EXPECT_EQ(huge.at("top_features")[0].at("source_out_max"), 1.5e308);
}

TEST_F(KernelJsonTest, PathsSayWhereTheyStartAndEndAndWhatTheyCost) {
  const auto roads = runs_.MakeAdvance({{"a", "m", {}},
                                        {"a", "m", Weight::Real(0.5)},
                                        {"m", "z", Weight::Integer(7)},
                                        {"b", "z", Weight::Integer(9)},
                                        {"b", "q", Weight::Integer(9)}},
                                       At(300));
  const std::vector<VertexKey> to = {"z", "q", "nobody", "a"};
  const Json fewest = Json::parse(Written(PathsParameters{{"b", "a", "no"}, to}, 2, kAll, roads));
  EXPECT_EQ(fewest.at("parameters").dump(),
            R"({"from":["b","a","no"],"to":["z","q","nobody","a"],"by":"hops","direction":"out",)"
            R"("most":6})");
  EXPECT_EQ(fewest.at("reached"), 3);
  EXPECT_EQ(fewest.at("top_paths").dump(),
            R"([{"from":"a","to":"a","hops":0,"weight":0,"vertices":["a"]},)"
            R"({"from":"b","to":"q","hops":1,"weight":9,"vertices":["b","q"]}])");
  const PathsParameters by_weight{{"a", "b"}, {"z"}, PathMeasure::kWeight};
  const Json lightest = Json::parse(Written(by_weight, 5, kTop, roads));
  EXPECT_EQ(lightest.at("top_paths").dump(),
            R"([{"from":"a","to":"z","hops":2,"weight":7.5,"vertices":["a","m","z"]}])");
  EXPECT_FALSE(lightest.contains("error"));
  const PathsParameters against{{"z"}, {"a"}, PathMeasure::kHops, TraversalDirection::kIn};
  EXPECT_EQ(Json::parse(Written(against, 5, kTop, roads)).at("top_paths").dump(),
            R"([{"from":"z","to":"a","hops":2,"weight":7.5,"vertices":["z","m","a"]}])");
  const auto owed = runs_.MakeAdvance({{"a", "z", Weight::Integer(-1)}}, At(300));
  const Json none = Json::parse(Written(by_weight, 5, kTop, owed));
  EXPECT_EQ(none.at("reached"), 0);
  EXPECT_EQ(none.at("top_paths").dump(), "[]");
  EXPECT_EQ(none.at("error"),
            "1 edges have a negative weight; paths by weight need weights of at least 0");
}

// Of hops only the number of edges counts; what they weigh together may have no number.
TEST_F(KernelJsonTest, AWeightOfAPathBeyondDoublesIsNullAndExplained) {
  const Weight large = Weight::Real(1e308);
  const auto far = runs_.MakeAdvance({{"a", "b", large}, {"b", "c", large}}, At(300));
  for (const PathMeasure by : {PathMeasure::kHops, PathMeasure::kWeight}) {
    const Json found = Json::parse(Written(PathsParameters{{"a"}, {"c"}, by}, 5, kTop, far));
    EXPECT_EQ(found.at("top_paths").dump(),
              R"([{"from":"a","to":"c","hops":2,"weight":null,"vertices":["a","b","c"]}])");
    EXPECT_EQ(found.at("error"),
              "1 path has a weight beyond the range of a double (1.8e308), which reads null");
  }
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
