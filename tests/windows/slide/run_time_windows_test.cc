// Windows that are added and removed while the stream runs, case by case; run_time_oracle_test.cc
// does the same at random.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::ScriptRecord;
using testing::Seconds;

WindowSpec Window(std::string name, std::optional<std::int64_t> length_seconds,
                  std::int64_t slide_seconds, WindowAxis by = WindowAxis::kEventTime) {
  WindowSpec spec;
  spec.name = std::move(name);
  spec.by = by;
  if (length_seconds) spec.length = *length_seconds * kSecond;
  spec.slide = slide_seconds * kSecond;
  spec.implementation = StoreKind::kRebuild;
  return spec;
}

WindowSpec ByEvents(std::string name, std::int64_t length, std::int64_t slide) {
  WindowSpec spec = Window(std::move(name), 1, 1, WindowAxis::kEvents);
  spec.length = length;
  spec.slide = slide;
  return spec;
}

// Start and end (in seconds), edges and gap of an advance.
struct Span {
  std::int64_t start;
  std::int64_t end;
  std::uint64_t edges;
  bool gap;
  friend bool operator==(const Span&, const Span&) = default;
  friend void PrintTo(const Span& span, std::ostream* out) {
    *out << "[" << span.start << ", " << span.end << ") " << span.edges << (span.gap ? " gap" : "");
  }
};

// read(advance) for each advance of the window, in order.
template <typename Read>
auto OfAdvances(const EngineHarness& harness, const std::string& window, const Read& read) {
  std::vector<decltype(read(*harness.advances.front()))> all;
  for (const AdvancePtr& advance : harness.advances) {
    if (advance->provenance.window == window) all.push_back(read(*advance));
  }
  return all;
}

std::vector<Span> SpansOf(const EngineHarness& harness, const std::string& window) {
  return OfAdvances(harness, window, [](const Advance& advance) {
    const Provenance& about = advance.provenance;
    return Span{about.window_start.time_since_epoch().count() / kSecond,
                about.window_end.time_since_epoch().count() / kSecond, about.edges, about.gap};
  });
}

std::vector<Span> NewestSpansOf(const EngineHarness& harness, const std::string& window,
                                std::ptrdiff_t count) {
  const std::vector<Span> spans = SpansOf(harness, window);
  return {spans.end() - count, spans.end()};
}

std::string MessageOf(const Status& status) { return status ? "accepted" : status.error().message; }

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
  EXPECT_EQ(MessageOf(harness.AddWindow(Window("a", 4, 2))),
            "window 'a': a window with this name exists");
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

std::vector<std::uint64_t> SnapshotsOf(const EngineHarness& harness, const std::string& window) {
  return OfAdvances(harness, window,
                    [](const Advance& advance) { return advance.provenance.snapshot.value; });
}

TEST(RunTimeWindowsTest, AWindowThatChangesGoesOnNumberingAtItsPlace) {
  EngineHarness harness({Window("w", 2, 2), Window("other", 4, 2)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 6));
  ASSERT_TRUE(harness.PutWindows({Window("w", 4, 4)}));
  EXPECT_EQ(harness.engine().Windows().front().spec, Window("w", 4, 4));
  EXPECT_EQ(harness.engine().Find("w")->newest->end, 6 * kSecond)
      << "the old end is valid until the window advances";
  harness.Feed(Seconds(7, 16));
  EXPECT_EQ(SpansOf(harness, "w"), (std::vector<Span>{{0, 2, 2, false},
                                                      {2, 4, 2, false},
                                                      {4, 6, 2, false},
                                                      {4, 8, 4, false},
                                                      {8, 12, 4, false},
                                                      {12, 16, 4, false}}));
  EXPECT_EQ(SnapshotsOf(harness, "w"), (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(SpansOf(harness, "other").size(), 8u);
  EXPECT_EQ(harness.engine().Find("w")->newest->ordinal, 4);
}

TEST(RunTimeWindowsTest, AWindowThatBecomesLongerHasAGapUntilItHasItsSpan) {
  EngineHarness harness({Window("w", 2, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 9));
  ASSERT_TRUE(harness.PutWindows({Window("w", 4, 1)}));
  harness.Feed(Seconds(10, 12));
  EXPECT_EQ(NewestSpansOf(harness, "w", 3),
            (std::vector<Span>{{6, 10, 3, true}, {7, 11, 4, false}, {8, 12, 4, false}}));
}

TEST(RunTimeWindowsTest, AWindowThatChangesIsPublishedEmptyWhenNothingIsLeftInIt) {
  TimePolicy policy = InOrder();
  policy.disorder = seconds(5);
  EngineHarness harness({Window("w", 8, 1)}, policy);
  harness.Start();
  harness.Feed(Seconds(0, 3));
  harness.Feed(Seconds(13, 13));  // everything before 8 has closed
  ASSERT_TRUE(harness.PutWindows({Window("w", 1, 1)}));
  harness.Feed(Seconds(19, 19));
  EXPECT_EQ(NewestSpansOf(harness, "w", 3),
            (std::vector<Span>{{0, 8, 4, false}, {8, 9, 0, false}, {13, 14, 1, false}}));
}

TEST(RunTimeWindowsTest, SilenceGoesOnInAWindowThatChanges) {
  EngineHarness harness({Window("w", 1, 1), Window("long", 9, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 1));
  ScriptRecord removal = Seconds(8, 8).front();
  removal.operation = Operation::kRemove;
  harness.Feed({removal});
  const std::size_t before = SpansOf(harness, "w").size();
  ASSERT_TRUE(harness.PutWindows({Window("w", 2, 2)}));
  harness.Feed(Seconds(10, 12));
  const std::vector<Span> spans = SpansOf(harness, "w");
  EXPECT_EQ(std::vector(spans.begin() + static_cast<std::ptrdiff_t>(before), spans.end()),
            (std::vector<Span>{{10, 12, 2, false}}))
      << "2 to 3 was published as empty; 8 to 10 continues that silence";
}

TEST(RunTimeWindowsTest, AllWindowsThatArePutAreAsTheyShouldBeOrNoneIs) {
  EngineHarness harness({Window("w", 2, 2)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 6));
  EXPECT_EQ(
      MessageOf(harness.PutWindows({Window("w", 4, 4), Window("new", 3, 3)})),
      "window 'new': slide (3s) must be a multiple of 2s, the pane of the windows of this axis");
  EXPECT_EQ(MessageOf(harness.PutWindows({Window("new", 2, 2), ByEvents("w", 3, 3)})),
            "window 'w': `by` cannot change; remove the window and add another");
  ASSERT_EQ(harness.engine().Windows().size(), 1u);
  EXPECT_EQ(harness.engine().Windows().front().spec, Window("w", 2, 2));
  ASSERT_TRUE(harness.PutWindows({Window("w", 2, 2), ByEvents("a", 4, 4), ByEvents("b", 6, 6)}));
  harness.Feed(Seconds(7, 20));
  EXPECT_EQ(SpansOf(harness, "w").size(), 10u) << "the window has not changed";
  EXPECT_EQ(SpansOf(harness, "a").size(), 4u);
  EXPECT_EQ(SpansOf(harness, "b").size(), 2u) << "both have a pane of 2";
}

TEST(RunTimeWindowsTest, WhatIsComparedLaterIsRecalledOnceThereIsAResultToCompareWith) {
  const std::vector<WindowSpec> windows = {Window("w", 4, 1), Window("other", 2, 1)};
  // For each `every`, the end of the window that an engine recalls when it starts where `before`
  // would have to start after a restart.
  const auto recalled_after = [&](const EngineHarness& before) {
    std::map<std::uint32_t, std::int64_t> ends;
    const RewindPoint rewind = before.advances.back()->rewind;
    EngineHarness again(windows, InOrder(), 1, KeyKind::kInteger, {}, {{"w", {1, 3, 100}}});
    again.on_recalled = [&](const AdvancePtr& advance) {
      EXPECT_EQ(advance->provenance.edges, 4u);
      ends[advance->recalled_for] = advance->end / kSecond;
    };
    again.Start(rewind);
    again.Feed(Seconds(rewind.positions.at(0).offset, 40));
    return ends;
  };
  EngineHarness harness(windows, InOrder());
  harness.Start();
  harness.Feed(Seconds(0, 10));
  ASSERT_TRUE(harness.Compare({{"w", {1, 3}}}));
  EXPECT_EQ(harness.engine().Windows().size(), 2u) << "a follower is not listed";
  EXPECT_EQ(harness.engine().progress_board().Read().windows.size(), 2u);
  EXPECT_EQ(harness.engine().Stores().front().windows.size(), 2u);
  harness.Feed(Seconds(11, 11));
  EXPECT_EQ(recalled_after(harness), (std::map<std::uint32_t, std::int64_t>{{1, 11}}));
  harness.Feed(Seconds(12, 13));
  EXPECT_EQ(recalled_after(harness), (std::map<std::uint32_t, std::int64_t>{{1, 13}, {3, 12}}));
  const std::uint64_t retained = harness.stats.slices_retained;
  ASSERT_TRUE(harness.Compare({{"w", {1}}}));
  EXPECT_LT(harness.stats.slices_retained, retained)
      << "no job compares with the third window before";
  harness.Feed(Seconds(14, 14));
  EXPECT_EQ(recalled_after(harness), (std::map<std::uint32_t, std::int64_t>{{1, 14}}));
  ASSERT_TRUE(harness.Compare({{"w", {3}}}));
  ASSERT_TRUE(harness.PutWindows({Window("w", 4, 2)}));
  ASSERT_TRUE(harness.PutWindows({Window("w", 4, 1)}));
  harness.Feed(Seconds(15, 20));
  EXPECT_EQ(recalled_after(harness), (std::map<std::uint32_t, std::int64_t>{{1, 20}, {3, 18}}));
  ASSERT_TRUE(harness.RemoveWindow("w"));
  EXPECT_EQ(harness.advances.back()->rewind.published.size(), 3u);
  harness.Feed(Seconds(21, 22));
  EXPECT_EQ(harness.advances.back()->rewind.published.size(), 1u) << "its follower was removed too";
}

TEST(RunTimeWindowsTest, AnEngineThatHasStoppedRefuses) {
  EngineHarness harness({Window("w", 1, 1)}, InOrder());
  harness.Start();
  PendingCommand waiting = harness.engine().AddWindow(Window("late", 1, 1));
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
      EXPECT_TRUE(harness.engine().AddWindow(Window(name, 3, 1)).get());
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
