// The routes that the console draws: the stream, the slices of a window, the neighbourhood of a
// result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "daemon/http/neighbourhood.h"
#include "daemon/http/stream_past.h"
#include "tests/daemon/http/route_answers.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using std::string;
using ::testing::HasSubstr;

std::vector<string> States(const Json& slices) {
  std::vector<string> states;
  for (const Json& slice : slices.at("slices")) states.push_back(slice.at("state"));
  return states;
}

TEST(StreamRouteTest, TellsTheWatermarkOnceThereIsOne) {
  TinyDaemon daemon;
  const RouteAnswers routes(daemon);
  EXPECT_TRUE(routes.Json("/api/v1/stream").at("watermark").is_null());
  daemon.Add(string("a"), string("b"), 1);
  daemon.Add(string("a"), string("c"), 13);
  daemon.Process();
  const Json stream = routes.Json("/api/v1/stream");
  EXPECT_EQ(stream.at("watermark"), "2026-01-01T00:00:13.000Z");
  EXPECT_EQ(stream.at("accepted"), 2);
  EXPECT_EQ(stream.at("duplicates"), 0);
  EXPECT_EQ(stream.at("open_events"), 1);
  EXPECT_EQ(stream.at("idle_partitions"), 0);
}

TEST(StreamPastTest, KeepsASampleASecondOfTheLastFiveMinutes) {
  StreamPast past;
  std::uint64_t looked = 0;
  const auto sample = [&] { return StreamSample{.records = ++looked}; };
  SteadyTime now;
  for (int i = 0; i < 4 * 310; ++i, now += std::chrono::milliseconds(250)) past.Look(now, sample);
  EXPECT_EQ(looked, 310U) << "others are not made";
  const std::vector<StreamSample> samples = past.Samples();
  ASSERT_EQ(samples.size(), StreamPast::kMost);
  EXPECT_EQ(samples.front().records, 11U);
  EXPECT_EQ(samples.back().records, 310U);
}

TEST(StreamRouteTest, TellsThePast) {
  TinyDaemon daemon;
  ApiSurroundings around = daemon.surroundings();
  EXPECT_EQ(RouteAnswers(around).Json("/api/v1/stream/past").at("samples"), Json::array());
  StreamPast past;
  around.past = &past;
  past.Look({}, [] { return StreamSample{.time = kStart, .records = 7}; });
  past.Look(SteadyTime(std::chrono::seconds(1)), [] {
    return StreamSample{.time = kStart, .records = 9, .lag = 2, .watermark = kStart};
  });
  EXPECT_EQ(RouteAnswers(around).Json("/api/v1/stream/past").at("samples"), Json::parse(R"([
    {"time":"2026-01-01T00:00:00.000Z","records":7,"lag":null,"watermark":null},
    {"time":"2026-01-01T00:00:00.000Z","records":9,"lag":2,
     "watermark":"2026-01-01T00:00:00.000Z"}])"));
}

TEST(SliceRoutesTest, BeforeAnyEventThereIsNoSlice) {
  TinyDaemon daemon;
  const RouteAnswers routes(daemon);
  EXPECT_EQ(routes.Json("/api/v1/windows/sums/slices"), Json::parse(R"({
    "window":"sums","by":"event_time","length":10.0,"slide":5.0,"offset":0.0,"slice":0.0,
    "slices":[]})"));
  EXPECT_THAT(routes.ErrorMessage("/api/v1/windows/other/slices", 404), HasSubstr("now, sums"));
}

TEST(SliceRoutesTest, SlicesFillAreHeldAndLeave) {
  TinyDaemon daemon;
  const RouteAnswers routes(daemon);
  daemon.Add(string("a"), string("b"), 1);
  daemon.Add(string("a"), string("b"), 2);
  daemon.Process();
  const string path = "/api/v1/windows/sums/slices";
  EXPECT_EQ(routes.Json(path).at("slice"), 5.0) << "the divisor of the slides, 10 s and 5 s";
  EXPECT_EQ(routes.Json(path).at("slices"), Json::parse(R"([
    {"begin":"2026-01-01T00:00:00.000Z","end":"2026-01-01T00:00:05.000Z",
     "events":2,"late":0,"refused":0,"state":"open"}])"));
  daemon.Add(string("b"), string("c"), 6);
  daemon.Add(string("b"), string("c"), 3);  // late: 6 has already closed its slice
  daemon.Add(string("c"), string("d"), 11);
  daemon.Process();
  const Json full = routes.Json(path);
  EXPECT_THAT(States(full), ::testing::ElementsAre("open", "held", "held"));
  EXPECT_EQ(full.at("slices")[1].at("events"), 1);
  EXPECT_EQ(full.at("slices")[1].at("late"), 1);
  EXPECT_EQ(full.at("slices")[2].at("events"), 2);
  // The window that ends at 15 s no longer contains the first slice, and `now` advances only at 20
  // s.
  daemon.Add(string("c"), string("d"), 16);
  daemon.Process();
  EXPECT_EQ(routes.Json(path).at("slices").back().at("begin"), "2026-01-01T00:00:05.000Z");
  EXPECT_THAT(States(routes.Json(path)), ::testing::ElementsAre("open", "held", "held"));
  EXPECT_THAT(States(routes.Json("/api/v1/windows/now/slices")),
              ::testing::ElementsAre("open", "closed", "held", "held"));
}

TEST(SliceRoutesTest, PagesLeadToTheOldest) {
  TinyDaemon daemon;
  const RouteAnswers routes(daemon);
  daemon.Add(string("a"), string("b"), 1);
  daemon.Add(string("a"), string("b"), 6);
  daemon.Add(string("a"), string("b"), 11);
  daemon.Process();
  const Json whole = routes.Json("/api/v1/windows/sums/slices").at("slices");
  ASSERT_EQ(whole.size(), 3u);
  Json together = Json::array();
  for (int offset = 0; offset < 3; ++offset) {
    const string page = "/api/v1/windows/sums/slices?limit=1&offset=" + std::to_string(offset);
    const Json answer = routes.Json(page);
    for (const Json& slice : answer.at("slices")) together.push_back(slice);
    EXPECT_EQ(RouteAnswers::Header(routes.Get(page), "Link").empty(), offset == 2) << offset;
  }
  EXPECT_EQ(together, whole);
  EXPECT_EQ(routes.Json("/api/v1/windows/sums/slices?offset=9223372036854775807").at("slices"),
            Json::array());
  EXPECT_EQ(routes.Get("/api/v1/windows/sums/slices?limit=10001").status, 400);
}

// A star: its points have edges to hub. Far has edges from hub and from the point p29.
void AddStar(TinyDaemon& daemon) {
  for (int i = 0; i < 20; ++i) daemon.Add("p" + std::to_string(10 + i), string("hub"), 1);
  daemon.Add(string("p15"), string("hub"), 2, Weight::Real(0.5));
  daemon.Add(string("hub"), string("far"), 3);
  daemon.Add(string("p29"), string("far"), 4);
  daemon.EndSource();
}

std::vector<string> Names(const Json& picture) {
  std::vector<string> names;
  for (const Json& vertex : picture.at("vertices")) names.push_back(vertex.at("vertex"));
  return names;
}

TEST(NeighbourhoodRoutesTest, ShowsTheTopAndTheNeighboursThatSayMost) {
  TinyDaemon daemon;
  AddStar(daemon);
  const RouteAnswers routes(daemon);
  const Json picture = routes.Json("/api/v1/jobs/ranks/neighbourhood?top=2&neighbours=2");
  EXPECT_EQ(picture.at("job"), "ranks");
  EXPECT_EQ(picture.at("window"), "now");
  EXPECT_EQ(picture.at("window_end"), "2026-01-01T00:00:10.000Z");
  EXPECT_EQ(picture.at("whole"), true);
  // p29 forms a pair with both; p15 has two edges; p10 has the least key of the rest.
  EXPECT_THAT(Names(picture), ::testing::UnorderedElementsAre("far", "hub", "p29", "p15"));
  EXPECT_EQ(picture.at("vertices")[0].at("place"), 1);
  EXPECT_EQ(picture.at("vertices")[1].at("place"), 2);
  EXPECT_TRUE(picture.at("vertices")[2].at("place").is_null());
  const Json& edges = picture.at("edges");
  ASSERT_EQ(edges.size(), 4u) << edges;
  for (const Json& edge : edges) {
    if (edge.at("source") != "p15") continue;
    EXPECT_EQ(edge, Json::parse(R"({"source":"p15","target":"hub","edges":2,"weight":1.5})"));
  }
  EXPECT_EQ(routes.Json("/api/v1/jobs/ranks/neighbourhood?top=2&neighbours=0").at("edges"),
            Json::parse(R"([{"source":"hub","target":"far","edges":1,"weight":1}])"));
}

TEST(NeighbourhoodRoutesTest, TellsTheTypesOfAPairOnceEach) {
  TinyDaemon daemon;
  for (const char* type : {"sent", "", "answered", "sent"}) {
    daemon.Add(string("a"), string("b"), 1);
    if (*type != 0) daemon.SetType(type);
  }
  daemon.Add(string("b"), string("c"), 2);
  daemon.EndSource();
  const Json edges = RouteAnswers(daemon).Json("/api/v1/jobs/ranks/neighbourhood").at("edges");
  ASSERT_EQ(edges.size(), 2U) << edges;
  for (const Json& edge : edges) {
    if (edge.at("source") == "a") {
      EXPECT_EQ(edge.at("edges"), 4);
      EXPECT_EQ(edge.at("types"), Json::array({"answered", "sent"}));
    } else {
      EXPECT_FALSE(edge.contains("types")) << "no edge has one";
    }
  }
}

TEST(NeighbourhoodRoutesTest, FollowsTheNewestResultOfJobsThatListVertices) {
  TinyDaemon daemon(KeyKind::kString, {string("hub")});
  const RouteAnswers routes(daemon);
  EXPECT_THAT(routes.ErrorMessage("/api/v1/jobs/ranks/neighbourhood", 404), HasSubstr("no result"));
  AddStar(daemon);
  EXPECT_THAT(Names(routes.Json("/api/v1/jobs/reach/neighbourhood?neighbours=0")),
              ::testing::ElementsAre("hub", "far"));
  for (const char* job : {"shape", "split"}) {
    EXPECT_THAT(routes.ErrorMessage("/api/v1/jobs/" + string(job) + "/neighbourhood", 404),
                HasSubstr("lists no vertices"));
  }
  EXPECT_THAT(routes.ErrorMessage("/api/v1/jobs/ranks/neighbourhood?top=51", 400),
              HasSubstr("top: must be a whole number from 1 to 50"));
}

TEST(NeighbourhoodRoutesTest, OfAHubItReadsAPartAndOfOthersAll) {
  TinyDaemon daemon(KeyKind::kString, {string("hub")},
                    {DegreeParameters{TraversalDirection::kOut}});
  for (std::size_t i = 0; i < Neighbourhood::kMostRead; ++i) {
    daemon.Add(string("hub"), "p" + std::to_string(i), 1);
  }
  for (int i = 0; i < 5; ++i) daemon.Add(string("small"), "q" + std::to_string(i), 1);
  daemon.EndSource();
  const RouteAnswers routes(daemon);
  const Json picture = routes.Json("/api/v1/jobs/degree/neighbourhood?top=2&neighbours=50");
  EXPECT_EQ(picture.at("whole"), false);
  std::size_t of_small = 0;
  for (const Json& edge : picture.at("edges")) of_small += edge.at("source") == "small" ? 1 : 0;
  EXPECT_EQ(of_small, 5u);
  EXPECT_EQ(picture.at("edges").size(), 55u);
  EXPECT_EQ(routes.Json("/api/v1/jobs/degree/neighbourhood?top=1").at("whole"), true)
      << "one hub is within the limit";
}

TEST(NeighbourhoodRoutesTest, EveryResultAndExtentHasItsOwnPictureHoweverOftenItIsAskedFor) {
  TinyDaemon daemon;
  for (int i = 0; i < 4; ++i) daemon.Add("p" + std::to_string(i), string("hub"), 1);
  daemon.Add(string("hub"), string("far"), 12);  // after the first window
  daemon.Process();
  const RouteAnswers routes(daemon);
  const string path = "/api/v1/jobs/ranks/neighbourhood";
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(routes.Json(path).at("vertices").size(), 5u);
    EXPECT_EQ(routes.Json(path + "?top=1&neighbours=3").at("vertices").size(), 4u);
    EXPECT_EQ(routes.Json(path + "?top=1&neighbours=2").at("vertices").size(), 3u);
    EXPECT_EQ(routes.Json("/api/v1/jobs/reach/neighbourhood").at("vertices").size(), 0u);
  }
  const HttpResponse first = routes.Get(path);
  EXPECT_EQ(routes.Get(path).body, first.body);
  const string tag = RouteAnswers::Header(first, "ETag");
  EXPECT_EQ(routes.Get(path, {{"if-none-match", tag}}).status, 304);
  daemon.EndSource();
  EXPECT_THAT(Names(routes.Json(path)), ::testing::UnorderedElementsAre("far", "hub"));
  EXPECT_EQ(routes.Get(path, {{"if-none-match", tag}}).status, 200);
}

TEST(NeighbourhoodRoutesTest, SelfLoopsAndPairsOfTheTopAreThereOnce) {
  TinyDaemon daemon;
  daemon.Add(string("a"), string("a"), 1);
  daemon.Add(string("a"), string("b"), 2);
  daemon.Add(string("b"), string("a"), 3);
  daemon.EndSource();
  const Json edges = RouteAnswers(daemon).Json("/api/v1/jobs/ranks/neighbourhood").at("edges");
  ASSERT_EQ(edges.size(), 3u);
  for (const Json& edge : edges) EXPECT_EQ(edge.at("edges"), 1) << edge;
}

}  // namespace
}  // namespace sash
