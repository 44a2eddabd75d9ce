// Windows as they are between two advances: what `view=live` shows, and what it says about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/http/live_answer.h"
#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"
#include "tests/daemon/http/watched_stream.h"

namespace sash {
namespace {

using LiveJson = nlohmann::ordered_json;
using ::testing::HasSubstr;

// Windows that ended at most this long before the newest can be read.
constexpr std::chrono::seconds kLiveRetain{20};
const std::vector<VertexKey> kLiveRoots = {std::string("a")};

// a -> b -> c, in a window that has not closed.
void AddOpenPath(TinyDaemon& daemon) {
  daemon.Add(std::string("a"), std::string("b"), 1, Weight::Integer(5));
  daemon.Add(std::string("b"), std::string("c"), 2);
  daemon.Process();
}

void ExpectLive(const LiveJson& answer) {
  EXPECT_EQ(answer.at("final"), false);
  EXPECT_TRUE(answer.at("snapshot").is_null());
  EXPECT_EQ(answer.at("window_start"), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(answer.at("window_end"), "2026-01-01T00:00:10.000Z");
  EXPECT_EQ(answer.at("cut"), LiveJson::parse(R"({"interactions":{"0":2}})"));
  EXPECT_EQ(answer.at("behind"), LiveJson::array());
}

TEST(LiveRoutesTest, AnOpenSliceIsShownBeforeItIsPublished) {
  TinyDaemon daemon;
  AddOpenPath(daemon);
  const RouteAnswers api(daemon);
  const LiveJson window = api.Json("/api/v1/windows/now?view=live");
  ExpectLive(window);
  EXPECT_EQ(window.at("edges"), 2);
  EXPECT_EQ(window.at("vertices"), 3);
  EXPECT_EQ(window.at("empty"), false);
  const LiveJson vertex = api.Json("/api/v1/windows/now/vertices/b?view=live");
  ExpectLive(vertex);
  EXPECT_EQ(vertex.at("out")[0].at("vertex"), "c");
  EXPECT_EQ(vertex.at("in")[0], LiveJson::parse(R"({"vertex":"a","weight":5})"));
  const LiveJson path = api.Json("/api/v1/windows/now/paths?from=a&to=c&by=weight&view=live");
  ExpectLive(path);
  EXPECT_EQ(path.at("weight"), 6);
  EXPECT_EQ(path.at("vertices"), LiveJson::parse(R"(["a","b","c"])"));
  EXPECT_EQ(api.Get("/api/v1/windows/now/vertices/b").status, 404);  // it has not advanced
}

TEST(LiveRoutesTest, AfterAnAdvanceALiveWindowNamesTheSnapshotItRestsOn) {
  TinyDaemon daemon;
  AddOpenPath(daemon);
  daemon.Add(std::string("a"), std::string("d"), 15);
  daemon.Process();
  const RouteAnswers api(daemon);
  const LiveJson vertex = api.Json("/api/v1/windows/now/vertices/a?view=live");
  EXPECT_EQ(vertex.at("snapshot"), 1);
  EXPECT_EQ(vertex.at("window_end"), "2026-01-01T00:00:20.000Z");
  EXPECT_EQ(vertex.at("out")[0].at("vertex"), "d");
  EXPECT_EQ(api.Json("/api/v1/windows/now/vertices/a").at("out")[0].at("vertex"), "b");
  EXPECT_EQ(api.Get("/api/v1/windows/now/vertices/c?view=live").status, 404);
}

TEST(LiveRoutesTest, RowsSayThatTheyAreNotFinal) {
  TinyDaemon daemon;
  AddOpenPath(daemon);
  const RouteAnswers api(daemon);
  const HttpResponse rows = api.Get("/api/v1/windows/now/vertices/a?view=live&format=csv");
  EXPECT_EQ(rows.status, 200);
  EXPECT_THAT(rows.headers, ::testing::Contains(::testing::Pair("Sash-Final", "false")));
}

// Half of the neighbours are in a slice that has closed.
TEST(LiveRoutesTest, PagesOfAHubHaveEachOfItsNeighboursOnce) {
  TinyDaemon daemon;
  std::vector<std::string> expected;
  for (int i = 0; i < 250; ++i) {
    expected.push_back("v" + std::to_string(1000 + i));
    daemon.Add(std::string("hub"), expected.back(), i < 125 ? 1 : 6);
  }
  daemon.Process();
  const RouteAnswers api(daemon);
  const std::string hub = "/api/v1/windows/now/vertices/hub?view=live&limit=90";
  std::vector<std::string> listed;
  for (int offset = 0; offset <= 270; offset += 90) {
    const HttpResponse page = api.Get(hub + "&offset=" + std::to_string(offset));
    const LiveJson json = LiveJson::parse(page.body);
    EXPECT_EQ(json.at("out_degree"), 250);
    for (const LiveJson& neighbour : json.at("out")) listed.push_back(neighbour.at("vertex"));
    const std::string next = RouteAnswers::Header(page, "Link");
    EXPECT_EQ(next.empty(), offset >= 180) << next;
    if (offset < 180) {
      EXPECT_THAT(next, HasSubstr("view=live"));
    }
  }
  std::ranges::sort(listed);
  EXPECT_EQ(listed, expected);
}

TEST(LiveRoutesTest, KeysAreThoseOfOpenSlicesToo) {
  TinyDaemon daemon;
  AddOpenPath(daemon);
  const RouteAnswers api(daemon);
  const std::string keys = "/api/v1/windows/now/keys";
  EXPECT_EQ(api.Get(keys).status, 404);  // it has not advanced
  const LiveJson live = api.Json(keys + "?view=live");
  ExpectLive(live);
  EXPECT_EQ(live.at("vertices"), LiveJson::parse(R"([
      {"vertex":"a","out_degree":1,"in_degree":0}, {"vertex":"b","out_degree":1,"in_degree":1},
      {"vertex":"c","out_degree":0,"in_degree":1}])"));
  const HttpResponse page = api.Get(keys + "?view=live&limit=1&after=a&format=csv");
  EXPECT_EQ(page.body, "vertex,out_degree,in_degree\r\nb,1,1\r\n");
  EXPECT_EQ(RouteAnswers::Header(page, "Sash-Final"), "false");
  EXPECT_EQ(RouteAnswers::Header(page, "Sash-Snapshot"), "");
  EXPECT_THAT(RouteAnswers::Header(page, "Link"), HasSubstr("view=live"));
  EXPECT_EQ(api.Get("/api/v1/windows/sums/keys?view=live").status, 422);
  EXPECT_EQ(api.Get(keys + "?view=live&snapshot=1").status, 400);
}

TEST(LiveRoutesTest, EdgesThatEnteredAreThoseOfClosedSlicesAndOfOpenOnes) {
  TinyDaemon daemon(KeyKind::kString, kLiveRoots, {}, kLiveRetain);
  AddOpenPath(daemon);
  const RouteAnswers api(daemon);
  const std::string edges = "/api/v1/windows/now/edges?view=live";
  const LiveJson first = api.Json(edges);
  ExpectLive(first);
  EXPECT_EQ(first.at("edges"), 2);
  EXPECT_EQ(first.at("rows")[0], LiveJson::parse(R"({"slice_start":"2026-01-01T00:00:00.000Z",
                "slice_end":"2026-01-01T00:00:05.000Z","source":"a","target":"b","weight":5})"));
  EXPECT_EQ(api.Get("/api/v1/windows/now/edges").status, 404);  // it has not advanced
  daemon.Add(std::string("a"), std::string("d"), 7);
  daemon.Process();
  // The first slice has closed; the window has not.
  EXPECT_EQ(api.Json(edges).at("edges"), 3);
  EXPECT_EQ(api.Json(edges + "&to=2026-01-01T00:00:05Z").at("edges"), 2);
  const LiveJson open = api.Json(edges + "&from=2026-01-01T00:00:05Z");
  EXPECT_EQ(open.at("edges"), 1);
  EXPECT_EQ(open.at("rows")[0].at("slice_start"), "2026-01-01T00:00:05.000Z");
  EXPECT_EQ(open.at("rows")[0].at("target"), "d");
  daemon.Add(std::string("b"), std::string("d"), 12);
  daemon.Process();
  // A span is cut to the live window, which has moved.
  const LiveJson moved = api.Json(edges + "&from=2025-01-01T00:00:00Z");
  EXPECT_EQ(moved.at("from"), "2026-01-01T00:00:10.000Z");
  EXPECT_EQ(moved.at("edges"), 1);
  EXPECT_EQ(api.Json("/api/v1/windows/now/edges").at("edges"), 3);
}

TEST(LiveRoutesTest, RowsOfEdgesThatEnteredSayThatTheyAreNotFinal) {
  TinyDaemon daemon(KeyKind::kString, kLiveRoots, {}, kLiveRetain);
  AddOpenPath(daemon);
  const HttpResponse rows =
      RouteAnswers(daemon).Get("/api/v1/windows/now/edges?view=live&format=csv&limit=1");
  EXPECT_THAT(rows.body, HasSubstr("a,b,5"));
  EXPECT_THAT(rows.headers, ::testing::Contains(::testing::Pair("Sash-Final", "false")));
  EXPECT_THAT(RouteAnswers::Header(rows, "Link"), HasSubstr("view=live"));
}

TEST(LiveRoutesTest, EdgesThatEnteredNeedAHistory) {
  TinyDaemon daemon;
  AddOpenPath(daemon);
  EXPECT_THAT(RouteAnswers(daemon).ErrorMessage("/api/v1/windows/now/edges?view=live", 422),
              HasSubstr("`retain`"));
}

TEST(LiveRoutesTest, WindowsThatCannotBeReadLiveAreRefusedWithTheReason) {
  TinyDaemon daemon;
  const RouteAnswers api(daemon);
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now?view=live", 404), HasSubstr("no event yet"));
  AddOpenPath(daemon);
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/sums?view=live", 422), HasSubstr("`live: true`"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/sums/vertices/a?view=live", 422),
              HasSubstr("`live: true`"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now?view=old", 400), HasSubstr("must be live"));
  EXPECT_THAT(api.ErrorMessage("/api/v1/windows/now/paths?from=a&to=b&view=live&snapshot=1", 400),
              HasSubstr("each names a window"));
}

// The silent partition keeps the window from advancing.
TEST(LiveRoutesTest,
     AnEventIsShownWhateverASilentPartitionHoldsBackAndTheAnswerNamesThatPartition) {
  constexpr std::int64_t kLiveSecond = 1'000'000'000;
  TimePolicy policy;
  policy.check_ahead = false;
  WatchedStream stream(
      {.windows =
           {{.name = "w", .length = 10 * kLiveSecond, .slide = 10 * kLiveSecond, .live = true}},
       .policy = policy,
       .partitions = 2});
  stream.engine.Start();
  stream.Add(1, 3.5);
  stream.Process();
  const std::string window = "/api/v1/windows/w";
  EXPECT_EQ(stream.routes().Json(window + "?view=live").at("behind"), LiveJson::array());
  stream.Add(0, 25);
  stream.Process();
  EXPECT_EQ(stream.routes().Get(window + "/vertices/1").status, 404);
  const LiveJson vertex = stream.routes().Json(window + "/vertices/1?view=live");
  EXPECT_EQ(vertex.at("out_degree"), 1);
  EXPECT_EQ(vertex.at("window_start"), "2026-01-01T00:00:20.000Z");
  EXPECT_EQ(vertex.at("cut"), LiveJson::parse(R"({"replay":{"0":2,"1":1}})"));
  EXPECT_EQ(vertex.at("behind"), LiveJson::parse(R"([{"topic":"replay","partition":1,
                                 "newest":"2026-01-01T00:00:03.500Z"}])"));
}

TEST(LiveRoutesTest, AWindowThatIsRebuiltIsRefusedUntilItHasBeen) {
  TinyDaemon daemon;
  AddOpenPath(daemon);
  WindowStatus restarted = *daemon.engine.Find("now");
  LiveWindow rebuilding;
  rebuilding.is_rebuilding = true;
  restarted.live = std::make_shared<const LiveWindow>(std::move(rebuilding));
  HttpRequest request;
  request.query["view"] = "live";
  const ChosenLive chosen = LiveWindowOf(restarted, request);
  EXPECT_EQ(chosen.live, nullptr);
  ASSERT_TRUE(chosen.refusal.has_value());
  EXPECT_EQ(chosen.refusal->status, 503);
  EXPECT_THAT(chosen.refusal->body, HasSubstr("window 'now' is being rebuilt after a restart"));
}

}  // namespace
}  // namespace sash
