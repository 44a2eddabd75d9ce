// Effects of clocks and of several axes on windows. Exactness on random scripts is in
// engine_oracle_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::EdgeAt;
using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::ScriptRecord;

WindowSpec OnlyWindow(std::int64_t length_seconds, std::int64_t slide_seconds,
                      WindowAxis by = WindowAxis::kEventTime) {
  WindowSpec spec;
  spec.name = "w";
  spec.by = by;
  spec.length = length_seconds * kSecond;
  spec.slide = slide_seconds * kSecond;
  return spec;
}

std::vector<std::int64_t> Ends(const EngineHarness& harness) {
  std::vector<std::int64_t> ends;
  for (const AdvancePtr& advance : harness.advances) {
    ends.push_back(advance->provenance.window_end.time_since_epoch().count() / kSecond);
  }
  return ends;
}

void MarkAll(EngineHarness& harness, Mark::Kind kind, PartitionIndex partition) {
  EventBatch batch;
  batch.AddMark(kind, partition);
  harness.engine().Process(batch);
}

TEST(WindowEngineTest, ASilenceOfFortyYearsGivesOneEmptyWindowAndCostsNothing) {
  WindowSpec spec = OnlyWindow(2, 1);
  EngineHarness harness({spec}, InOrder());
  harness.Start();
  harness.Feed({EdgeAt(100, 0), EdgeAt(40ll * 365 * 86'400, 1)});
  harness.End();
  EXPECT_EQ(Ends(harness), (std::vector<std::int64_t>{101, 102, 103, 40ll * 365 * 86'400 + 1}));
  EXPECT_TRUE(harness.advances[2]->provenance.empty);
}

TEST(WindowEngineTest, AnIdlePartitionLetsTheOthersGoOn) {
  EngineHarness harness({OnlyWindow(1, 1)}, InOrder(), 2);
  harness.Start();
  harness.Feed({EdgeAt(100, 0, 0), EdgeAt(105, 1, 0)});
  EXPECT_TRUE(harness.advances.empty()) << "partition 1 has no event yet";
  MarkAll(harness, Mark::Kind::kCaughtUp, 1);
  harness.clock.Advance(seconds(9));
  harness.engine().Tick();
  EXPECT_TRUE(harness.advances.empty());
  harness.Feed({EdgeAt(106, 2, 0)});
  harness.clock.Advance(seconds(1));
  harness.engine().Tick();
  EXPECT_EQ(Ends(harness), (std::vector<std::int64_t>{101, 102, 106}));
}

// The source reported the position of the silent partition: at the first start, or after a gap that
// no window has reported yet.
TEST(WindowEngineTest, AStreamIsReadAgainFromWhereASilentPartitionStood) {
  for (const bool gap : {false, true}) {
    SCOPED_TRACE(gap);
    EngineHarness harness({OnlyWindow(1, 1)}, InOrder(), 2);
    RewindPoint begins;
    begins.positions = {{0, 0, {}}, {1, 7, {}}};
    harness.Start(begins);
    if (gap) MarkAll(harness, Mark::Kind::kGap, 1);
    MarkAll(harness, Mark::Kind::kCaughtUp, 1);
    harness.clock.Advance(seconds(10));
    harness.Feed({EdgeAt(100, 0, 0), EdgeAt(101, 1, 0)});
    ASSERT_EQ(Ends(harness), (std::vector<std::int64_t>{101}));
    const std::vector<RewindPosition>& positions = harness.advances[0]->rewind.positions;
    ASSERT_EQ(positions.size(), gap ? 1u : 2u)
        << "a partition without a position meets the gap again";
    EXPECT_EQ(positions.back().offset, gap ? 0 : 7);
    EXPECT_EQ(harness.engine().Capture().partitions[1].next_offset, 7);
  }
}

TEST(WindowEngineTest, WhatAReturningPartitionBringsTooLateIsRefusedNotLost) {
  EngineHarness harness({OnlyWindow(1, 1)}, InOrder(), 2);
  harness.Start();
  MarkAll(harness, Mark::Kind::kCaughtUp, 1);
  harness.clock.Advance(seconds(10));
  harness.Feed({EdgeAt(100, 0, 0), EdgeAt(105, 1, 0)});
  ASSERT_EQ(Ends(harness), (std::vector<std::int64_t>{101, 102}));
  harness.Feed({EdgeAt(100, 0, 1), EdgeAt(107, 1, 1), EdgeAt(107, 2, 0)});
  ASSERT_EQ(harness.refusals.entries.size(), 1u);
  EXPECT_EQ(harness.refusals.entries[0].reason, RefusalReason::kLate);
  EXPECT_EQ(harness.refusals.entries[0].payload, "record 0");
  EXPECT_EQ(harness.stats.late, 1u);
}

TEST(WindowEngineTest, OnSilenceTheClockClosesWindows) {
  TimePolicy policy = InOrder();
  policy.on_silence = SilencePolicy::kClock;
  EngineHarness harness({OnlyWindow(1, 1)}, policy);
  harness.clock.SetNow(EventTime(seconds(100)));
  harness.Start();
  harness.Feed({EdgeAt(100, 0)});
  MarkAll(harness, Mark::Kind::kCaughtUp, 0);
  harness.clock.Advance(seconds(9));
  harness.engine().Tick();
  EXPECT_TRUE(harness.advances.empty());
  harness.clock.Advance(seconds(1));
  harness.engine().Tick();
  EXPECT_EQ(Ends(harness), (std::vector<std::int64_t>{101, 102}));
  EXPECT_TRUE(harness.advances[1]->provenance.empty);
}

TEST(WindowEngineTest, EventsFarAheadOfTheClockGoToDeadLettersAndCountAsRefused) {
  TimePolicy policy = InOrder();
  policy.check_ahead = true;
  policy.ahead_limit = seconds(60);
  EngineHarness harness({OnlyWindow(1, 1)}, policy);
  harness.clock.SetNow(EventTime(seconds(100)));
  harness.Start();
  harness.Feed({EdgeAt(100, 0), EdgeAt(161, 1), EdgeAt(160, 2)});
  harness.End();
  ASSERT_EQ(harness.refusals.entries.size(), 1u);
  EXPECT_EQ(harness.refusals.entries[0].reason, RefusalReason::kAhead);
  EXPECT_EQ(harness.refusals.entries[0].offset, 1);
  EXPECT_EQ(harness.advances[0]->provenance.refused, 1u);
}

TEST(WindowEngineTest, AnEdgeOfOneTypeTooManyIsRefusedAndEdgesOfKnownTypesAreNot) {
  EngineHarness harness({OnlyWindow(1, 1)}, InOrder());
  harness.Start();
  const auto typed = [](std::int64_t offset, std::uint64_t type) {
    ScriptRecord record = EdgeAt(100, offset);
    record.type = type;
    return record;
  };
  EventBatch batch;
  for (std::size_t i = 1; i <= TypeTable::kMostTypes; ++i) {
    harness.Append(typed(static_cast<std::int64_t>(i), i), batch);
  }
  const auto next = static_cast<std::int64_t>(TypeTable::kMostTypes) + 1;
  harness.Append(typed(next, 99'999), batch);
  harness.Append(typed(next + 1, 5), batch);
  harness.Append(EdgeAt(100, next + 2), batch);
  ScriptRecord further = typed(next + 2, 99'998);
  further.place = 1;
  harness.Append(further, batch);
  harness.engine().Process(batch);
  harness.End();
  ASSERT_EQ(harness.advances.size(), 1u);
  EXPECT_EQ(harness.advances[0]->provenance.edges, TypeTable::kMostTypes + 2);
  EXPECT_EQ(harness.advances[0]->provenance.refused, 2u);
  ASSERT_EQ(harness.refusals.entries.size(), 2u);
  EXPECT_EQ(harness.refusals.entries[0].reason, RefusalReason::kTypes);
  EXPECT_EQ(harness.refusals.entries[0].offset, next);
  EXPECT_EQ(harness.refusals.entries[0].detail,
            "its type \"t99999\" is new, and there are 65536 types already, the most that are "
            "held; take the type from a field with fewer values");
  EXPECT_THAT(harness.refusals.entries[1].detail, ::testing::StartsWith("1 of its 2 edges: "));
}

TEST(WindowEngineTest, ProcessingTimeWindowsFollowTheClock) {
  EngineHarness harness({OnlyWindow(2, 1, WindowAxis::kProcessingTime)}, InOrder());
  harness.clock.SetNow(EventTime(seconds(1'000)));
  harness.Start();
  harness.Feed({EdgeAt(5, 0), EdgeAt(900, 1)});
  harness.clock.Advance(seconds(1));
  harness.Feed({EdgeAt(6, 2)});
  ASSERT_EQ(Ends(harness), (std::vector<std::int64_t>{1'001}));
  EXPECT_EQ(harness.advances[0]->provenance.edges, 2u);
  harness.clock.Advance(seconds(5));
  harness.engine().Tick();
  EXPECT_EQ(Ends(harness), (std::vector<std::int64_t>{1'001, 1'002, 1'003, 1'004}));
  EXPECT_EQ(harness.advances[1]->provenance.edges, 3u);
  EXPECT_EQ(harness.advances[2]->provenance.edges, 1u);
  EXPECT_TRUE(harness.advances[3]->provenance.empty);
}

TEST(WindowEngineTest, AfterTheEndOfItsSourceNoClockClosesAWindow) {
  TimePolicy policy = InOrder();
  policy.on_silence = SilencePolicy::kClock;
  for (const WindowAxis by : {WindowAxis::kEventTime, WindowAxis::kProcessingTime}) {
    EngineHarness harness({OnlyWindow(2, 1, by)}, policy);
    harness.clock.SetNow(EventTime(seconds(100)));
    harness.Start();
    harness.Feed({EdgeAt(100, 0)});
    harness.End();
    const std::vector<std::int64_t> ends = Ends(harness);
    EXPECT_FALSE(ends.empty());
    harness.clock.Advance(seconds(60));
    harness.engine().Tick();
    EXPECT_EQ(Ends(harness), ends);
  }
}

TEST(WindowEngineTest, AFullPaneOfEventsClosesWhenTheStreamIsCaughtUp) {
  WindowSpec spec = OnlyWindow(0, 0, WindowAxis::kEvents);
  spec.length = 4;
  spec.slide = 2;
  EngineHarness harness({spec}, InOrder());
  harness.Start();
  harness.Feed({EdgeAt(10, 0), EdgeAt(9, 1)});
  EXPECT_TRUE(harness.advances.empty()) << "a refused record may still belong to the pane";
  EventBatch caught_up;
  caught_up.caught_up = true;
  harness.engine().Process(caught_up);
  ASSERT_EQ(harness.advances.size(), 1u);
  const Provenance& about = harness.advances[0]->provenance;
  EXPECT_EQ(about.accepted, 2u);
  EXPECT_EQ(about.window_start, EventTime(seconds(9)));
  EXPECT_EQ(about.window_end, EventTime(seconds(10)));
}

TEST(WindowEngineTest, AGapMarksEveryWindowThatMayLackRecords) {
  EngineHarness harness({OnlyWindow(2, 1)}, InOrder());
  harness.Start();
  harness.Feed({EdgeAt(100, 0)});
  MarkAll(harness, Mark::Kind::kGap, 0);
  harness.Feed({EdgeAt(103, 50), EdgeAt(110, 51)});
  harness.End();
  std::vector<bool> gaps;
  for (const AdvancePtr& advance : harness.advances) gaps.push_back(advance->provenance.gap);
  EXPECT_EQ(Ends(harness), (std::vector<std::int64_t>{101, 102, 103, 104, 105, 106, 111}));
  EXPECT_TRUE(gaps[3]) << "[102, 104) may lack records before 103";
  EXPECT_FALSE(gaps[4]) << "[103, 105) begins with the first event after the gap";
}

TEST(WindowEngineTest, SeveralWindowsShareThePaneOfTheirSlides) {
  WindowSpec small = OnlyWindow(4, 2);
  WindowSpec large = OnlyWindow(6, 3);
  large.name = "large";
  EngineHarness harness({small, large}, InOrder());
  harness.Start();
  harness.Feed({EdgeAt(0, 0), EdgeAt(1, 1), EdgeAt(2, 2), EdgeAt(3, 3), EdgeAt(4, 4), EdgeAt(5, 5),
                EdgeAt(6, 6)});
  std::vector<std::pair<std::string, std::uint64_t>> seen;
  for (const AdvancePtr& advance : harness.advances) {
    seen.emplace_back(advance->provenance.window, advance->provenance.edges);
  }
  EXPECT_EQ(seen, (std::vector<std::pair<std::string, std::uint64_t>>{
                      {"w", 2}, {"large", 3}, {"w", 4}, {"w", 4}, {"large", 6}}));
}

TEST(WindowEngineTest, AbandoningWhileSeveralPanesAreOpenLeavesThemUnread) {
  TimePolicy policy = InOrder();
  policy.disorder = seconds(50);
  EngineHarness harness({OnlyWindow(1, 1)}, policy);
  harness.on_advance = [&](AdvancePtr advance) {
    harness.advances.push_back(std::move(advance));
    harness.engine().Abandon();
  };
  harness.Start();
  harness.Feed({EdgeAt(100, 0), EdgeAt(101, 1), EdgeAt(102, 2), EdgeAt(103, 3), EdgeAt(200, 4)});
  EXPECT_EQ(Ends(harness), (std::vector<std::int64_t>{101}));
}

TEST(WindowEngineTest, AbandoningEndsABacklogAfterTheAdvanceInWork) {
  EngineHarness harness({OnlyWindow(100, 1)}, InOrder());
  harness.Start();
  harness.on_advance = [&](AdvancePtr advance) {
    harness.advances.push_back(std::move(advance));
    if (harness.advances.size() == 3) harness.engine().Abandon();
  };
  harness.Feed({EdgeAt(100, 0), EdgeAt(190, 1), EdgeAt(280, 2)});
  EXPECT_EQ(Ends(harness), (std::vector<std::int64_t>{101, 102, 103}));
  EXPECT_TRUE(harness.engine().abandoned());
}

}  // namespace
}  // namespace sash
