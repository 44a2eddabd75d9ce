// Windows as they are between two advances: what `view=live` shows, and what it says about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using LiveJson = nlohmann::ordered_json;
using ::testing::HasSubstr;

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
