#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/served_api.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

TEST(PathRoutesTest, APathHasItsStepsAndWhereItIsFrom) {
  TinyDaemon daemon;
  daemon.Add(std::string("a"), std::string("x"), 1, Weight::Integer(5));
  daemon.SetType("paid");
  daemon.Add(std::string("a"), std::string("x"), 2, Weight::Integer(2));
  daemon.SetType("refunded");
  daemon.Add(std::string("x"), std::string("b"), 3, Weight::Real(0.5));
  daemon.Add(std::string("a"), std::string("y"), 4, Weight::Integer(1));
  daemon.Add(std::string("y"), std::string("b"), 4, Weight::Integer(3));
  daemon.EndSource();
  const RouteAnswers api(daemon);
  EXPECT_EQ(api.Json("/api/v1/windows/now/paths?from=a&to=b"), Json::parse(R"({
    "window":"now","snapshot":1,"window_end":"2026-01-01T00:00:10.000Z","from":"a","to":"b",
    "by":"hops","direction":"out","most":6,"found":true,"length":2,"weight":2.5,"paths":2,
    "vertices":["a","x","b"],
    "steps":[{"source":"a","target":"x","weight":2,"type":"refunded","edges":2},
             {"source":"x","target":"b","weight":0.5,"edges":1}],
    "edges_read":5})"));
  const Json summed = api.Json("/api/v1/windows/sums/paths?from=a&to=b&by=weight");
  EXPECT_EQ(summed.at("vertices"), Json::parse(R"(["a","y","b"])"));
  EXPECT_EQ(summed.at("weight"), 4);
  EXPECT_EQ(summed.at("paths"), 1);
  const HttpResponse answer = api.Get("/api/v1/windows/now/paths?from=a&to=b");
  EXPECT_FALSE(RouteAnswers::Header(answer, "ETag").empty());
}

TEST(PathRoutesTest, DirectionAndBoundDecideWhatIsAPath) {
  TinyDaemon daemon;
  AddTriangle(daemon);
  const RouteAnswers api(daemon);
  const auto vertices = [&](const std::string& query) {
    return api.Json("/api/v1/windows/now/paths?" + query).at("vertices").dump();
  };
  EXPECT_EQ(vertices("from=a&to=c"), R"(["a","c"])");
  EXPECT_EQ(vertices("from=c&to=a&direction=in"), R"(["c","a"])");
  EXPECT_EQ(vertices("from=c&to=b&direction=both&by=weight"), R"(["c","b"])");
  EXPECT_EQ(vertices("from=a&to=a&most=1"), R"(["a"])");
  const Json back = api.Json("/api/v1/windows/now/paths?from=b&to=a&direction=both");
  EXPECT_EQ(back.at("steps"),
            Json::parse(R"([{"source":"a","target":"b","weight":0.5,"edges":2}])"));
  const Json none = api.Json("/api/v1/windows/now/paths?from=c&to=a");
  EXPECT_EQ(none.at("found"), false);
  EXPECT_TRUE(none.at("length").is_null() && none.at("weight").is_null());
  EXPECT_EQ(none.at("paths"), 0);
  EXPECT_EQ(none.at("vertices"), Json::array());
  EXPECT_EQ(none.at("steps"), Json::array());
}

TEST(PathRoutesTest, NumericKeysAreFound) {
  TinyDaemon daemon(KeyKind::kInteger, {std::int64_t{1}});
  for (const std::int64_t middle : {10, 9}) {
    daemon.Add(std::int64_t{-1}, middle, 1);
    daemon.Add(middle, std::int64_t{2}, 1);
  }
  daemon.EndSource();
  const RouteAnswers api(daemon);
  EXPECT_EQ(api.Json("/api/v1/windows/now/paths?from=-1&to=2").at("vertices"),
            Json::parse("[-1,9,2]"))
      << "by number, not by text";
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now/paths?from=1&to=x", 400),
              HasSubstr("to: the keys of this stream are 64-bit integers, got 'x'"));
}

TEST(PathRoutesTest, RefusalsSayWhatIsWrong) {
  TinyDaemon daemon;
  const RouteAnswers api(daemon);
  const std::string path = "/api/v1/windows/now/paths";
  EXPECT_THAT(api.ErrorMessage(path + "?from=a&to=b", 404), HasSubstr("has not advanced yet"));
  AddTriangle(daemon);
  for (const auto& [query, status, said] :
       {std::tuple("?to=b", 400, "from: the vertex key is missing; give it as ?from="),
        {"?from=a", 400, "to: the vertex key is missing"},
        {"?from=a&to=b&by=cost", 400, "by: must be one of hops, weight, got 'cost'"},
        {"?from=a&to=b&direction=up", 400, "direction: must be one of out, in, both, got 'up'"},
        {"?from=a&to=b&most=0", 400, "most: must be a whole number from 1 to 100, got '0'"},
        {"?from=a&to=b&edges_most=x", 400, "edges_most: must be"},
        {"?from=a&to=b&depth=2", 400, "depth"},
        {"?from=a&to=nobody", 404, "vertex \"nobody\" is not in window 'now'"},
        {"?from=a&to=b&edges_most=1", 422,
         "the search has read 0 edges and would read 2 with its next step"}}) {
    EXPECT_THAT(api.ErrorMessage(path + query, status), HasSubstr(said)) << query;
  }
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/other/paths?from=a&to=b", 404),
              HasSubstr("there are: now, sums"));
}

TEST(PathRoutesTest, NegativeWeightsHaveNoLightestPath) {
  TinyDaemon daemon;
  daemon.Add(std::string("a"), std::string("b"), 1, Weight::Integer(-1));
  daemon.EndSource();
  const RouteAnswers api(daemon);
  EXPECT_EQ(api.Json("/api/v1/windows/now/paths?from=a&to=b").at("weight"), -1);
  const Json error = api.Json("/api/v1/windows/now/paths?from=a&to=b&by=weight", 422).at("error");
  EXPECT_EQ(error.at("code"), "negative_weights");
  EXPECT_THAT(error.at("message").get<std::string>(),
              HasSubstr("1 of the edges that were read has a negative weight"));
}

}  // namespace
}  // namespace sash
