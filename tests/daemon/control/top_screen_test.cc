#include "daemon/control/top_screen.h"

#include <gtest/gtest.h>

#include <string>

#include "daemon/control/printable.h"
#include "tests/daemon/control/json_reading.h"

namespace sash {
namespace {

JsonValue ResultOf(int snapshot, const std::string& top) {
  return Json(R"({"job": "ranks", "kernel": "pagerank", "window": "w", "snapshot": )" +
              std::to_string(snapshot) +
              R"(, "window_end": "2026-11-22T05:35:23.000Z", "edges": 1, "vertices": 2,
                  "late": 0, "refused": 3, "gap": true, "seconds": 0.0025, "top": )" +
              top + "}");
}

TopState Moved() {
  TopState state{.job = "ranks", .now = {}, .before = {}, .note = ""};
  TakeResult(ResultOf(1, R"([{"vertex": "a", "rank": 1}, {"vertex": "b", "rank": 2}])"), state);
  TakeResult(ResultOf(2, R"([{"vertex": "b", "rank": 1}, {"vertex": "北京", "rank": 2}])"), state);
  return state;
}

TEST(TopScreen, ShowsWhatIsListedWhatMovedAndWhoLeft) {
  EXPECT_EQ(TopText(Moved(), 10),
            "ranks: pagerank on w, until 2026-11-22 05:35:23Z, snapshot 2\n"
            "1 edge, 2 vertices, took 2.50 ms, 3 refused, gap: records are missing\n"
            "\n"
            "#  MOVED  VERTEX\n"
            "1  ▲1     b\n"
            "2  new    北京\n"
            "left: a\n");
}

TEST(TopScreen, OlderResultsAndRepetitionsDoNotMoveIt) {
  TopState state = Moved();
  TakeResult(ResultOf(1, "[]"), state);
  EXPECT_EQ(TopText(state, 10), TopText(Moved(), 10));
  TakeResult(ResultOf(2, R"([{"vertex": "b", "rank": 1}])"), state);
  EXPECT_EQ(state.before["snapshot"].text, "1");
  EXPECT_EQ(state.now["top"].items.size(), 1U);
}

TEST(TopScreen, FitsIntoEveryScreen) {
  TopState state = Moved();
  state.note = "cannot connect to http://127.0.0.1:9640: Connection refused; trying again";
  for (std::size_t height = 1; height < 12; ++height) {
    for (std::size_t width = 1; width < 90; ++width) {
      const auto lines = TopScreen(state, 10, width, height);
      EXPECT_LE(lines.size(), height);
      ASSERT_GE(lines.size(), 1U);
      for (const std::string& line : lines) EXPECT_LE(WidthOf(line), width);
      EXPECT_TRUE(lines.front().starts_with(width > 4 ? "rank" : "")) << lines.front();
      if (height > 1 && width > 20) {
        EXPECT_TRUE(lines.back().starts_with("cannot connect"));
      }
    }
  }
}

TEST(TopScreen, SaysThatThereIsNoResultYet) {
  const TopState state{.job = "ranks\x1b", .now = {}, .before = {}, .note = ""};
  EXPECT_EQ(TopScreen(state, 10, 80, 24),
            (std::vector<std::string>{"ranks\\u001b: no result yet", "q: quit"}));
}

TEST(TopScreen, JobsThatListNothingShowTheirFigures) {
  TopState state{.job = "shape", .now = {}, .before = {}, .note = ""};
  TakeResult(Json(R"({"job": "shape", "snapshot": 1, "edges": 3, "vertices": 1,
                      "offsets": {"t": {"0": [1, 2]}}, "pairs": 2, "weight": 7})"),
             state);
  const std::string text = TopText(state, 10);
  EXPECT_NE(text.find("pairs   2\nweight  7\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("offsets"), std::string::npos) << text;
}

}  // namespace
}  // namespace sash
