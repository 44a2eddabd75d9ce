// Windows as they were: what `snapshot` and `at` name, and what cannot be read any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

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
  TinyDaemon daemon;
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
  TinyDaemon daemon;
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
  TinyDaemon daemon;
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
  TinyDaemon daemon;
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

TEST(PastWindowTest, TheLaneOfLargeAnswersReadsHistory) {
  TinyDaemon daemon;
  const RouteTable routes = MakeApiRoutes(daemon.surroundings());
  HttpRequest request{.method = "GET", .path = {"api", "v1", "windows", "now", "vertices", "a"}};
  EXPECT_EQ(routes.LaneOf(request), WorkLane::kQuick);
  request.query["snapshot"] = "1";
  EXPECT_EQ(routes.LaneOf(request), WorkLane::kLarge);
}

}  // namespace
}  // namespace sash
