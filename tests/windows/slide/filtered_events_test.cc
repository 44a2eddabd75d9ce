// Filtered events move the time of their partition, and nothing else. Random scripts with filtered
// events are in engine_oracle_test.cc and rewind_test.cc.
#include <gtest/gtest.h>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using testing::EdgeAt;
using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::ScriptRecord;
using testing::SpanningWindow;

ScriptRecord Filtered(std::int64_t second, std::int64_t offset, std::uint32_t partition = 0) {
  ScriptRecord record = EdgeAt(second, offset, partition);
  record.filtered = true;
  return record;
}

struct Heard {
  std::int64_t end = 0;
  std::uint64_t edges = 0;
  bool gap = false;
  friend bool operator==(const Heard&, const Heard&) = default;
};
std::vector<Heard> HeardFrom(const EngineHarness& harness) {
  std::vector<Heard> heard;
  for (const AdvancePtr& advance : harness.advances) {
    const Provenance& about = advance->provenance;
    heard.push_back(
        {about.window_end.time_since_epoch().count() / kSecond, about.edges, about.gap});
  }
  return heard;
}

TEST(FilteredEventsTest, TheyCloseWindowsAndAreNotFirstEvents) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  harness.Feed({Filtered(10, 0), Filtered(50, 1)});
  EXPECT_TRUE(harness.advances.empty());
  harness.Feed({EdgeAt(61, 2), Filtered(61, 3), Filtered(63, 4)});
  EXPECT_EQ(HeardFrom(harness), (std::vector<Heard>{{62, 1}}));
  harness.Feed({Filtered(99, 5)});
  EXPECT_EQ(HeardFrom(harness), (std::vector<Heard>{{62, 1}, {64, 0}}));
  EXPECT_EQ(harness.stats.accepted, 1u);
  EXPECT_EQ(harness.stats.late, 0u);
}

TEST(FilteredEventsTest, AnEdgeMayBeLateBehindThemAndTheyAreNeverLate) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  harness.Feed({EdgeAt(10, 0), Filtered(20, 1), EdgeAt(11, 2), Filtered(11, 3), EdgeAt(21, 4)});
  harness.End();
  EXPECT_EQ(harness.stats.late, 1u);
  EXPECT_EQ(harness.stats.accepted, 2u);
  ASSERT_EQ(harness.advances.size(), 3u);
  EXPECT_EQ(harness.advances[2]->provenance.late, 1u);
  const auto& offsets = harness.advances[2]->provenance.offsets.begin()->second;
  EXPECT_EQ(offsets.least, 4);
  EXPECT_EQ(offsets.greatest, 4);
}

TEST(FilteredEventsTest, TheyHaveNoNumber) {
  EngineHarness harness({SpanningWindow(2, 2, WindowAxis::kEvents)}, InOrder());
  harness.Start();
  harness.Feed(
      {EdgeAt(1, 0), Filtered(2, 1), Filtered(3, 2), EdgeAt(4, 3), Filtered(5, 4), EdgeAt(6, 5)});
  ASSERT_EQ(harness.advances.size(), 1u);
  EXPECT_EQ(harness.advances[0]->provenance.accepted, 2u);
  EXPECT_EQ(harness.advances[0]->provenance.edges, 2u);
}

TEST(FilteredEventsTest, OnlyOthersHoldTheWatermark) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder(), 2);
  harness.Start();
  harness.Feed({EdgeAt(10, 0, 0), EdgeAt(20, 1, 0)});
  EXPECT_TRUE(harness.advances.empty()) << "partition 1 has no event yet";
  harness.Feed({Filtered(12, 0, 1)});
  EXPECT_EQ(HeardFrom(harness), (std::vector<Heard>{{12, 1}}));
}

TEST(FilteredEventsTest, AnEventAheadMovesNothing) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  EventBatch batch;
  harness.Append(EdgeAt(10, 0), batch);
  harness.Append(Filtered(1'000'000, 1), batch);
  batch.RefuseLastAsAhead();
  harness.Append(EdgeAt(11, 2), batch);
  harness.engine().Process(batch);
  harness.End();
  EXPECT_EQ(HeardFrom(harness), (std::vector<Heard>{{12, 2}}));
  EXPECT_EQ(harness.stats.ahead, 0u);
}

// Otherwise the window that lacks the records would close without it.
TEST(FilteredEventsTest, AGapBeforeAFilteredEventIsReported) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  EventBatch batch;
  harness.Append(EdgeAt(10, 0), batch);
  batch.AddMark(Mark::Kind::kGap, 0);
  harness.Append(Filtered(9, 4), batch);  // its time is older: the gap may reach farther
  harness.Append(Filtered(11, 5), batch);
  harness.Append(Filtered(13, 6), batch);
  harness.Append(EdgeAt(20, 7), batch);
  harness.engine().Process(batch);
  harness.End();
  EXPECT_EQ(HeardFrom(harness),
            (std::vector<Heard>{{12, 1, true}, {14, 0, false}, {22, 1, false}}));
}

TEST(FilteredEventsTest, WhereReadingContinuesIsBehindThem) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  harness.Feed({EdgeAt(10, 0), Filtered(20, 1), Filtered(30, 2)});
  ASSERT_EQ(harness.advances.size(), 2u);
  const RewindPosition& position = harness.advances[1]->rewind.positions.at(0);
  EXPECT_EQ(position.offset, 2) << "it was published within the batch";
  EXPECT_EQ(position.newest_before, EventTime(Duration(20 * kSecond)));
}

}  // namespace
}  // namespace sash
