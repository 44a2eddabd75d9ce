#include "daemon/http/api_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/daemon/http/http_client.h"
#include "tests/daemon/http/served_api.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

TEST(ApiRoutesTest, HealthAndVersion) {
  TinyDaemon daemon;
  Api api(daemon);
  EXPECT_EQ(api.Body("/healthz"), Json::parse(R"({"status":"ok"})"));
  EXPECT_EQ(api.Body("/api/v1/version"), Json::parse(R"({"version":"1.2.3"})"));
}

TEST(ApiRoutesTest, ReadinessNamesItsReasons) {
  TinyDaemon daemon;
  Api api(daemon);
  EXPECT_EQ(api.Body("/readyz"), Json::parse(R"({"ready":true,"reasons":[]})"));
  daemon.not_ready = {"no broker answers"};
  EXPECT_EQ(api.Body("/readyz", 503),
            Json::parse(R"({"ready":false,"reasons":["no broker answers"]})"));
}

TEST(ApiRoutesTest, MetricsAreText) {
  TinyDaemon daemon;
  Api api(daemon);
  const HttpReply reply = api.Reply("/metrics?any=thing");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(reply.body, "sash_build_info 1\n");
}

TEST(ApiRoutesTest, SourceShowsPartitionsAndLag) {
  TinyDaemon daemon;
  daemon.source_status = {.kind = "kafka",
                          .address = "127.0.0.1:9092",
                          .records = 7,
                          .bytes = 100,
                          .filtered = 3,
                          .unmapped = 4,
                          .mappings = {{"paid", 1, 2, 3}},
                          .partitions = {{"t", 0, 5, 8, true}, {"t", 1, 2, std::nullopt, false}},
                          .not_ready = {"waiting"}};
  Api api(daemon);
  EXPECT_EQ(api.Body("/api/v1/source"), Json::parse(R"({
    "kind":"kafka","address":"127.0.0.1:9092","topics":["t"],"records":7,"bytes":100,
    "filtered":3,"unmapped":4,
    "mappings":[{"name":"paid","accepted":1,"filtered":2,"refused":3}],
    "partitions":[{"topic":"t","partition":0,"position":5,"end":8,"lag":3,"paused":true,
                   "held_ahead":0},
                  {"topic":"t","partition":1,"position":2,"end":null,"lag":null,"paused":false,
                   "held_ahead":0}],
    "not_ready":["waiting"]})"));
  daemon.source_status.topic_pattern = "^t$";
  EXPECT_EQ(api.Body("/api/v1/source").at("topic_pattern"), "^t$");
}

TEST(ApiRoutesTest, AWindowIsThereBeforeItsFirstAdvance) {
  TinyDaemon daemon;
  Api api(daemon);
  const Json window = api.Body("/api/v1/windows/now");
  EXPECT_EQ(window.at("name"), "now");
  for (const char* unknown : {"snapshot", "window_start", "window_end", "watermark"}) {
    EXPECT_TRUE(window.at(unknown).is_null()) << unknown;
  }
  for (const char* count : {"edges", "vertices", "slices", "bytes"}) {
    EXPECT_EQ(window.at(count), 0) << count;
  }
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now/vertices/a", 404),
              HasSubstr("has not advanced yet"));
}

TEST(ApiRoutesTest, AWindowTellsItsNewestAdvance) {
  TinyDaemon daemon;
  AddTriangle(daemon);
  Api api(daemon);
  const Json window = api.Body("/api/v1/windows/now");
  EXPECT_EQ(window.at("snapshot"), 1);
  EXPECT_EQ(window.at("window_start"), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(window.at("window_end"), "2026-01-01T00:00:10.000Z");
  EXPECT_EQ(window.at("edges"), 5);
  EXPECT_EQ(window.at("vertices"), 4);
  EXPECT_GT(window.at("bytes"), 0);
  const Json windows = api.Body("/api/v1/windows");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0], window);
  EXPECT_EQ(windows[1].at("name"), "sums");
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/other", 404), HasSubstr("there are: now, sums"));
}

TEST(ApiRoutesTest, NeighboursAreInOrderOfKeyThenWeight) {
  TinyDaemon daemon;
  AddTriangle(daemon);
  Api api(daemon);
  EXPECT_EQ(api.Body("/api/v1/windows/now/vertices/a"), Json::parse(R"({
    "vertex":"a","out_degree":3,"in_degree":0,
    "out":[{"vertex":"b","weight":0.5},{"vertex":"b","weight":5},{"vertex":"c","weight":1}],
    "in":[],"snapshot":1})"));
  EXPECT_EQ(api.Body("/api/v1/windows/now/vertices/c").at("in"),
            Json::parse(R"([{"vertex":"a","weight":1},{"vertex":"b","weight":1}])"));
  EXPECT_EQ(api.Body("/api/v1/windows/now/vertices/d").at("in_degree"), 1);
}

TEST(ApiRoutesTest, NeighboursTellTheTypesOfTheirEdges) {
  TinyDaemon daemon;
  for (const char* type : {"refunded", "", "paid"}) {
    daemon.Add(std::string("a"), std::string("b"), 1, Weight::Integer(type[0] == 'p' ? 1 : 2));
    if (type[0] != 0) daemon.SetType(type);
  }
  daemon.EndSource();
  Api api(daemon);
  EXPECT_EQ(api.Body("/api/v1/windows/now/vertices/b").at("in"), Json::parse(R"([
    {"vertex":"a","weight":2},{"vertex":"a","weight":1,"type":"paid"},
    {"vertex":"a","weight":2,"type":"refunded"}])"));
  EXPECT_EQ(api.Body("/api/v1/windows/sums/vertices/a").at("out"),
            Json::parse(R"([{"vertex":"b","weight":5,"type":"paid"}])"))
      << "the type of the newest copy";
}

TEST(ApiRoutesTest, AWeighWindowShowsSums) {
  TinyDaemon daemon;
  AddTriangle(daemon);
  Api api(daemon);
  EXPECT_EQ(api.Body("/api/v1/windows/sums/vertices/a").at("out")[0],
            Json::parse(R"({"vertex":"b","weight":5.5})"));
}

TEST(ApiRoutesTest, PagesPutTogetherAreTheWhole) {
  TinyDaemon daemon;
  for (int i = 0; i < 250; ++i) {
    daemon.Add(std::string("hub"), "v" + std::to_string((i * 7) % 250 + 1000), 1);
  }
  daemon.EndSource();
  Api api(daemon);
  const std::string path = "/api/v1/windows/now/vertices/hub";
  const Json first = api.Body(path);
  EXPECT_EQ(first.at("out").size(), 100u);
  EXPECT_EQ(first.at("truncated"), true);
  EXPECT_EQ(first.at("rows"), Json::parse(R"({"out":250,"in":0})"));
  for (const std::string window : {"now", "sums"}) {
    const std::string of = "/api/v1/windows/" + window + "/vertices/hub";
    const Json whole = api.Body(of + "?limit=10000");
    EXPECT_FALSE(whole.contains("truncated"));
    ASSERT_EQ(whole.at("out").size(), 250u);
    for (std::size_t i = 0; i < 250; ++i) {
      EXPECT_EQ(whole.at("out")[i].at("vertex"), "v" + std::to_string(1000 + i));
    }
    std::vector<std::string> together;
    for (int offset = 0; offset <= 270; offset += 90) {
      const Json page = api.Body(of + "?limit=90&offset=" + std::to_string(offset)).at("out");
      std::vector<std::string> listed;
      for (const Json& neighbour : page) listed.push_back(neighbour.at("vertex"));
      EXPECT_TRUE(std::ranges::is_sorted(listed));
      together.insert(together.end(), listed.begin(), listed.end());
    }
    std::ranges::sort(together);
    ASSERT_EQ(together.size(), 250u);
    for (std::size_t i = 0; i < 250; ++i) EXPECT_EQ(together[i], "v" + std::to_string(1000 + i));
  }
  EXPECT_EQ(api.Body(path + "?limit=0").at("out").size(), 0u);
  EXPECT_EQ(api.Body(path + "?limit=0").at("out_degree"), 250);
}

TEST(ApiRoutesTest, LinksLeadThroughEveryList) {
  TinyDaemon daemon;
  for (int i = 0; i < 25; ++i) daemon.Add(std::string("a b/c"), "v" + std::to_string(i + 10), 1);
  for (int i = 0; i < 8; ++i) daemon.Add(std::string("b"), std::string("a b/c"), 1);
  for (int i = 1; i < 12; ++i) daemon.Add(std::string("a b/c"), std::string("b"), i * 10);
  Api api(daemon);
  EXPECT_EQ(api.Pages("/api/v1/jobs/ranks/results").size(), 1u);
  daemon.EndSource();
  EXPECT_EQ(api.Pages("/api/v1/windows").size(), 1u);
  EXPECT_EQ(api.Pages("/api/v1/windows?limit=0").size(), 1u)
      << "otherwise the links would never end";
  const std::vector<Json> windows = api.Pages("/api/v1/windows?limit=1");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[1][0].at("name"), "sums");
  EXPECT_EQ(api.Pages("/api/v1/jobs?limit=3")[1].size(), 1u);
  EXPECT_EQ(api.Body("/api/v1/jobs?offset=3")[0].at("name"), "shape");
  EXPECT_EQ(api.Body("/api/v1/jobs?offset=9223372036854775807"), Json::array());

  const std::vector<Json> results = api.Pages("/api/v1/jobs/ranks/results?limit=5");
  ASSERT_EQ(results.size(), 3u);
  int snapshot = 12;
  for (const Json& page : results) {
    for (const Json& result : page) EXPECT_EQ(result.at("snapshot"), snapshot--);
  }
  EXPECT_EQ(snapshot, 0);
  EXPECT_EQ(api.Pages("/api/v1/jobs/ranks/results?limit=0").size(), 1u);
  EXPECT_EQ(api.Body("/api/v1/jobs/ranks/results?before=1"), Json::array());
  EXPECT_THAT(api.ErrorMessage("/api/v1/jobs/ranks/results?before=x", 400),
              HasSubstr("before: must be"));
}

TEST(ApiRoutesTest, NeighboursInBothDirectionsArePagedTogether) {
  TinyDaemon daemon;
  for (int i = 0; i < 25; ++i) daemon.Add(std::string("a b/c"), "v" + std::to_string(i + 10), 1);
  for (int i = 0; i < 8; ++i) daemon.Add(std::string("b"), std::string("a b/c"), 1);
  daemon.EndSource();
  Api api(daemon);
  for (const char* form : {"/a%20b%2Fc?", "?key=a+b%2Fc&"}) {
    const std::vector<Json> pages =
        api.Pages("/api/v1/windows/now/vertices" + std::string(form) + "limit=10");
    ASSERT_EQ(pages.size(), 3u) << form;
    std::size_t out = 0;
    std::size_t in = 0;
    for (const Json& page : pages) {
      EXPECT_EQ(page.at("out_degree"), 25);
      out += page.at("out").size();
      in += page.at("in").size();
    }
    EXPECT_EQ(out, 25u);
    EXPECT_EQ(in, 8u);
  }
}

TEST(ApiRoutesTest, WhatHasNotChangedIsNotSentAgain) {
  TinyDaemon daemon;
  daemon.Add(std::string("a"), std::string("b"), 1);
  daemon.Add(std::string("a"), std::string("b"), 11);
  daemon.Process();
  Api api(daemon);
  std::map<std::string, std::string> tags;
  for (const char* path :
       {"/api/v1/windows", "/api/v1/windows/now", "/api/v1/windows/now/vertices/a",
        "/api/v1/jobs/ranks/results", "/api/v1/jobs/ranks/results/latest",
        "/api/v1/jobs/ranks/vertices/a", "/api/v1/jobs/ranks", "/openapi.json"}) {
    tags[path] = api.Reply(path).headers.at("etag");
    EXPECT_EQ(api.Reply(path, "If-None-Match: " + tags[path] + "\r\n").status, 304) << path;
  }
  daemon.EndSource();
  EXPECT_EQ(daemon.history.Latest("ranks")->result->provenance.snapshot.value, 2u);
  for (const auto& [path, tag] : tags) {
    // The window has advanced, and answers about its vertices contain the snapshot; the ranks are
    // unchanged.
    const bool same = path == "/openapi.json" || path == "/api/v1/jobs/ranks/vertices/a";
    EXPECT_EQ(api.Reply(path, "If-None-Match: " + tag + "\r\n").status, same ? 304 : 200) << path;
  }
  EXPECT_FALSE(api.Reply("/readyz").headers.contains("etag"));
  EXPECT_EQ(api.Reply("/readyz").headers.at("cache-control"), "no-store");
}

TEST(ApiRoutesTest, BadQueryValuesSayWhatWouldBeRight) {
  TinyDaemon daemon;
  AddTriangle(daemon);
  Api api(daemon);
  const std::string vertex = "/api/v1/windows/now/vertices/a";
  for (const char* value : {"-1", "x", "", "1.5", "10001", "99999999999999999999", "%201"}) {
    EXPECT_THAT(api.ErrorMessage(vertex + "?limit=" + value, 400),
                HasSubstr("limit: must be a whole number from 0 to 10000"));
  }
  EXPECT_THAT(api.ErrorMessage(vertex + "?offset=x", 400), HasSubstr("offset: must be"));
  EXPECT_THAT(api.ErrorMessage(vertex + "?page=2", 400), HasSubstr("takes limit, offset"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/jobs/ranks/results/latest?top=x", 400),
              HasSubstr("top: must be"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/jobs/ranks/results?limit=x", 400),
              HasSubstr("limit: must be"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now/vertices", 400), HasSubstr("?key="));
}

class OddKeyTest : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(OddKeyTest, IsFoundByPathAndByQuery) {
  const std::string key = GetParam().first;
  const std::string encoded = GetParam().second;
  TinyDaemon daemon(KeyKind::kString, {key});
  daemon.Add(key, std::string("other"), 1);
  daemon.EndSource();
  Api api(daemon);
  for (const char* form : {"/", "?key="}) {
    EXPECT_EQ(api.Body("/api/v1/windows/now/vertices" + (form + encoded)).at("vertex"), key);
    EXPECT_EQ(api.Body("/api/v1/jobs/ranks/vertices" + (form + encoded)).at("vertex"), key);
    EXPECT_EQ(api.Body("/api/v1/jobs/reach/vertices" + (form + encoded)).at("depth"), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Keys, OddKeyTest,
    ::testing::Values(std::pair("a/b", "a%2Fb"), std::pair("/", "%2f"),
                      std::pair("say \"hi\"", "say%20%22hi%22"),
                      std::pair("é€🦊", "%C3%A9%E2%82%AC%F0%9F%A6%8A"),
                      std::pair("é€🦊", "é€🦊"), std::pair("100%", "100%25"),
                      std::pair("a?b&c=d#e", "a%3Fb%26c%3Dd%23e"), std::pair("1+1", "1%2B1"),
                      std::pair("..", "%2E%2E"), std::pair(" ", "%20"),
                      std::pair("line\nbreak\\", "line%0Abreak%5C"),
                      std::pair("{key}", "%7Bkey%7D"), std::pair("vertices", "vertices")));

TEST(ApiRoutesTest, AKeyThatIsNotInTheWindowIsNotFound) {
  TinyDaemon daemon;
  AddTriangle(daemon);
  Api api(daemon);
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now/vertices/no%22one", 404),
              HasSubstr(R"("no\"one" is not in window 'now')"));
  EXPECT_EQ(api.Reply("/api/v1/jobs/ranks/vertices/nobody").status, 404);
  EXPECT_EQ(api.Reply("/api/v1/windows/now/vertices/%FF").status, 400);
}

TEST(ApiRoutesTest, AVertexThatLeftTheWindowIsNotFound) {
  TinyDaemon daemon;
  daemon.Add(std::string("old"), std::string("older"), 1);
  daemon.Add(std::string("new"), std::string("newer"), 11);
  daemon.EndSource();
  Api api(daemon);
  EXPECT_EQ(api.Reply("/api/v1/windows/now/vertices/old").status, 404);
  EXPECT_EQ(api.Reply("/api/v1/jobs/ranks/vertices/old").status, 404);
  EXPECT_EQ(api.Reply("/api/v1/jobs/reach/vertices/old").status, 404);
  EXPECT_EQ(api.Reply("/api/v1/windows/now/vertices/new").status, 200);
}

// Vertex ids are recycled: a key of the newest result may have the id of a forgotten key, and a key
// outside the result may have an id that the arrays of the result cover.
TEST(ApiRoutesTest, KeysThatCameAndWentWithRecycledIdsSayNothingOfOthers) {
  TinyDaemon daemon;
  const auto add = [&](const std::string& source, const std::string& target, double seconds) {
    daemon.Add(source, target, seconds);
    daemon.Process();
  };
  for (int i = 0; i < 10; ++i) add("a" + std::to_string(i), "b" + std::to_string(i), i * 10 + 1);
  ASSERT_GT(daemon.stats.ids_recycled, 10u);
  add("again", "a0", 101);  // pane 90 is published
  Api api(daemon);
  const std::string jobs = "/api/v1/jobs/ranks/vertices/";
  const std::string windows = "/api/v1/windows/now/vertices/";
  for (const std::string& vertices : {jobs, windows}) {
    EXPECT_EQ(api.Body(vertices + "a9").at("vertex"), "a9");
    for (const char* key : {"a0", "again", "b0", "a8"}) {
      EXPECT_EQ(api.Reply(vertices + key).status, 404) << key;
    }
  }
  add("last", "last", 111);
  EXPECT_EQ(api.Body(windows + "a0").at("in")[0].at("vertex"), "again");
  EXPECT_EQ(api.Body(windows + "a0").at("out_degree"), 0) << "its old edge has aged out";
  EXPECT_EQ(api.Body(jobs + "a0").at("rank"), 1);
  EXPECT_EQ(api.Reply(windows + "a9").status, 404);
}

TEST(ApiRoutesTest, IntegerKeysAreNumbers) {
  TinyDaemon daemon(KeyKind::kInteger, {std::int64_t{-5}});
  daemon.Add(std::int64_t{-5}, std::int64_t{10}, 1);
  daemon.Add(std::int64_t{-5}, std::int64_t{9}, 1);
  daemon.EndSource();
  Api api(daemon);
  const Json vertex = api.Body("/api/v1/windows/now/vertices/-5");
  EXPECT_EQ(vertex.at("vertex"), -5);
  EXPECT_EQ(vertex.at("out")[0].at("vertex"), 9);
  EXPECT_EQ(api.Body("/api/v1/jobs/reach/vertices/9").at("rank"), 2);
  EXPECT_EQ(api.Reply("/api/v1/windows/now/vertices/11").status, 404);
  for (const char* wrong : {"x", "1.0", "+1", "9223372036854775808", ""}) {
    EXPECT_THAT(api.ErrorMessage(std::string("/api/v1/windows/now/vertices/") + wrong, 400),
                HasSubstr("64-bit integers"));
  }
}

TEST(ApiRoutesTest, UnknownPathsAreNotFound) {
  TinyDaemon daemon;
  Api api(daemon);
  for (const char* path : {"/console", "/api", "/api/v1", "/api/v1/windows/", "/api/v2/windows",
                           "/api/v1/windows/now/", "/api/v1/jobs/ranks/results/latest/x",
                           "/API/v1/windows", "/api//v1/windows"}) {
    EXPECT_EQ(api.Body(path, 404).at("error").at("code"), "not_found") << path;
  }
}

TEST(ApiRoutesTest, RefusesOtherMethodsAndBodiesInJson) {
  TinyDaemon daemon;
  Api api(daemon);
  HttpClient client(api.port());
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"}) {
    const HttpReply reply = client.Request(method, "/api/v1/source");
    ASSERT_EQ(reply.status, 405) << method;
    EXPECT_EQ(reply.headers.at("allow"), "GET, HEAD");
    EXPECT_EQ(Json::parse(reply.body).at("error").at("code"), "method_not_allowed");
    EXPECT_EQ(client.Request(method, "/nothing").status, 404);
  }
  EXPECT_EQ(client.Request("PATCH", "/api/v1/windows").headers.at("allow"), "GET, HEAD, POST");
  client.Send("GET /api/v1/windows HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
  const HttpReply refused = client.Read();
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(Json::parse(refused.body).at("error").at("code"), "content_too_large");
  EXPECT_TRUE(client.AwaitEnd());
}

TEST(ApiRoutesTest, AnswersWhileTheWindowAdvances) {
  TinyDaemon daemon;
  Api api(daemon);
  std::atomic<bool> ended = false;
  std::jthread asking([&] {
    HttpClient client(api.port());
    while (!ended) {
      EXPECT_EQ(client.Request("GET", "/api/v1/windows").status, 200);
      const int found = client.Request("GET", "/api/v1/windows/now/vertices/hub").status;
      EXPECT_TRUE(found == 200 || found == 404);
      const int ranked = client.Request("GET", "/api/v1/jobs/ranks/vertices/hub").status;
      EXPECT_TRUE(ranked == 200 || ranked == 404);
      EXPECT_EQ(client.Request("GET", "/api/v1/jobs").status, 200);
    }
  });
  for (int advance = 0; advance < 50; ++advance) {
    for (int i = 0; i < 20; ++i) {
      daemon.Add(std::string("hub"), "v" + std::to_string(advance * 20 + i), advance * 10 + 1);
    }
    daemon.Process();
  }
  ended = true;
}

}  // namespace
}  // namespace sash
