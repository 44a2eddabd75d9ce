// Every state of a real engine is coherent. Impossible states that would make a restored engine
// busy for a long time are not coherent.
#include "windows/slide/engine_state.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "tests/support/engine_harness.h"
#include "tests/support/small_stream.h"

namespace sash {
namespace {

constexpr Position kNothing = std::numeric_limits<Position>::min();

// Lane 0 is by event time with pane 10 and windows "times" and "for ever"; lane 1 is by events with
// pane 3. After five steps lane 0 has closed until 30 and lane 1 until 18.
EngineState StateAfter(std::int64_t steps) {
  testing::EngineHarness harness(testing::SmallWindows(), testing::SmallPolicy(), 2);
  harness.Start();
  for (std::int64_t step = 0; step < steps; ++step) harness.Feed(testing::SmallStep(step));
  return harness.engine().Capture();
}

// Why a state with this change is not coherent; "" when it is.
std::string Wrong(const std::function<void(EngineState&)>& change) {
  EngineState state = StateAfter(5);
  EXPECT_TRUE(CheckCoherent(state).ok());
  EXPECT_EQ(state.lanes[0].slicer.closed_until, 30);
  EXPECT_EQ(state.lanes[1].slicer.closed_until, 18);
  change(state);
  const Status coherent = CheckCoherent(state);
  return coherent.ok() ? "" : coherent.error().message;
}

std::string NextEnd(Position end) {
  return Wrong([end](EngineState& state) { state.lanes[0].windows[1].state.next_end = end; });
}

TEST(EngineStateTest, WhereverAnEngineStandsItsStateIsCoherent) {
  for (std::int64_t steps = 0; steps < 10; ++steps) {
    const Status coherent = CheckCoherent(StateAfter(steps));
    EXPECT_TRUE(coherent.ok()) << coherent.error().message;
  }
}

TEST(EngineStateTest, NoWindowLiesBehindWhatHasClosed) {
  EXPECT_EQ(NextEnd(40), "");
  EXPECT_EQ(
      NextEnd(-1'000'000'000'000),
      "its state is impossible: lane 0 has closed until 30, but window 'for ever' ends next at "
      "-1000000000000");
  EXPECT_NE(NextEnd(20), "");
  EXPECT_NE(NextEnd(50), "") << "not a multiple of its slide";
  EXPECT_NE(NextEnd(std::numeric_limits<Position>::max() / 20 * 20), "")
      << "the greatest possible end";
}

TEST(EngineStateTest, AnOffsetMovesTheEndsThatAWindowCanHave) {
  const auto next_end = [](Position end) {
    return Wrong([end](EngineState& state) {
      state.lanes[0].windows[1].spec.offset = 10;
      state.lanes[0].windows[1].state.next_end = end;
    });
  };
  EXPECT_EQ(next_end(50), "");
  EXPECT_NE(next_end(40), "");
}

TEST(EngineStateTest, NothingHasBeenPassedThatIsOpen) {
  const auto watermark = [](std::int64_t time) {
    return Wrong([time](EngineState& state) { state.watermark = EventTime(Duration(time)); });
  };
  EXPECT_EQ(watermark(39), "");
  EXPECT_EQ(watermark(40),
            "its state is impossible: lane 0 has closed until 30, but has reached 40");
  const auto accepted = [](std::uint64_t events) {
    return Wrong([events](EngineState& state) { state.lanes[1].accepted = events; });
  };
  EXPECT_EQ(accepted(21), "");
  EXPECT_NE(accepted(22), "");
  EXPECT_NE(accepted(std::numeric_limits<std::uint64_t>::max()), "");
  const auto clock = [](Position now) {
    return Wrong([now](EngineState& state) {
      state.lanes[1].axis = WindowAxis::kProcessingTime;
      state.processing_time = now;
    });
  };
  EXPECT_EQ(clock(20), "");
  EXPECT_NE(clock(21), "");
}

TEST(EngineStateTest, WhatHasClosedNothingHasSeenNothing) {
  const auto closed_nothing = [](const std::function<void(EngineState&)>& change) {
    return Wrong([&change](EngineState& state) {
      state.watermark.reset();
      for (LaneState& lane : state.lanes) {
        lane.slicer.closed_until = kNothing;
        lane.slicer.next_id = 0;
        lane.slicer.open.clear();
        for (WindowState& window : lane.windows) window.state.next_end.reset();
      }
      change(state);
    });
  };
  EXPECT_EQ(closed_nothing([](EngineState&) {}), "");
  const std::string passed = "its state is impossible: lane 0 has closed nothing, but should have";
  EXPECT_EQ(closed_nothing([](EngineState& state) { state.watermark = EventTime(); }), passed);
  EXPECT_EQ(closed_nothing([](EngineState& state) { state.lanes[0].slicer.next_id = 1; }), passed);
  EXPECT_EQ(
      closed_nothing([](EngineState& state) { state.lanes[0].windows[0].state.next_end = 10; }),
      passed);
  EXPECT_NE(closed_nothing([](EngineState& state) { state.lanes[1].slicer.open.emplace_back(); }),
            "");
}

TEST(EngineStateTest, RetainedSlicesAreClosedPanes) {
  const EngineState state = StateAfter(5);
  const LaneState& lane = state.lanes[0];
  EXPECT_TRUE(CanRetain(lane, 20, 30));
  EXPECT_TRUE(CanRetain(lane, -10, 0));
  EXPECT_FALSE(CanRetain(lane, 30, 40)) << "this slice is open";
  EXPECT_FALSE(CanRetain(lane, 10, 30)) << "two panes";
  EXPECT_FALSE(CanRetain(lane, 15, 25));
  EXPECT_FALSE(CanRetain(lane, std::numeric_limits<Position>::max() - 7, kNothing + 2));
}

}  // namespace
}  // namespace sash
