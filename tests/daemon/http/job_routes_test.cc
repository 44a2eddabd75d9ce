// Answers of the API about jobs, their runs and results, and about single vertices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>

#include "tests/daemon/http/served_api.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(JobRoutesTest, JobsTellTheirRuns) {
  TinyDaemon daemon;
  Api api(daemon);
  EXPECT_TRUE(api.Body("/api/v1/jobs/ranks").at("last_seconds").is_null());
  AddTriangle(daemon);
  const Json jobs = api.Body("/api/v1/jobs");
  ASSERT_EQ(jobs.size(), 4u);
  EXPECT_EQ(jobs[0], api.Body("/api/v1/jobs/ranks"));
  EXPECT_EQ(jobs[0].at("name"), "ranks");
  EXPECT_EQ(jobs[0].at("kernel"), "pagerank");
  EXPECT_EQ(jobs[0].at("window"), "now");
  EXPECT_EQ(jobs[0].at("runs"), 1);
  EXPECT_EQ(jobs[0].at("skipped"), 0);
  EXPECT_EQ(jobs[0].at("running"), false);
  EXPECT_TRUE(jobs[0].at("last_seconds").is_number());
  EXPECT_TRUE(jobs[0].at("phase").is_null());
  EXPECT_GT(jobs[0].at("iteration"), 1);
  EXPECT_THAT(api.ErrorMessage("/api/v1/jobs/other", 404),
              HasSubstr("there are: ranks, reach, split, shape"));
}

// The sum of all "<phase>_seconds" except `without`.
double SumOf(const Json& phases, const std::set<std::string>& without) {
  double sum = 0;
  for (const auto& [name, value] : phases.items()) {
    EXPECT_THAT(name, EndsWith("_seconds"));
    EXPECT_GE(value.get<double>(), 0) << name;
    if (!without.contains(name)) sum += value.get<double>();
  }
  return sum;
}

TEST(JobRoutesTest, TheNewestAdvanceAndRunSayWhereTheirTimeWent) {
  TinyDaemon daemon;
  Api api(daemon);
  EXPECT_TRUE(api.Body("/api/v1/windows/now").at("advance_phases").is_null());
  EXPECT_TRUE(api.Body("/api/v1/jobs/ranks").at("last_phases").is_null());
  EXPECT_TRUE(api.Body("/api/v1/jobs/ranks").at("last_latency_seconds").is_null());
  AddTriangle(daemon);
  const Json window = api.Body("/api/v1/windows/now");
  EXPECT_EQ(window.at("advance_phases").size(), 8u);
  EXPECT_NEAR(SumOf(window.at("advance_phases"), {"waiting_seconds"}),
              window.at("advance_seconds").get<double>(), 1e-9);
  const Json job = api.Body("/api/v1/jobs/ranks");
  EXPECT_EQ(job.at("last_phases").size(), 5u);
  EXPECT_NEAR(SumOf(job.at("last_phases"), {"waiting_seconds", "delivering_seconds"}),
              job.at("last_seconds").get<double>(), 1e-9);
  EXPECT_GT(job.at("last_phases").at("computing_seconds"), 0);
  EXPECT_GE(job.at("last_latency_seconds").get<double>(), SumOf(job.at("last_phases"), {}));
}

TEST(JobRoutesTest, ResultsAreNewestFirst) {
  TinyDaemon daemon;
  Api api(daemon);
  EXPECT_THAT(api.ErrorMessage("/api/v1/jobs/ranks/results/latest", 404),
              HasSubstr("no result yet"));
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/results"), Json::array());
  for (int i = 0; i < 12; ++i) daemon.Add(std::string("a"), std::string("b"), i * 10);
  daemon.EndSource();
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/results/latest"),
            Json::parse(R"({"job":"ranks","snapshot":12,"whole":true,"top":null})"));
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/results/latest?top=3").at("top"), 3);
  const Json results = api.Body("/api/v1/jobs/ranks/results?limit=2");
  EXPECT_EQ(results, Json::parse(R"([{"job":"ranks","snapshot":12,"whole":false,"top":20},
                                     {"job":"ranks","snapshot":11,"whole":false,"top":20}])"));
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/results?limit=1&top=7")[0].at("top"), 7);
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/results/11").at("top"), nullptr);
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/results/11?top=7").at("top"), 7);
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/results").size(), 10u);
  EXPECT_EQ(api.Reply("/api/v1/jobs/other/results").status, 404);
  EXPECT_EQ(api.Reply("/api/v1/jobs/other/results/latest").status, 404);
}

TEST(JobRoutesTest, AVertexHasScoreAndRank) {
  TinyDaemon daemon;
  AddTriangle(daemon);
  Api api(daemon);
  const auto run = daemon.history.Latest("ranks");
  ASSERT_TRUE(run);
  const auto& top = std::get<PageRankOutput>(run->result->output).top;
  ASSERT_EQ(top.size(), 4u);
  for (const RankedVertex& vertex : top) {
    const Json body = api.Body("/api/v1/jobs/ranks/vertices/" + std::get<std::string>(vertex.key));
    EXPECT_EQ(body, (Json{{"vertex", std::get<std::string>(vertex.key)},
                          {"score", vertex.score},
                          {"rank", vertex.rank}}));
  }
}

TEST(JobRoutesTest, AVertexHasDepthAndRank) {
  TinyDaemon daemon;
  AddTriangle(daemon);
  Api api(daemon);
  EXPECT_EQ(api.Body("/api/v1/jobs/reach/vertices/c"),
            Json::parse(R"({"vertex":"c","depth":1,"rank":3})"));
  EXPECT_EQ(api.Body("/api/v1/jobs/reach/vertices/d"),
            Json::parse(R"({"vertex":"d","depth":null,"rank":null})"));
  EXPECT_EQ(api.Body("/api/v1/jobs/split/vertices/b"), Json::parse(R"({"vertex":"b",
      "traversals":[{"root":"a","depth":1,"rank":2}]})"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/jobs/shape/vertices/a", 404),
              HasSubstr("has no values for single vertices"));
}

TEST(JobRoutesTest, AVertexHasAParentWhereTheJobWantsParents) {
  const std::vector<VertexKey> roots = {std::string("a")};
  TinyDaemon daemon(KeyKind::kString, roots, {BfsParameters{.roots = roots, .parents = true}});
  for (const auto& [source, target] :
       {std::pair("a", "z"), std::pair("a", "m"), std::pair("z", "c"), std::pair("m", "c"),
        std::pair("q", "a")}) {
    daemon.Add(std::string(source), std::string(target), 1);
  }
  daemon.EndSource();
  Api api(daemon);
  const auto expect = [&](const std::string& key, const char* answer) {
    const Json body = api.Body("/api/v1/jobs/bfs/vertices/" + key);
    EXPECT_EQ(body, Json::parse(answer)) << body;
  };
  expect("a", R"({"vertex":"a","depth":0,"rank":1,"parent":null})");
  expect("c", R"({"vertex":"c","depth":2,"rank":4,"parent":"m"})");
  expect("q", R"({"vertex":"q","depth":null,"rank":null,"parent":null})");
}

TEST(JobRoutesTest, AVertexHasNoScoreWhereNothingIsRanked) {
  TinyDaemon daemon(KeyKind::kString, {std::string("a")},
                    {PageRankParameters{.sources = {std::string("nobody")}}});
  AddTriangle(daemon);
  Api api(daemon);
  EXPECT_EQ(api.Body("/api/v1/jobs/pagerank/vertices/a"),
            Json::parse(R"({"vertex":"a","score":null,"rank":null,)"
                        R"("error":"the source is not in the window"})"));
}

// The sum of two copies of this weight overflows a double.
TEST(JobRoutesTest, WhatOverflowsIsAnErrorThatSaysSo) {
  TinyDaemon daemon(KeyKind::kString, {std::string("a")},
                    {SsspParameters{.roots = {std::string("a")}}, StrengthParameters{}});
  const Weight large = Weight::Real(1e308);
  daemon.Add(std::string("a"), std::string("b"), 1, large);
  daemon.Add(std::string("b"), std::string("c"), 2, large);
  daemon.Add(std::string("a"), std::string("b"), 3, large);
  daemon.EndSource();
  Api api(daemon);
  EXPECT_EQ(api.Body("/api/v1/jobs/strength/vertices/b"),
            Json({{"vertex", "b"},
                  {"score", nullptr},
                  {"rank", nullptr},
                  {"error", "the score is beyond the range of a double (1.8e308)"}}));
  EXPECT_EQ(api.Body("/api/v1/jobs/strength/vertices/c"),
            Json({{"vertex", "c"}, {"score", 1e308}, {"rank", 1}}));
  EXPECT_EQ(api.Body("/api/v1/jobs/sssp/vertices/c"),
            Json({{"vertex", "c"},
                  {"distance", nullptr},
                  {"rank", nullptr},
                  {"error", "the distance is beyond the range of a double (1.8e308)"}}));
  // `sums` adds the copies up.
  const Json vertex = api.Body("/api/v1/windows/sums/vertices/a");
  EXPECT_EQ(vertex.at("out").at(0).at("weight"), Json());
  EXPECT_EQ(vertex.at("error"),
            "1 number is beyond the range of a double (1.8e308) and reads null");
  EXPECT_FALSE(api.Body("/api/v1/windows/now/vertices/a").contains("error"));
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/neighbourhood").at("error"),
            "1 number is beyond the range of a double (1.8e308) and reads null");
}

TEST(JobRoutesTest, AVertexHasWhatItsKernelSaysOfIt) {
  TinyDaemon daemon(
      KeyKind::kString, {std::string("a")},
      {HitsParameters{.rank_by = HitsRanking::kHubs, .tolerance = 0, .max_iterations = 1},
       WccParameters{}, SccParameters{}, SsspParameters{.roots = {std::string("a")}},
       TrianglesParameters{}, LccParameters{}, CdlpParameters{}, KcoreParameters{},
       DegreeParameters{}, StrengthParameters{StrengthDirection::kNet}, FanoutParameters{},
       ReciprocityParameters{}, NewEdgesParameters{}, VanishedEdgesParameters{}, CyclesParameters{},
       PathsParameters{{std::string("a")}, {std::string("b")}}, EdgeFeaturesParameters{}});
  for (const auto& [source, target, weight] :
       {std::tuple("b", "a", 4), std::tuple("a", "c", 2), std::tuple("c", "b", 1),
        std::tuple("a", "c", 9), std::tuple("e", "d", 1)}) {
    daemon.Add(std::string(source), std::string(target), 1, Weight::Integer(weight));
  }
  daemon.EndSource();
  Api api(daemon);
  const auto expect = [&](const std::string& kernel, const std::string& key, const char* answer) {
    const Json body = api.Body("/api/v1/jobs/" + kernel + "/vertices/" + key);
    EXPECT_EQ(body, Json::parse(answer)) << kernel << " of " << key << ": " << body;
  };
  expect("hits", "d", R"({"vertex":"d","score":0.0,"rank":5,"authority":0.2})");
  expect("wcc", "c", R"({"vertex":"c","component":"a","size":3,"rank":1})");
  expect("wcc", "e", R"({"vertex":"e","component":"d","size":2,"rank":2})");
  expect("scc", "c", R"({"vertex":"c","component":"a","size":3,"rank":1})");
  expect("scc", "e", R"({"vertex":"e","component":"e","size":1,"rank":3})");
  expect("cdlp", "b", R"({"vertex":"b","community":"a","size":2,"rank":1})");
  expect("sssp", "b", R"({"vertex":"b","distance":3.0,"rank":3})");
  expect("sssp", "d", R"({"vertex":"d","distance":null,"rank":null})");
  expect("triangles", "c", R"({"vertex":"c","score":1,"rank":3})");
  expect("lcc", "c", R"({"vertex":"c","score":0.5,"rank":3})");
  expect("kcore", "e", R"({"vertex":"e","score":1,"rank":5})");
  expect("degree", "c", R"({"vertex":"c","score":3,"rank":2})");
  expect("strength", "a", R"({"vertex":"a","score":-7,"rank":5})");
  expect("fanout", "a", R"({"vertex":"a","score":1,"rank":1})");
  expect("reciprocity", "a", R"({"vertex":"a","score":0.0,"rank":1})");
  expect("reciprocity", "d", R"({"vertex":"d","score":null,"rank":null})");
  for (const char* kernel : {"new_edges", "vanished_edges", "cycles", "paths", "edge_features"}) {
    EXPECT_THAT(api.ErrorMessage(std::string("/api/v1/jobs/") + kernel + "/vertices/a", 404),
                HasSubstr("has no values for single vertices"));
  }
}

}  // namespace
}  // namespace sash
