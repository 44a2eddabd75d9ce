#include "windows/slide/slice_board.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::Seconds;

constexpr std::size_t kEverySlice = std::numeric_limits<std::size_t>::max();

WindowSpec SecondsWindow(std::string name, std::int64_t length_seconds,
                         std::int64_t slide_seconds) {
  WindowSpec spec;
  spec.name = std::move(name);
  spec.length = length_seconds * kSecond;
  spec.slide = slide_seconds * kSecond;
  return spec;
}

WindowSpec EventWindow(std::string name, std::int64_t length, std::int64_t slide) {
  WindowSpec spec = SecondsWindow(std::move(name), 1, 1);
  spec.by = WindowAxis::kEvents;
  spec.length = length;
  spec.slide = slide;
  return spec;
}

SliceBoard::Axis Now(EngineHarness& harness, WindowAxis axis = WindowAxis::kEventTime,
                     Position begin = std::numeric_limits<Position>::min()) {
  return harness.engine().slices().Of(axis, begin, kEverySlice);
}

// The begins of slices in seconds, newest first; negative for an open slice. No slice here begins
// at 0.
std::vector<std::int64_t> Begins(const SliceBoard::Axis& axis) {
  std::vector<std::int64_t> begins;
  for (const SliceStatus& slice : axis.slices) {
    begins.push_back(slice.begin / kSecond * (slice.closed ? 1 : -1));
  }
  return begins;
}

TEST(SliceBoardTest, SlicesStayWhileTheLongestWindowHoldsThem) {
  EngineHarness harness({SecondsWindow("short", 2, 2), SecondsWindow("long", 6, 2)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(2, 5));
  EXPECT_EQ(Begins(Now(harness)), (std::vector<std::int64_t>{-4, 2}));
  harness.Feed(Seconds(6, 13));
  EXPECT_EQ(Begins(Now(harness)), (std::vector<std::int64_t>{-12, 10, 8, 6}));
  for (const SliceStatus& slice : Now(harness).slices) {
    EXPECT_EQ(slice.end - slice.begin, 2 * kSecond);
    EXPECT_EQ(slice.events, 2u);
  }
}

TEST(SliceBoardTest, AnAdvanceFindsTheSlicesThatItConsistsOf) {
  EngineHarness harness({SecondsWindow("w", 4, 2)}, InOrder());
  int advances = 0;
  harness.on_advance = [&](const AdvancePtr& advance) {
    std::uint64_t events = 0;
    for (const SliceStatus& slice : Now(harness).slices) {
      if (slice.closed) events += slice.events;
    }
    EXPECT_EQ(events, advance->provenance.edges);
    ++advances;
  };
  harness.Start();
  harness.Feed(Seconds(2, 21));
  EXPECT_EQ(advances, 9);
}

TEST(SliceBoardTest, AnswersWhatIsAskedForOnly) {
  EngineHarness harness({SecondsWindow("w", 10, 1)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(1, 9));
  EXPECT_EQ(Begins(Now(harness, WindowAxis::kEventTime, 7 * kSecond)),
            (std::vector<std::int64_t>{-9, 8, 7}));
  const auto most = harness.engine().slices().Of(WindowAxis::kEventTime, 0, 2);
  EXPECT_EQ(Begins(most), (std::vector<std::int64_t>{-9, 8}));
  EXPECT_EQ(Now(harness, WindowAxis::kEvents).pane, 0);
}

TEST(SliceBoardTest, NumbersOfEventsArePlacesToo) {
  EngineHarness harness({EventWindow("w", 6, 3)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(1, 10));
  const SliceBoard::Axis axis = Now(harness, WindowAxis::kEvents);
  EXPECT_EQ(axis.pane, 3);
  ASSERT_EQ(axis.slices.size(), 3u);
  EXPECT_EQ(axis.slices[0], (SliceStatus{9, 12, 1, 0, 0, false}));
  EXPECT_EQ(axis.slices[1], (SliceStatus{6, 9, 3, 0, 0, true}));
  EXPECT_EQ(axis.slices[2], (SliceStatus{3, 6, 3, 0, 0, true}));
}

TEST(SliceBoardTest, AnAxisThatLeftAndCameBackHasNothingOfBefore) {
  EngineHarness harness({SecondsWindow("w", 4, 2), EventWindow("numbers", 4, 2)}, InOrder());
  harness.Start();
  harness.Feed(Seconds(2, 9));
  // The last slice is full; the next event closes it.
  const std::vector<SliceStatus> numbered = {
      {6, 8, 2, 0, 0, false}, {4, 6, 2, 0, 0, true}, {2, 4, 2, 0, 0, true}};
  EXPECT_EQ(Now(harness, WindowAxis::kEvents).slices, numbered);
  ASSERT_TRUE(harness.RemoveWindow("numbers"));
  EXPECT_EQ(Now(harness, WindowAxis::kEvents).pane, 0);
  ASSERT_TRUE(harness.AddWindow(EventWindow("threes", 3, 3)));
  harness.Feed(Seconds(10, 12));
  const SliceBoard::Axis axis = Now(harness, WindowAxis::kEvents);
  EXPECT_EQ(axis.pane, 3);
  for (const SliceStatus& slice : axis.slices) EXPECT_GE(slice.begin, 6) << slice.end;
}

}  // namespace
}  // namespace sash
