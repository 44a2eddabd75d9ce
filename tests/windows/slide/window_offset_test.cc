// The offset of a window: which ends it has, and how windows with and without offset share slices.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"
#include "tests/windows/slide/window_spans.h"
#include "windows/slide/window_spec.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::MessageOf;
using testing::Seconds;
using testing::Span;
using testing::SpansOf;

constexpr std::int64_t kDay = 86'400 * kSecond;

WindowSpec OfSeconds(std::string name, std::int64_t length_seconds, std::int64_t slide_seconds,
                     std::int64_t offset_seconds = 0) {
  return {.name = std::move(name),
          .length = length_seconds * kSecond,
          .slide = slide_seconds * kSecond,
          .offset = offset_seconds * kSecond};
}

// A tumbling window, in units of its axis.
WindowSpec Tumbling(std::int64_t slide, std::int64_t offset = 0,
                    WindowAxis by = WindowAxis::kEventTime) {
  return {.name = "w", .by = by, .length = slide, .slide = slide, .offset = offset};
}

TEST(WindowOffsetTest, EndsAreMultiplesOfTheSlideMovedByTheOffset) {
  const WindowSpec plain = Tumbling(10);
  const WindowSpec moved = Tumbling(10, 3);
  EXPECT_EQ(EndAfter(plain, 0), 10);
  EXPECT_EQ(EndAfter(plain, -1), 0);
  EXPECT_EQ(EndAfter(plain, -10), 0);
  EXPECT_EQ(EndAfter(moved, 0), 3);
  EXPECT_EQ(EndAfter(moved, 3), 13);
  EXPECT_EQ(EndAfter(moved, 12), 13);
  EXPECT_EQ(EndAfter(moved, -7), 3);
  EXPECT_EQ(EndAfter(moved, -8), -7);
  EXPECT_EQ(EndAfter(moved, std::numeric_limits<std::int64_t>::min()),
            std::numeric_limits<std::int64_t>::min() + 1)
      << "an end, without an overflow";
  for (std::int64_t end = -37; end <= 43; end += 10) {
    EXPECT_EQ(SinceEnd(moved, end), 0);
    EXPECT_EQ(SinceEnd(moved, end + 9), 9);
    EXPECT_EQ(OrdinalOf(moved, end + 10), OrdinalOf(moved, end) + 1);
  }
  EXPECT_EQ(OrdinalOf(moved, 3), 0);
  EXPECT_EQ(OrdinalOf(plain, -20), -2);
}

TEST(WindowOffsetTest, WeeksBeginOnMonday) {
  const WindowSpec week = Tumbling(7 * kDay, 4 * kDay);
  const auto day = [](int year, unsigned month, unsigned date) {
    const std::chrono::sys_days days =
        std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(date);
    return Duration(days.time_since_epoch()).count();
  };
  EXPECT_EQ(EndAfter(week, day(2026, 11, 23)), day(2026, 11, 30)) << "from Monday to Monday";
  EXPECT_EQ(EndAfter(week, day(2026, 11, 30) - 1), day(2026, 11, 30));
  EXPECT_EQ(EndAfter(week, day(1969, 12, 28)), day(1969, 12, 29));
}

TEST(WindowOffsetTest, ThePaneDividesSlidesAndOffsets) {
  const std::vector<WindowSpec> windows = {Tumbling(12), Tumbling(24, 9),
                                           Tumbling(5, 0, WindowAxis::kEvents)};
  EXPECT_EQ(PaneOf(windows, WindowAxis::kEventTime), 3);
  EXPECT_EQ(PaneOf(windows, WindowAxis::kEvents), 5);
  EXPECT_EQ(PaneOf(windows, WindowAxis::kProcessingTime), 0);
  EXPECT_TRUE(FitsPane(Tumbling(6, 3), 3));
  EXPECT_FALSE(FitsPane(Tumbling(6, 2), 3));
}

TEST(WindowOffsetTest, AFollowerEndsWithItsLeader) {
  const std::optional<WindowSpec> follower = FollowerOf(Tumbling(10, 7), 3);
  ASSERT_TRUE(follower.has_value());
  EXPECT_EQ(follower->slide, 30);
  EXPECT_EQ(EndAfter(*follower, 0), 7);
  EXPECT_EQ(EndAfter(*follower, 7), 37);
  EXPECT_EQ(OrdinalOf(*follower, 37) * 3, OrdinalOf(Tumbling(10, 7), 37));
}

TEST(WindowOffsetTest, WindowsWithAndWithoutOffsetShareSlices) {
  EngineHarness harness({OfSeconds("plain", 8, 4), OfSeconds("moved", 8, 4, 2)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(5, 14));
  EXPECT_EQ(SpansOf(harness, "plain"), (std::vector<Span>{{0, 8, 3}, {4, 12, 7}}));
  EXPECT_EQ(SpansOf(harness, "moved"), (std::vector<Span>{{-2, 6, 1}, {2, 10, 5}, {6, 14, 8}}));
  EXPECT_EQ(harness.stats.slices_closed, 5u) << "panes of 2 s";
  EXPECT_EQ(harness.engine().Stores().size(), 1u);
  harness.End();
  EXPECT_EQ(SpansOf(harness, "plain").back(), (Span{8, 16, 7}));
  EXPECT_EQ(SpansOf(harness, "moved").back(), (Span{10, 18, 5}));
}

TEST(WindowOffsetTest, ALandmarkWindowEndsAtTheOffsetAndBeginsWithItsFirstSlice) {
  WindowSpec all = OfSeconds("all", 1, 4, 3);
  all.length.reset();
  EngineHarness harness({all}, InOrder());
  harness.Start();
  harness.Feed(Seconds(5, 12));
  EXPECT_EQ(SpansOf(harness, "all"), (std::vector<Span>{{5, 7, 2}, {5, 11, 6}}));
}

TEST(WindowOffsetTest, ASilenceEndsWithOneEmptyWindowAtTheOffset) {
  TimePolicy policy = InOrder();
  policy.on_silence = SilencePolicy::kClock;
  EngineHarness harness({OfSeconds("w", 10, 10, 4)}, policy);
  harness.clock.SetNow(EventTime(seconds(101)));
  harness.Start();
  harness.Feed(Seconds(101, 101));
  EventBatch batch;
  batch.AddMark(Mark::Kind::kCaughtUp, 0);
  harness.engine().Process(batch);
  harness.clock.Advance(seconds(100));
  harness.engine().Tick();
  EXPECT_EQ(SpansOf(harness, "w"), (std::vector<Span>{{94, 104, 1}, {104, 114, 0}}));
}

TEST(WindowOffsetTest, AWindowThatJoinsMustFitThePaneWithItsOffset) {
  EngineHarness harness({OfSeconds("w", 4, 2)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 6));
  EXPECT_EQ(MessageOf(harness.AddWindow(OfSeconds("odd", 4, 4, 1))),
            "window 'odd': offset (1s) must be a multiple of 2s, the pane of the windows of this "
            "axis");
  EXPECT_EQ(MessageOf(harness.AddWindow(OfSeconds("long", 4, 4, 4))),
            "window 'long': offset (4s) must be at least 0 and less than slide (4s)");
  EXPECT_EQ(MessageOf(harness.AddWindow(OfSeconds("before", 4, 4, -2))),
            "window 'before': offset (-2s) must be at least 0 and less than slide (4s)");
  EXPECT_EQ(MessageOf(harness.AddWindow(
                {.name = "n", .by = WindowAxis::kEvents, .length = 4, .slide = 4, .offset = 2})),
            "window 'n': offset goes with windows by time, not with `by: events`");
  ASSERT_TRUE(harness.AddWindow(OfSeconds("moved", 4, 4, 2)));
  harness.Feed(Seconds(7, 14));
  EXPECT_EQ(SpansOf(harness, "moved"), (std::vector<Span>{{6, 10, 4}, {10, 14, 4}}));
  ASSERT_TRUE(harness.PutWindows({OfSeconds("moved", 4, 4)}));
  harness.Feed(Seconds(15, 20));
  EXPECT_EQ(SpansOf(harness, "moved").back(), (Span{16, 20, 4}));
}

TEST(WindowOffsetTest, AnAxisThatGetsItsFirstWindowsIsCutByTheirOffsetsToo) {
  EngineHarness harness({{.name = "n", .by = WindowAxis::kEvents, .length = 4, .slide = 4}},
                        InOrder());
  harness.Start();
  ASSERT_TRUE(harness.PutWindows({OfSeconds("a", 4, 4, 2), OfSeconds("b", 6, 6)}));
  harness.Feed(Seconds(0, 12));
  EXPECT_EQ(SpansOf(harness, "a"), (std::vector<Span>{{-2, 2, 2}, {2, 6, 4}, {6, 10, 4}}));
  EXPECT_EQ(SpansOf(harness, "b"), (std::vector<Span>{{0, 6, 6}, {6, 12, 6}}));
}

}  // namespace
}  // namespace sash
