// Which phases the time of an advance is assigned to.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"
#include "tests/support/ticking_clock.h"
#include "windows/slide/lane.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;

WindowSpec PhasedWindow(std::string name, StoreKind kind, std::int64_t length,
                        std::int64_t slide = 1) {
  return {.name = std::move(name), .length = length, .slide = slide, .implementation = kind};
}

struct Timed {
  std::string window;
  MoveListener::Timing timing;

  Duration operator[](AdvancePhase phase) const { return timing.phases[phase]; }
};

// A lane that gets edges at consecutive positions.
class Flow final : public MoveListener {
 public:
  Flow(const Clock& clock, Lane::OnClosed on_closed = {})
      : clock_(clock),
        lane_(
            WindowAxis::kEventTime, 1, [this](const RetainedSlice&) { on_released(); },
            std::move(on_closed)) {}

  Lane& lane() { return lane_; }

  // Adds edges up to `last`, and moves the watermark there.
  void Until(Position last) {
    for (; next_ <= last; ++next_) {
      lane_.slicer().Add(next_, {.time = EventTime(Duration(next_)), .offset = next_, .target = 1},
                         static_cast<std::uint64_t>(next_), EventTime(Duration(next_ - 1)));
    }
    lane_.CloseUntil(last + 1, {ranks_, 2, clock_, *this});
  }

  bool OnMoved(const Lane&, Lane::Member& member, SlidingWindow::Moved,
               const Timing& timing) override {
    timed.push_back({member.window.spec().name, timing});
    on_moved();
    return true;
  }

  std::vector<Timed> timed;
  std::function<void()> on_moved = [] {};
  std::function<void()> on_released = [] {};

 private:
  const Clock& clock_;
  const std::vector<std::uint32_t> ranks_ = {0};
  Position next_ = 0;
  Lane lane_;
};

// Every phase reads the clock at least once, and each read takes a tick.
TEST(AdvancePhasesTest, BothStoresGoThroughAllPhasesAndTheyFillTheTimeFromWhenItWasDue) {
  for (const StoreKind kind : {StoreKind::kMultiversioned, StoreKind::kRebuild}) {
    const TickingClock clock;
    Flow flow(clock);
    flow.lane().windows().Add(PhasedWindow("w", kind, 2));
    for (Position last = 0; last < 6; ++last) {
      const SteadyTime before = clock.Steady();
      flow.Until(last);
      ASSERT_EQ(flow.timed.size(), static_cast<std::size_t>(last) + 1);
      const Timed& advance = flow.timed.back();
      advance.timing.phases.ForEach(
          [](std::string_view name, Duration time) { EXPECT_GT(time, Duration()) << name; });
      EXPECT_GT(advance.timing.due, before);
      EXPECT_LE(advance.timing.due + advance.timing.phases.total(), clock.Steady());
    }
  }
}

TEST(AdvancePhasesTest, WhatTakesLongIsInThePhaseThatIsNamedAfterIt) {
  ManualClock clock;
  Flow flow(clock, [&](const Lane&, const auto&, const auto&) { clock.Advance(seconds(1)); });
  flow.on_released = [&] { clock.Advance(seconds(20)); };
  flow.lane().windows().Add(PhasedWindow("w", StoreKind::kMultiversioned, 2));
  flow.Until(0);
  flow.Until(1);
  flow.Until(2);  // the first slice is released
  for (const auto& [at, released] : {std::pair(1, 0), std::pair(2, 20)}) {
    const Timed& advance = flow.timed[static_cast<std::size_t>(at)];
    EXPECT_EQ(advance[AdvancePhase::kOther], seconds(1)) << "the slice was handed on";
    EXPECT_EQ(advance[AdvancePhase::kReleasing], seconds(released));
    EXPECT_EQ(advance[AdvancePhase::kWaiting], seconds(0));
    EXPECT_EQ(WorkSeconds(advance.timing.phases), 1 + released);
  }
}

TEST(AdvancePhasesTest, AWindowWaitsForThoseBeforeItAndForWhoeverTakesThem) {
  ManualClock clock;
  Flow flow(clock, [&](const Lane&, const auto&, const auto&) { clock.Advance(seconds(1)); });
  flow.on_moved = [&] { clock.Advance(seconds(10)); };
  flow.lane().windows().Add(PhasedWindow("a", StoreKind::kMultiversioned, 2));
  flow.lane().windows().Add(PhasedWindow("b", StoreKind::kRebuild, 2));
  flow.Until(1);  // closes two ends at once
  ASSERT_EQ(flow.timed.size(), 4u);
  const auto waited = [&](std::size_t i) { return flow.timed[i][AdvancePhase::kWaiting]; };
  EXPECT_EQ(flow.timed[0].window, "a");
  EXPECT_EQ(waited(0), seconds(0));
  EXPECT_EQ(waited(1), seconds(10)) << "for the receiver of a";
  EXPECT_EQ(waited(2), seconds(21))
      << "for the receivers of a and b, and for the slice of their first end";
  EXPECT_EQ(waited(3), seconds(31));
  for (const Timed& advance : flow.timed) {
    EXPECT_EQ(advance.timing.due, flow.timed[0].timing.due);
    EXPECT_EQ(advance[AdvancePhase::kOther], seconds(1)) << "its slice counts in both windows";
  }
}

// The slide is two panes: the first pane closes before the window's end has passed.
TEST(AdvancePhasesTest, SlicesThatClosedBeforeTheEndWasDueAreWorkAndNoWait) {
  ManualClock clock;
  Flow flow(clock, [&](const Lane&, const auto&, const auto&) { clock.Advance(seconds(1)); });
  flow.lane().windows().Add(PhasedWindow("w", StoreKind::kMultiversioned, 4, 2));
  flow.Until(0);
  EXPECT_TRUE(flow.timed.empty());
  clock.Advance(seconds(100));
  const SteadyTime due = clock.Steady();
  flow.Until(1);
  ASSERT_EQ(flow.timed.size(), 1u);
  EXPECT_EQ(flow.timed[0].timing.due, due);
  EXPECT_EQ(flow.timed[0][AdvancePhase::kOther], seconds(2));
  EXPECT_EQ(flow.timed[0][AdvancePhase::kWaiting], seconds(0));
}

TEST(AdvancePhasesTest, AnAdvanceSaysWhenItWasDueAndWaitingIsNotWhatItTook) {
  const auto window = [](std::string name) {
    return PhasedWindow(std::move(name), StoreKind::kMultiversioned, kSecond, kSecond);
  };
  EngineHarness harness({window("a"), window("b")}, InOrder());
  harness.on_advance = [&](AdvancePtr advance) {
    harness.advances.push_back(std::move(advance));
    harness.clock.Advance(seconds(5));
  };
  harness.Start();
  const SteadyTime due = harness.clock.Steady();
  harness.Feed({{.offset = 0, .time = 0, .source = 1, .target = 2, .weight = {}},
                {.offset = 1, .time = kSecond, .source = 1, .target = 2, .weight = {}}});
  ASSERT_EQ(harness.advances.size(), 2u);
  for (const AdvancePtr& advance : harness.advances) {
    EXPECT_EQ(advance->due, due);
    EXPECT_EQ(advance->seconds, 0);
  }
  EXPECT_EQ(harness.advances[0]->phases[AdvancePhase::kWaiting], seconds(0));
  EXPECT_EQ(harness.advances[1]->phases[AdvancePhase::kWaiting], seconds(5));
}

}  // namespace
}  // namespace sash
