// The JSON of results that relate vertices: changes, cycles, features and paths.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tests/connectors/sinks/kernel_json.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using testing::At;
using testing::kAll;
using testing::KernelJsonTest;
using testing::kTop;

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
            "1 edge has a negative weight; paths by weight need weights of at least 0");
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

}  // namespace
}  // namespace sash
