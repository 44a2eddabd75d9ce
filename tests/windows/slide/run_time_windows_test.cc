// Windows that are added and removed while the stream runs, case by case; run_time_oracle_test.cc
// does the same at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/windows/slide/window_spans.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::ByEvents;
using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::MessageOf;
using testing::OfAdvances;
using testing::Seconds;
using testing::Span;
using testing::SpansOf;
using testing::Window;

TEST(RunTimeWindowsTest, AWindowThatReachesBackTooFarHasAGapUntilItsSpanNoLongerDoes) {
  EngineHarness harness({Window("w", 3, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 20));
  ASSERT_TRUE(harness.AddWindow(Window("late", 6, 2)));
  harness.Feed(Seconds(21, 28));
  EXPECT_EQ(SpansOf(harness, "late"),
            (std::vector<Span>{
                {16, 22, 5, true}, {18, 24, 6, false}, {20, 26, 6, false}, {22, 28, 6, false}}))
      << "17, 18 and 19 were retained, 16 was released";
}

TEST(RunTimeWindowsTest, AWindowWithinWhatIsRetainedHasNoGap) {
  EngineHarness harness({Window("w", 10, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 20));
  ASSERT_TRUE(harness.AddWindow(Window("late", 4, 2)));
  harness.Feed(Seconds(21, 22));
  EXPECT_EQ(SpansOf(harness, "late"), (std::vector<Span>{{18, 22, 4, false}}));
}

TEST(RunTimeWindowsTest, ALandmarkWindowThatMissedTheBeginningHasAGapForEver) {
  EngineHarness harness({Window("w", 3, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 10));
  ASSERT_TRUE(harness.AddWindow(Window("all", {}, 1)));
  harness.Feed(Seconds(11, 12));
  EXPECT_EQ(SpansOf(harness, "all"), (std::vector<Span>{{7, 11, 4, true}, {7, 12, 5, true}}));
}

TEST(RunTimeWindowsTest, ALandmarkWindowThatHasEverySliceHasNoGap) {
  EngineHarness harness({Window("w", 100, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 10));
  ASSERT_TRUE(harness.AddWindow(Window("all", {}, 1)));
  harness.Feed(Seconds(11, 11));
  EXPECT_EQ(SpansOf(harness, "all"), (std::vector<Span>{{0, 11, 11, false}}));
}

TEST(RunTimeWindowsTest, SilenceIsNoGap) {
  EngineHarness harness({Window("w", 2, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 3));
  harness.Feed(Seconds(100, 101));
  ASSERT_TRUE(harness.AddWindow(Window("late", 50, 1)));
  harness.Feed(Seconds(102, 102));
  EXPECT_EQ(SpansOf(harness, "late"), (std::vector<Span>{{52, 102, 2, false}}))
      << "nothing lies between 4 and 100";
}

TEST(RunTimeWindowsTest, AWindowBeforeTheStreamBeginsIsAsFromTheStart) {
  EngineHarness harness({Window("w", 2, 1)}, InOrder());
  ASSERT_TRUE(harness.AddWindow(Window("early", 4, 2)));
  ASSERT_TRUE(harness.AddWindow(ByEvents("numbers", 2, 2)));
  harness.Start();
  harness.Feed(Seconds(1, 4));
  EXPECT_EQ(SpansOf(harness, "early"), (std::vector<Span>{{-2, 2, 1, false}, {0, 4, 3, false}}));
  EXPECT_EQ(SpansOf(harness, "numbers"), (std::vector<Span>{{1, 2, 2, false}}));
}

TEST(RunTimeWindowsTest, ANewAxisBeginsWhereTheStreamIs) {
  EngineHarness harness({Window("w", 2, 2)}, InOrder());
  harness.clock.SetNow(EventTime(seconds(1'000)));
  harness.Start();
  harness.Feed(Seconds(0, 6));
  ASSERT_TRUE(harness.AddWindow(ByEvents("numbers", 10, 5)));
  ASSERT_TRUE(harness.AddWindow(Window("arrival", 2, 1, WindowAxis::kProcessingTime)));
  harness.Feed(Seconds(7, 20));
  harness.clock.Advance(seconds(1));
  harness.Feed(Seconds(21, 21));
  harness.clock.Advance(seconds(1));
  harness.engine().Tick();
  EXPECT_EQ(SpansOf(harness, "numbers"),
            (std::vector<Span>{{7, 9, 3, true}, {7, 14, 8, true}, {10, 19, 10, false}}))
      << "seven events had been accepted";
  EXPECT_EQ(SpansOf(harness, "arrival"),
            (std::vector<Span>{{999, 1'001, 14, true}, {1'000, 1'002, 15, true}}));
  const auto accepted_before = OfAdvances(
      harness, "numbers", [](const Advance& advance) { return *advance.rewind.accepted_before; });
  EXPECT_EQ(accepted_before, (std::vector<std::int64_t>{7, 7, 10}));
}

TEST(RunTimeWindowsTest, ANewLaneOfEventTimeHasGapsUpToTheNewestEventBeforeIt) {
  TimePolicy policy = InOrder();
  policy.disorder = seconds(3);
  EngineHarness harness({ByEvents("numbers", 4, 2)}, policy);
  harness.Start();
  harness.Feed(Seconds(0, 10));
  ASSERT_TRUE(harness.AddWindow(Window("time", 2, 1)));
  harness.Feed({{.offset = 11, .time = 8 * kSecond, .source = 1, .target = 2, .weight = {}}});
  harness.Feed(Seconds(12, 16));
  EXPECT_EQ(
      SpansOf(harness, "time"),
      (std::vector<Span>{{7, 9, 1, true}, {8, 10, 1, true}, {9, 11, 0, true}, {11, 13, 1, false}}));
}

TEST(RunTimeWindowsTest, WhatCannotBeAddedIsRefusedWithTheReason) {
  EngineHarness harness({Window("a", 12, 4), Window("b", 12, 6)}, InOrder());
  harness.Start();
  EXPECT_EQ(MessageOf(harness.AddWindow(Window("c", 9, 3))),
            "window 'c': slide (3s) must be a multiple of 2s, the pane of the windows of this "
            "axis");
  EXPECT_EQ(MessageOf(harness.AddWindow(Window("c", 5, 2))),
            "window 'c': length (5s) must be a multiple of slide (2s)");
  EXPECT_EQ(MessageOf(harness.AddWindow(Window("", 4, 2))), "window '': it has no name");
  EXPECT_EQ(MessageOf(harness.AddWindow(Window("c", 4, 0))),
            "window 'c': slide must be greater than 0");
  EXPECT_EQ(MessageOf(harness.RemoveWindow("c")), "remove window 'c': there is no such window");
  EXPECT_EQ(harness.engine().Windows().size(), 2u);
}

TEST(RunTimeWindowsTest, TheOnlyWindowStays) {
  EngineHarness harness({Window("a", 1, 1)}, InOrder());
  harness.Start();
  EXPECT_EQ(MessageOf(harness.RemoveWindow("a")),
            "remove window 'a': it is the only window; add another first");
  ASSERT_TRUE(harness.AddWindow(Window("b", 1, 1)));
  ASSERT_TRUE(harness.RemoveWindow("a"));
  EXPECT_FALSE(harness.engine().Find("a"));
  harness.Feed(Seconds(0, 1));
  EXPECT_EQ(SpansOf(harness, "b").size(), 1u);
  EXPECT_EQ(harness.engine().Find("b")->newest, harness.advances.back());
}

TEST(RunTimeWindowsTest, ALaneGoesWithItsLastWindowAndANewOneMayHaveAnotherPane) {
  EngineHarness harness({Window("w", 4, 4), ByEvents("numbers", 4, 4)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 9));
  const std::uint64_t closed = harness.stats.slices_closed;
  ASSERT_TRUE(harness.RemoveWindow("numbers"));
  EXPECT_EQ(harness.stats.slices_closed, closed);
  EXPECT_EQ(harness.engine().Stores().size(), 1u);
  EXPECT_FALSE(harness.advances.back()->rewind.published.empty());
  ASSERT_TRUE(harness.AddWindow(ByEvents("threes", 3, 3)));
  harness.Feed(Seconds(10, 15));
  EXPECT_EQ(SpansOf(harness, "threes"), (std::vector<Span>{{10, 11, 2, true}, {12, 14, 3, false}}));
  EXPECT_EQ(harness.stats.slices_closed,
            harness.stats.slices_retained + harness.stats.slices_released);
}

TEST(RunTimeWindowsTest, AWindowThatJoinedIsNotPublishedForEndsBeforeItAfterARestart) {
  EngineHarness harness({Window("w", 8, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 20));
  ASSERT_TRUE(harness.AddWindow(Window("late", 4, 2)));
  harness.Feed(Seconds(21, 21));
  const RewindPoint rewind = harness.advances.back()->rewind;
  EXPECT_EQ(rewind.published.at("late"), 20 * kSecond);
  EngineHarness again({Window("w", 8, 1), Window("late", 4, 2)}, InOrder());
  again.Start(rewind);
  again.Feed(Seconds(rewind.positions.at(0).offset, 22));
  EXPECT_EQ(SpansOf(again, "late"), (std::vector<Span>{{18, 22, 4, false}}));
}

TEST(RunTimeWindowsTest, AnEngineThatHasStoppedRefuses) {
  EngineHarness harness({Window("w", 1, 1)}, InOrder());
  harness.Start();
  PendingCommand waiting = harness.engine().PutWindows({Window("late", 1, 1)});
  harness.engine().Abandon();
  EXPECT_EQ(waiting.get().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(harness.engine().RemoveWindow("w").get().error().code, ErrorCode::kUnavailable);
}

TEST(RunTimeWindowsTest, OtherThreadsAddAndRemoveAndLookWhileTheStreamRuns) {
  EngineHarness harness({Window("w", 5, 1)}, InOrder());
  harness.Start();
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (int i = 0; i < 20; ++i) {
      const std::string name = "w" + std::to_string(i);
      EXPECT_TRUE(harness.engine().PutWindows({Window(name, 3, 1)}).get());
      EXPECT_TRUE(harness.engine().Find(name));
      EXPECT_LE(harness.engine().Stores().size(), 1u);
      EXPECT_TRUE(harness.engine().RemoveWindow(name).get());
    }
    done = true;
  });
  std::int64_t second = 0;
  while (!done) {
    harness.Feed(Seconds(second, second + 3));
    second += 4;
  }
  other.join();
  const std::vector<Span> spans = SpansOf(harness, "w");
  ASSERT_EQ(spans.size(), static_cast<std::size_t>(second - 1));
  for (const Span& span : spans) EXPECT_EQ(span.edges, std::min<std::uint64_t>(5, span.end));
}

TEST(RunTimeWindowsTest, MemoryIsThatOfEveryStoreOnce) {
  EngineHarness harness({Window("a", 5, 1), Window("b", 3, 1), ByEvents("numbers", 4, 1)},
                        InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 20));
  MemoryUse all;
  for (const StoreStatus& store : harness.engine().Stores()) all += store.memory;
  EXPECT_EQ(harness.engine().Stores().size(), 2u);
  EXPECT_GT(all.events, 0u);
  for (std::size_t i = 0; i < kMemoryParts.size(); ++i) {
    EXPECT_EQ(harness.stats.store_memory[i], all.*kMemoryParts[i].bytes) << kMemoryParts[i].name;
  }
}

TEST(RunTimeWindowsTest, AdvancesOverTwentyThousandSlicesCostAsFewMergesAsOverOne) {
  constexpr std::int64_t kLength = 20'000;
  std::vector<WindowSpec> windows = {Window("short", 1, 1), Window("long", kLength, 100)};
  for (WindowSpec& spec : windows) {
    spec.implementation = StoreKind::kMultiversioned;
    spec.removals = false;
  }
  EngineHarness harness(windows, InOrder());
  std::uint64_t advances = 0;
  harness.on_advance = [&](const AdvancePtr& advance) {
    ++advances;
    const Provenance& about = advance->provenance;
    const std::int64_t end = about.window_end.time_since_epoch().count() / kSecond;
    const OffsetSpan& span = about.offsets.begin()->second;
    if (about.window == "long") {
      EXPECT_EQ(span.least, std::max<std::int64_t>(0, end - kLength));
      EXPECT_EQ(advance->rewind.positions.at(0).offset, span.least);
    }
    EXPECT_EQ(span.greatest, end - 1);
  };
  harness.Start();
  harness.Feed(Seconds(0, 2 * kLength));
  ASSERT_EQ(advances, static_cast<std::uint64_t>(2 * kLength + 2 * kLength / 100));
  // Each slice enters the accounts of both windows and of the lane, and is turned over once in
  // each; each advance sums its own account and the lane's.
  using Account = SlidingFold<RetainedSlice, WindowTotal>;
  EXPECT_LE(harness.stats.account_takes, advances * (3 * 2 + 2 * Account::kStride));
}

}  // namespace
}  // namespace sash
