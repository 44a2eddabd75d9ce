// Windows that change while the stream runs: their lengths and slides, and what is compared with
// them.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
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
using testing::NewestSpansOf;
using testing::OfAdvances;
using testing::ScriptRecord;
using testing::Seconds;
using testing::Span;
using testing::SpansOf;
using testing::Window;

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

}  // namespace
}  // namespace sash
