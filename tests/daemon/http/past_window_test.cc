// Windows as they were: what `snapshot` and `at` name, and what cannot be read any more.
#include "daemon/http/past_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

// Windows that ended at most this long before the newest can be read.
constexpr std::chrono::seconds kRetain{20};
const std::vector<VertexKey> kRoots = {std::string("a")};

// In each of `windows` windows of 10 s, `a` has an edge to the number of the window.
void AddOnePerWindow(TinyDaemon& daemon, int windows) {
  for (int i = 1; i <= windows; ++i) {
    daemon.Add(std::string("a"), "v" + std::to_string(i), 10 * i - 9, Weight::Integer(i));
  }
  daemon.EndSource();
}

std::string NeighbourOfA(const RouteAnswers& api, const std::string& query) {
  const Json vertex = api.Json("/api/v1/windows/now/vertices/a" + query);
  EXPECT_EQ(vertex.at("out").size(), 1U);
  return vertex.at("out")[0].at("vertex");
}

TEST(PastWindowTest, ASnapshotAndATimeNameAWindow) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  AddOnePerWindow(daemon, 3);
  const RouteAnswers api(daemon);
  EXPECT_EQ(NeighbourOfA(api, ""), "v3");
  EXPECT_EQ(NeighbourOfA(api, "?snapshot=3"), "v3");
  EXPECT_EQ(NeighbourOfA(api, "?snapshot=1"), "v1");
  EXPECT_EQ(NeighbourOfA(api, "?at=2026-01-01T00:00:20Z"), "v2");
  EXPECT_EQ(NeighbourOfA(api, "?at=2026-01-01T00:00:19.999Z"), "v1");
  EXPECT_EQ(NeighbourOfA(api, "?at=2030-01-01T00:00:00Z"), "v3");
  EXPECT_EQ(api.Json("/api/v1/windows/now/vertices/a?snapshot=2").at("snapshot"), 2);
  EXPECT_EQ(api.Get("/api/v1/windows/now/vertices/v3?snapshot=2").status, 404);
}

TEST(PastWindowTest, PathsAndTheWindowItselfAreOfThatTime) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  AddOnePerWindow(daemon, 3);
  const RouteAnswers api(daemon);
  const Json path = api.Json("/api/v1/windows/now/paths?from=a&to=v2&by=weight&snapshot=2");
  EXPECT_EQ(path.at("snapshot"), 2);
  EXPECT_EQ(path.at("weight"), 2);
  const Json window = api.Json("/api/v1/windows/now?at=2026-01-01T00:00:10Z");
  EXPECT_EQ(window.at("snapshot"), 1);
  EXPECT_EQ(window.at("window_end"), "2026-01-01T00:00:10.000Z");
  EXPECT_EQ(window.at("edges"), 1);
  EXPECT_TRUE(window.at("advance_seconds").is_null());
  EXPECT_EQ(api.Json("/api/v1/windows/now").at("snapshot"), 3);
}

TEST(PastWindowTest, AWindowThatIsTooOldIsGone) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  AddOnePerWindow(daemon, 5);
  const RouteAnswers api(daemon);
  for (const char* query : {"snapshot=2", "at=2026-01-01T00:00:29Z"}) {
    const Json gone = api.Json(std::string("/api/v1/windows/now/vertices/a?") + query, 410);
    EXPECT_EQ(gone.at("error").at("code"), "gone");
    EXPECT_EQ(gone.at("oldest"),
              Json::parse(R"({"snapshot":3,"window_end":"2026-01-01T00:00:30.000Z"})"));
  }
  EXPECT_EQ(NeighbourOfA(api, "?snapshot=3"), "v3");
  const std::string message = api.ErrorMessage("/api/v1/windows/sums?snapshot=1", 410);
  EXPECT_THAT(message, HasSubstr("the window has no `retain`"));
}

TEST(PastWindowTest, WrongRequestsAreRefused) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  AddOnePerWindow(daemon, 2);
  const RouteAnswers api(daemon);
  const std::string window = "/api/v1/windows/now";
  EXPECT_THAT(api.ErrorMessage(window + "?snapshot=3", 404), HasSubstr("the newest is 2"));
  EXPECT_THAT(api.ErrorMessage(window + "?snapshot=x", 400), HasSubstr("snapshot"));
  EXPECT_THAT(api.ErrorMessage(window + "?at=yesterday", 400), HasSubstr("`yesterday`"));
  EXPECT_THAT(api.ErrorMessage(window + "?snapshot=1&at=2026-01-01T00:00:10Z", 400),
              HasSubstr("not both"));
  TinyDaemon silent;
  EXPECT_THAT(RouteAnswers(silent).ErrorMessage(window + "?snapshot=1", 404),
              HasSubstr("has not advanced yet"));
}

// After a restart, history is there before the first advance.
TEST(PastWindowTest, HistoryNeedsNoAdvance) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  AddOnePerWindow(daemon, 5);
  const WindowEngine& engine = daemon.surroundings().engine;
  WindowStatus restarted = *engine.Find("now");
  restarted.newest = nullptr;
  const auto read = [&](const std::string& name, const std::string& value) {
    HttpRequest request;
    request.query[name] = value;
    return ReadWindowOf(engine, restarted, request);
  };
  for (std::uint64_t snapshot = 3; snapshot <= 5; ++snapshot) {
    const ChosenWindow chosen = read("snapshot", std::to_string(snapshot));
    ASSERT_NE(chosen.advance, nullptr);
    EXPECT_EQ(chosen.advance->provenance.snapshot.value, snapshot);
    VisitView(chosen.advance->view, [](const auto& graph) { EXPECT_EQ(graph.edge_count(), 1U); });
  }
  EXPECT_EQ(read("at", "2030-01-01T00:00:00Z").advance->provenance.snapshot.value, 5U);
  EXPECT_EQ(read("snapshot", "6").refusal->status, 404);
  EXPECT_EQ(read("snapshot", "2").refusal->status, 410);
  EXPECT_EQ(ReadWindowOf(engine, restarted, HttpRequest()).refusal->status, 404);
}

TEST(PastWindowTest, ThereIsAListOfWhatCanBeRead) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  AddOnePerWindow(daemon, 5);
  const RouteAnswers api(daemon);
  const Json all = api.Json("/api/v1/windows/now/snapshots");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].at("snapshot"), 5);
  EXPECT_EQ(all[2], Json::parse(R"({"snapshot":3,"window_start":"2026-01-01T00:00:20.000Z",
      "window_end":"2026-01-01T00:00:30.000Z","edges":1,"vertices":2,"empty":false})"));
  EXPECT_EQ(api.Json("/api/v1/windows/now/snapshots?limit=1&offset=1")[0].at("snapshot"), 4);
  EXPECT_EQ(api.Json("/api/v1/windows/sums/snapshots").size(), 1U);  // the newest alone
  EXPECT_EQ(api.Get("/api/v1/windows/other/snapshots").status, 404);
}

TEST(PastWindowTest, ChangesAreThePairsThatCameAndWent) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  daemon.Add(std::string("a"), std::string("b"), 1);
  daemon.Add(std::string("a"), std::string("c"), 2);
  daemon.Add(std::string("a"), std::string("b"), 11);
  daemon.Add(std::string("b"), std::string("c"), 12);
  daemon.Add(std::string("b"), std::string("c"), 21);
  daemon.EndSource();
  const RouteAnswers api(daemon);
  const std::string changes = "/api/v1/windows/now/changes?since=1";
  EXPECT_EQ(api.Json(changes + "&snapshot=2"), Json::parse(R"({"window":"now",
      "since":{"snapshot":1,"window_end":"2026-01-01T00:00:10.000Z"},
      "snapshot":2,"window_end":"2026-01-01T00:00:20.000Z",
      "appeared":{"pairs":1,"rows":[{"source":"b","target":"c"}]},
      "vanished":{"pairs":1,"rows":[{"source":"a","target":"c"}]},"truncated":false})"));
  const Json cut = api.Json(changes + "&limit=1");
  EXPECT_EQ(cut.at("snapshot"), 3);
  EXPECT_EQ(cut.at("vanished"), Json::parse(R"({"pairs":2,"rows":[{"source":"a","target":"b"}]})"));
  EXPECT_EQ(cut.at("truncated"), true);
  EXPECT_EQ(api.Get(changes + "&snapshot=2&format=csv").body,
            "change,source,target\r\nappeared,b,c\r\nvanished,a,c\r\n");
  EXPECT_EQ(api.Json("/api/v1/windows/now/changes?since=3").at("appeared").at("pairs"), 0);
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now/changes", 400), HasSubstr("since"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now/changes?since=2&snapshot=1", 400),
              HasSubstr("later than"));
  EXPECT_EQ(api.Get("/api/v1/windows/now/changes?since=9").status, 404);
  EXPECT_EQ(api.Get("/api/v1/windows/sums/changes?since=1").status, 410);
}

TEST(PastWindowTest, EdgesThatEnteredHaveTheTimeOfTheirSlice) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  daemon.Add(std::string("a"), std::string("b"), 1, Weight::Integer(7));
  daemon.SetType("paid");
  daemon.Add(std::string("a"), std::string("c"), 6);
  daemon.Add(std::string("a"), std::string("c"), 7);
  daemon.Add(std::string("b"), std::string("c"), 12);
  daemon.EndSource();
  const RouteAnswers api(daemon);
  const std::string edges = "/api/v1/windows/now/edges?";
  const std::string all = edges + "from=2026-01-01T00:00:00Z";
  EXPECT_EQ(api.Json(all + "&to=2026-01-01T00:00:05Z"), Json::parse(R"({"window":"now",
      "from":"2026-01-01T00:00:00.000Z","to":"2026-01-01T00:00:05.000Z","edges":1,"rows":[
      {"slice_start":"2026-01-01T00:00:00.000Z","slice_end":"2026-01-01T00:00:05.000Z",
       "source":"a","target":"b","weight":7,"type":"paid"}],"truncated":false})"));
  EXPECT_EQ(api.Get(all + "&to=2026-01-01T00:00:10Z&format=csv").body,
            "slice_start,slice_end,source,target,weight,type\r\n"
            "2026-01-01T00:00:00.000Z,2026-01-01T00:00:05.000Z,a,b,7,paid\r\n"
            "2026-01-01T00:00:05.000Z,2026-01-01T00:00:10.000Z,a,c,1,\r\n"
            "2026-01-01T00:00:05.000Z,2026-01-01T00:00:10.000Z,a,c,1,\r\n");
  EXPECT_EQ(api.Json(edges).at("edges"), 1);  // of the newest window
  // Pages do not move when the window does.
  const HttpResponse page = api.Get(all + "&limit=2&offset=1");
  const Json rows = Json::parse(page.body);
  EXPECT_EQ(rows.at("edges"), 4);
  EXPECT_EQ(rows.at("rows").size(), 2U);
  EXPECT_EQ(rows.at("rows")[0].at("target"), "c");
  EXPECT_EQ(rows.at("truncated"), true);
  const std::string next = RouteAnswers::Header(page, "Link");
  EXPECT_THAT(next, HasSubstr("offset=3"));
  EXPECT_THAT(next, HasSubstr("to=2026-01-01T00%3A00%3A20.000Z"));
  EXPECT_EQ(api.Json(all + "&offset=3").at("rows")[0].at("source"), "b");
}

TEST(PastWindowTest, EdgesThatEnteredAnEarlierWindow) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  AddOnePerWindow(daemon, 5);
  const RouteAnswers api(daemon);
  const std::string edges = "/api/v1/windows/now/edges?";
  const Json fourth = api.Json(edges + "snapshot=4");
  EXPECT_EQ(fourth.at("from"), "2026-01-01T00:00:30.000Z");
  EXPECT_EQ(fourth.at("to"), "2026-01-01T00:00:40.000Z");
  ASSERT_EQ(fourth.at("rows").size(), 1U);
  EXPECT_EQ(fourth.at("rows")[0].at("target"), "v4");
  EXPECT_EQ(api.Json(edges + "at=2026-01-01T00:00:49Z"), fourth);
  // A span ends with the window at the latest.
  const Json since = api.Json(edges + "snapshot=4&from=2026-01-01T00:00:20Z");
  EXPECT_EQ(since.at("edges"), 2);
  EXPECT_EQ(since.at("to"), "2026-01-01T00:00:40.000Z");
  EXPECT_EQ(api.Json(edges + "snapshot=1", 410).at("oldest").at("snapshot"), 3);
  EXPECT_EQ(api.Get(edges + "snapshot=6").status, 404);
  EXPECT_THAT(api.ErrorMessage(edges + "snapshot=four", 400), HasSubstr("snapshot"));
  EXPECT_THAT(api.ErrorMessage(edges + "snapshot=4&at=2026-01-01T00:00:49Z", 400),
              HasSubstr("not both"));
}

TEST(PastWindowTest, EdgesThatEnteredBeforeWhatIsKeptAreGone) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  AddOnePerWindow(daemon, 5);
  const RouteAnswers api(daemon);
  const std::string edges = "/api/v1/windows/now/edges?from=";
  EXPECT_EQ(api.Json(edges + "2026-01-01T00:00:20Z").at("edges"), 3);
  EXPECT_EQ(api.Json(edges + "2026-01-01T00:00:19Z", 410).at("oldest").at("snapshot"), 3);
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/sums/edges", 410), HasSubstr("no `retain`"));
  EXPECT_THAT(api.ErrorMessage(edges + "2026-01-01T00:00:30Z&to=2026-01-01T00:00:30Z", 400),
              HasSubstr("is not before to"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now/edges?to=2026-01-01T00:00:30Z", 400),
              HasSubstr("to: 2026-01-01T00:00:30.000Z is not after 2026-01-01T00:00:40.000Z"));
  EXPECT_THAT(api.ErrorMessage(edges + "noon", 400), HasSubstr("from: `noon`"));
  EXPECT_EQ(api.Json(edges + "2027-01-01T00:00:00Z&to=2028-01-01T00:00:00Z").at("edges"), 0);
  TinyDaemon silent;
  EXPECT_EQ(RouteAnswers(silent).Get("/api/v1/windows/now/edges").status, 404);
}

TEST(PastWindowTest, TheLaneOfLargeAnswersReadsHistory) {
  TinyDaemon daemon(KeyKind::kString, kRoots, {}, kRetain);
  const RouteTable routes = MakeApiRoutes(daemon.surroundings());
  HttpRequest request{.method = "GET", .path = {"api", "v1", "windows", "now", "vertices", "a"}};
  EXPECT_EQ(routes.LaneOf(request), WorkLane::kQuick);
  request.query["snapshot"] = "1";
  EXPECT_EQ(routes.LaneOf(request), WorkLane::kLarge);
}

}  // namespace
}  // namespace sash
