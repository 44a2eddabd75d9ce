// Windows as they are between two advances: what `view=live` shows, and what it says about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"

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

}  // namespace
}  // namespace sash
