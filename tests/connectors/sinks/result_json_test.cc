#include "connectors/sinks/result_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <tuple>

#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/named_seed.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using testing::At;
using testing::FinishedRuns;
using testing::kNewYear2026;
using testing::NamedEdge;

Listing All() { return {.top = {}, .vertices = VerticesWritten::kAll}; }
Listing Top(std::size_t top) { return {.top = top, .vertices = VerticesWritten::kTop}; }

RunResult Example() {
  RunResult result;
  result.job = "influencers";
  result.kernel = PageRankParameters::kKernel;
  Provenance& from = result.provenance;
  from.window = "last-5m";
  from.snapshot = SnapshotId{17};
  from.window_start = At(kNewYear2026);
  from.window_end = At(kNewYear2026 + 300);
  from.watermark = At(kNewYear2026 + 302);
  from.edges = 1200;
  from.vertices = 300;
  from.refused = 2;
  from.offsets[{"interactions", 0}] = {17, 1045};
  result.parameters = PageRankParameters();
  result.iterations = 31;
  result.seconds = 0.012;
  result.output = PageRankOutput{{{"alice", 1, 0.0123}}, 7.1e-7};
  return result;
}

TEST(ResultJsonTest, IsTheObjectOfTheDesign) {
  EXPECT_EQ(
      ResultJson(Example()),
      R"({"schema":1,"job":"influencers","kernel":"pagerank","window":"last-5m","snapshot":17,)"
      R"("window_start":"2026-01-01T00:00:00.000Z","window_end":"2026-01-01T00:05:00.000Z",)"
      R"("watermark":"2026-01-01T00:05:02.000Z","empty":false,"final":true,"gap":false,)"
      R"("edges":1200,"vertices":300,"late":0,"refused":2,)"
      R"("offsets":{"interactions":{"0":[17,1045]}},)"
      R"("parameters":{"damping":0.85,"tolerance":1e-06,"max_iterations":100},"mode":"full",)"
      R"("iterations":31,"residual":7.1e-07,"converged":true,"seconds":0.012,)"
      R"("top":[{"vertex":"alice","rank":1,"score":0.0123}]})");
}

TEST(ResultJsonTest, SaysThatARunStartedWarm) {
  RunResult result = Example();
  result.mode = RunMode::kWarm;
  result.parameters = PageRankParameters{.warm_start = true};
  const std::string json = ResultJson(result);
  EXPECT_NE(
      json.find(R"("max_iterations":100,"warm_start":true,"check_every":100},"mode":"warm",)"),
      json.npos)
      << json;
  EXPECT_EQ(json.find("drift"), json.npos);
}

TEST(ResultJsonTest, SaysThatARunFollowedItsWindow) {
  RunResult result = Example();
  result.mode = RunMode::kIncremental;
  BfsParameters parameters{.roots = {"a"}};
  parameters.warm_start = true;
  parameters.check_every = 7;
  result.parameters = parameters;
  result.output = BfsOutput{{Traversal()}};
  const std::string json = ResultJson(result);
  EXPECT_NE(
      json.find(R"("separate":false,"warm_start":true,"check_every":7},"mode":"incremental",)"),
      json.npos)
      << json;
}

TEST(ResultJsonTest, SaysHowFarAWarmRunWasFromAFullOne) {
  RunResult result = Example();
  result.drift = 3e-8;
  const std::string json = ResultJson(result);
  EXPECT_NE(json.find(R"("drift":3e-08,"converged")"), json.npos) << json;
}

TEST(ResultJsonTest, SaysNullWhileThereIsNoWatermark) {
  RunResult result = Example();
  result.provenance.watermark.reset();
  EXPECT_TRUE(Json::parse(ResultJson(result)).at("watermark").is_null());
}

TEST(ResultJsonTest, CarriesTheAcceptedNumberOfWindowsByEvents) {
  RunResult result = Example();
  EXPECT_FALSE(Json::parse(ResultJson(result)).contains("accepted"));
  result.provenance.accepted = 5000;
  EXPECT_EQ(Json::parse(ResultJson(result)).at("accepted"), 5000);
}

TEST(ResultJsonTest, GroupsOffsetsByTopicInNumericOrderOfPartitions) {
  RunResult result = Example();
  result.provenance.offsets = {
      {{"a\"b", 0}, {1, 2}}, {{"t", 2}, {3, 4}}, {{"t", 10}, {5, 5}}, {{"u", 0}, {0, 9}}};
  EXPECT_EQ(Json::parse(ResultJson(result)).at("offsets").dump(),
            R"({"a\"b":{"0":[1,2]},"t":{"2":[3,4],"10":[5,5]},"u":{"0":[0,9]}})");
  result.provenance.offsets.clear();
  EXPECT_EQ(Json::parse(ResultJson(result)).at("offsets").dump(), "{}");
}

TEST(ResultJsonTest, BfsReportsDepthsAndLevels) {
  FinishedRuns runs;
  const auto advance = runs.MakeAdvance({{"a", "b", {}}, {"b", "c", {}}, {"x", "a", {}}}, At(300));
  BfsParameters parameters;
  parameters.roots = {"a"};
  const CompletedRun run = runs.Run(FinishedRuns::Job("reach", parameters), advance);
  const Json json = Json::parse(ResultJson(*run.result));
  EXPECT_EQ(json.at("parameters").dump(), R"({"roots":["a"],"direction":"out","separate":false})");
  EXPECT_FALSE(json.contains("residual"));
  EXPECT_EQ(json.at("reached"), 3);
  EXPECT_EQ(json.at("levels").dump(), "[1,1,1]");
  EXPECT_EQ(json.at("top").at(2).dump(), R"({"vertex":"c","rank":3,"depth":2})");
  EXPECT_EQ((--json.end()).key(), "top");
}

TEST(ResultJsonTest, ParentsAreListedWhereTheyAreWantedAndOfRootsAreNull) {
  FinishedRuns runs;
  const auto advance = runs.MakeAdvance(
      {{"a", "z", {}}, {"a", "m", {}}, {"z", "c", {}}, {"m", "c", {}}, {"q", "a", {}}}, At(300));
  BfsParameters parameters;
  parameters.roots = {"a"};
  parameters.parents = true;
  const CompletedRun run = runs.Run(FinishedRuns::Job("reach", parameters, 2), advance);
  const Json held = Json::parse(ResultJson(*run.result));
  EXPECT_EQ(held.at("parameters").at("parents"), true);
  EXPECT_EQ(held.at("top").dump(), R"([{"vertex":"a","rank":1,"depth":0,"parent":null},)"
                                   R"({"vertex":"m","rank":2,"depth":1,"parent":"a"}])");
  const Json all = Json::parse(ResultJson(run, All(), runs.keys()));
  EXPECT_EQ(all.at("top").at(2).dump(), R"({"vertex":"z","rank":3,"depth":1,"parent":"a"})");
  EXPECT_EQ(all.at("top").at(3).dump(), R"({"vertex":"c","rank":4,"depth":2,"parent":"m"})");
}

TEST(ResultJsonTest, SeparateTraversalsTakeThePlaceOfOne) {
  FinishedRuns runs(KeyKind::kInteger);
  const auto advance = runs.MakeAdvance({{1, 2, {}}, {2, 3, {}}}, At(300));
  BfsParameters parameters;
  parameters.roots = {2, 9};
  parameters.direction = TraversalDirection::kBoth;
  parameters.separate = true;
  const CompletedRun run = runs.Run(FinishedRuns::Job("reach", parameters, 1), advance);
  const Json json = Json::parse(ResultJson(run, All(), runs.keys()));
  EXPECT_FALSE(json.contains("reached"));
  EXPECT_FALSE(json.contains("levels"));
  EXPECT_FALSE(json.contains("top"));
  EXPECT_EQ(json.at("traversals").dump(),
            R"([{"root":2,"reached":3,"levels":[1,2],"top":[{"vertex":2,"rank":1,"depth":0},)"
            R"({"vertex":1,"rank":2,"depth":1},{"vertex":3,"rank":3,"depth":1}]},)"
            R"({"root":9,"reached":0,"levels":[],"top":[]}])");
}

TEST(ResultJsonTest, EmptyWindowsHaveEmptyLists) {
  FinishedRuns runs;
  const auto advance = runs.MakeAdvance({}, At(300));
  BfsParameters bfs;
  bfs.roots = {"a"};
  for (const Listing& listing : {Top(3), All()}) {
    const CompletedRun ranked = runs.Run(FinishedRuns::Job("r", PageRankParameters()), advance);
    Json json = Json::parse(ResultJson(ranked, listing, runs.keys()));
    EXPECT_EQ(json.at("empty"), true);
    EXPECT_EQ(json.at("top").dump(), "[]");
    EXPECT_EQ(json.at("iterations"), 0);
    EXPECT_EQ(json.at("converged"), true);
    const CompletedRun reached = runs.Run(FinishedRuns::Job("b", bfs), advance);
    json = Json::parse(ResultJson(reached, listing, runs.keys()));
    EXPECT_EQ(json.at("top").dump(), "[]");
    EXPECT_EQ(json.at("levels").dump(), "[]");
    EXPECT_EQ(json.at("reached"), 0);
    EXPECT_EQ(json.at("iterations"), 0);
    const CompletedRun shape = runs.Run(FinishedRuns::Job("w", ShapeParameters()), advance);
    json = Json::parse(ResultJson(shape, listing, runs.keys()));
    EXPECT_EQ(json.at("pairs"), 0);
    EXPECT_EQ(json.at("weight"), 0);
  }
}

TEST(ResultJsonTest, ListsAsManyAsAskedForEvenBeyondTheTopOfTheJob) {
  FinishedRuns runs;
  const auto advance =
      runs.MakeAdvance({{"a", "hub", {}}, {"b", "hub", {}}, {"c", "hub", {}}}, At(300));
  const CompletedRun run = runs.Run(FinishedRuns::Job("r", PageRankParameters(), 2), advance);
  const auto listed = [&](const Listing& listing) {
    return Json::parse(ResultJson(run, listing, runs.keys())).at("top").size();
  };
  EXPECT_EQ(listed({}), 2u);
  EXPECT_EQ(listed(Top(0)), 0u);
  EXPECT_EQ(listed(Top(1)), 1u);
  EXPECT_EQ(listed(Top(3)), 3u);
  EXPECT_EQ(listed(Top(100)), 4u);
  EXPECT_EQ(listed(All()), 4u);
  const Json all = Json::parse(ResultJson(run, All(), runs.keys()));
  EXPECT_EQ(all.at("top").at(0).at("vertex"), "hub");
  EXPECT_EQ(all.at("top").at(3).at("vertex"), "c");
  EXPECT_EQ(all.at("top").at(3).at("rank"), 4);
  // Without the whole vector, only the rows of the result are available.
  CompletedRun bare;
  bare.result = run.result;
  EXPECT_EQ(Json::parse(ResultJson(bare, Top(3), runs.keys())).at("top").size(), 2u);
  EXPECT_EQ(Json::parse(ResultJson(*run.result, 1)).at("top").size(), 1u);
}

TEST(ResultJsonTest, ListsEveryReachedVertexNearestFirst) {
  FinishedRuns runs;
  const auto advance =
      runs.MakeAdvance({{"a", "z", {}}, {"a", "m", {}}, {"z", "c", {}}, {"q", "a", {}}}, At(300));
  BfsParameters parameters;
  parameters.roots = {"a"};
  const CompletedRun run = runs.Run(FinishedRuns::Job("reach", parameters, 1), advance);
  const Json json = Json::parse(ResultJson(run, All(), runs.keys()));
  std::string order;
  for (const Json& row : json.at("top")) order += row.at("vertex").get<std::string>();
  EXPECT_EQ(order, "amzc");
}

TEST(ResultJsonTest, ListsEveryEdgeBySourceTargetAndWeight) {
  FinishedRuns runs;
  const auto advance = runs.MakeAdvance({{"b", "a", Weight::Integer(2)},
                                         {"a", "z", {}},
                                         {"a", "c", Weight::Integer(10)},
                                         {"a", "c", Weight::Real(2.5)},
                                         {"a", "c", Weight::Integer(-3)},
                                         {"a", "a", {}}},
                                        At(300));
  const CompletedRun run = runs.Run(FinishedRuns::Job("shape", ShapeParameters()), advance);
  const Json top = Json::parse(ResultJson(run, Top(5), runs.keys()));
  EXPECT_FALSE(top.contains("top_edges"));
  EXPECT_EQ(top.at("parameters").dump(), "{}");
  EXPECT_EQ(top.at("pairs"), 4);
  EXPECT_EQ(top.at("weight"), 13.5);
  const Json all = Json::parse(ResultJson(run, All(), runs.keys()));
  EXPECT_EQ(all.at("top_edges").dump(),
            R"([{"source":"a","target":"a","weight":1},{"source":"a","target":"c","weight":-3},)"
            R"({"source":"a","target":"c","weight":2.5},{"source":"a","target":"c","weight":10},)"
            R"({"source":"a","target":"z","weight":1},{"source":"b","target":"a","weight":2}])");
}

TEST(ResultJsonTest, ListsEdgesByTypeBeforeWeightAndTellsTheTypesThatThereAre) {
  FinishedRuns runs;
  const auto advance = runs.MakeAdvance({{"a", "b", Weight::Integer(1), "refunded"},
                                         {"a", "b", Weight::Integer(3), "paid"},
                                         {"a", "b", Weight::Integer(2), "paid"},
                                         {"a", "b", Weight::Integer(4)}},
                                        At(300));
  const CompletedRun run = runs.Run(FinishedRuns::Job("shape", ShapeParameters()), advance);
  const Json all = Json::parse(ResultJson(run, All(), runs.keys()));
  EXPECT_EQ(all.at("top_edges").dump(),
            R"([{"source":"a","target":"b","weight":4},)"
            R"({"source":"a","target":"b","weight":2,"type":"paid"},)"
            R"({"source":"a","target":"b","weight":3,"type":"paid"},)"
            R"({"source":"a","target":"b","weight":1,"type":"refunded"}])");
}

TEST(ResultJsonTest, IntegerKeysAreNumbersInNumericOrder) {
  FinishedRuns runs(KeyKind::kInteger);
  const auto advance = runs.MakeAdvance({{10, 2, {}}, {9, -1, {}}, {9, 100, {}}}, At(300));
  const CompletedRun run = runs.Run(FinishedRuns::Job("shape", ShapeParameters()), advance);
  const Json all = Json::parse(ResultJson(run, All(), runs.keys()));
  EXPECT_EQ(all.at("top_edges").dump(),
            R"([{"source":9,"target":-1,"weight":1},{"source":9,"target":100,"weight":1},)"
            R"({"source":10,"target":2,"weight":1}])");
  EXPECT_EQ(KeyJson(std::int64_t{-5}), "-5");
  EXPECT_EQ(KeyJson("a\"b"), R"("a\"b")");
}

TEST(ResultJsonTest, AWeightBeyondDoublesIsNull) {
  FinishedRuns runs;
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto advance =
      runs.MakeAdvance({{"a", "b", Weight::Real(kMost)}, {"a", "b", Weight::Real(kMost)}}, At(300));
  const CompletedRun run = runs.Run(FinishedRuns::Job("shape", ShapeParameters()), advance);
  const Json json = Json::parse(ResultJson(run, All(), runs.keys()));
  EXPECT_TRUE(json.at("weight").is_null());
  EXPECT_EQ(json.at("top_edges").at(0).at("weight"), kMost);
}

TEST(ResultJsonTest, EdgesOfRandomWindowsComeBackWhole) {
  const testing::NamedSeed seed;
  std::mt19937 random(seed.value());
  for (int round = 0; round < 20; ++round) {
    FinishedRuns runs;
    std::vector<std::tuple<std::string, std::string, std::int64_t>> expected;
    std::vector<NamedEdge> edges;
    for (int i = 0; i < 200; ++i) {
      const auto key = [&] {
        const char* const kKeys[] = {"a", "\"", "\\", "\n", "é", "\xf0\x9f\x8c\x8d", "a b", "\x7f"};
        return std::string(kKeys[random() % 8]) + std::to_string(random() % 3);
      };
      const std::int64_t weight = static_cast<std::int64_t>(random() % 5) - 2;
      expected.emplace_back(key(), key(), weight);
      const auto& [source, target, w] = expected.back();
      edges.push_back({source, target, Weight::Integer(w)});
    }
    std::ranges::sort(expected);
    const auto advance = runs.MakeAdvance(edges, At(300));
    const CompletedRun run = runs.Run(FinishedRuns::Job("shape", ShapeParameters()), advance);
    std::vector<std::tuple<std::string, std::string, std::int64_t>> listed;
    const Json json = Json::parse(ResultJson(run, All(), runs.keys()));
    for (const Json& row : json.at("top_edges")) {
      listed.emplace_back(row.at("source"), row.at("target"), row.at("weight"));
    }
    EXPECT_EQ(listed, expected);
  }
}

}  // namespace
}  // namespace sash
