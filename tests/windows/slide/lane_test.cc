// Windows of a lane share stores, and each slice is released once.
#include "windows/slide/lane.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/manual_clock.h"

namespace sash {
namespace {

class LaneTest : public ::testing::Test, public MoveListener {
 protected:
  static WindowSpec Window(std::string name, std::optional<std::int64_t> length,
                           DuplicatesPolicy duplicates = DuplicatesPolicy::kKeep) {
    return {.name = std::move(name),
            .length = length,
            .slide = 1,
            .duplicates = duplicates,
            .implementation = StoreKind::kRebuild};
  }

  // Adds an edge at every position up to `last`, and moves all windows.
  void FlowUntil(Position last) {
    for (; next_ <= last; ++next_) {
      lane_.slicer().Add(next_, {.time = EventTime(Duration(next_)), .offset = next_, .target = 1},
                         static_cast<std::uint64_t>(next_), EventTime(Duration(next_ - 1)));
      lane_.CloseUntil(next_ + 1, {ranks_, 2, clock_, *this});
    }
  }

  bool OnMoved(const Lane&, Lane::Member& member, SlidingWindow::Moved moved,
               const Timing&) override {
    moved_.emplace_back(member.window.spec().name, moved.published.edges);
    return true;
  }

  const std::vector<std::uint32_t> ranks_ = {0};
  ManualClock clock_;
  Position next_ = 0;
  std::vector<Position> released_;
  std::vector<std::pair<std::string, std::uint64_t>> moved_;
  Lane lane_{WindowAxis::kEventTime, 1,
             [this](const RetainedSlice& slice) { released_.push_back(slice.begin); }};
};

TEST_F(LaneTest, ASliceIsReleasedOnceWhenTheLongestWindowLetsGo) {
  lane_.windows().Add(Window("short", 2));
  lane_.windows().Add(Window("long", 5));
  FlowUntil(7);
  EXPECT_EQ(released_, (std::vector<Position>{0, 1, 2}));
  lane_.windows().Remove("long");
  EXPECT_EQ(released_, (std::vector<Position>{0, 1, 2, 3, 4, 5}));
  lane_.windows().Remove("short");
  EXPECT_EQ(released_, (std::vector<Position>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(LaneTest, TheRewindPositionIsThatOfTheOldestSliceRetained) {
  lane_.windows().Add(Window("short", 2));
  lane_.windows().Add(Window("long", 5));
  FlowUntil(7);
  const auto first = [&] { return lane_.Rewind().first.at(0); };
  EXPECT_EQ(first(), (RewindPosition{0, 3, EventTime(Duration(2))}));
  lane_.windows().Remove("long");
  EXPECT_EQ(first(), (RewindPosition{0, 6, EventTime(Duration(5))}));
}

TEST_F(LaneTest, WindowsOfEqualSpecShareAStoreAndOthersHaveTheirOwn) {
  lane_.windows().Add(Window("a", 2));
  lane_.windows().Add(Window("b", 5));
  lane_.windows().Add(Window("c", 5, DuplicatesPolicy::kDrop));
  FlowUntil(9);
  const std::vector<StoreStatus> stores = lane_.Stores();
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_EQ(stores[0].windows, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(stores[1].windows, (std::vector<std::string>{"c"}));
  EXPECT_EQ(stores[0].memory.events, stores[1].memory.events) << "each store has five slices";
  EXPECT_EQ(lane_.members()[0].bytes(), stores[0].memory.events)
      << "each window reports all bytes of a shared store";
  EXPECT_EQ(lane_.members()[1].bytes(), stores[0].memory.events);
  lane_.windows().Remove("c");
  EXPECT_EQ(lane_.Stores().size(), 1u);
}

TEST_F(LaneTest, AWindowThatJoinsAnEqualOneSharesWhatThatRetains) {
  lane_.windows().Add(Window("a", 4));
  FlowUntil(9);
  lane_.windows().Add(Window("b", 3));
  lane_.windows().Add(Window("c", 50));
  moved_.clear();
  FlowUntil(10);
  EXPECT_EQ(moved_,
            (std::vector<std::pair<std::string, std::uint64_t>>{{"a", 4}, {"b", 3}, {"c", 5}}));
  EXPECT_EQ(lane_.Stores().size(), 1u);
}

TEST_F(LaneTest, TheFirstWindowOfItsSpecBeginsWithTheSlicesThatAnotherStoreKeeps) {
  lane_.windows().Add(Window("a", 4));
  FlowUntil(9);
  WindowSpec multiversioned = Window("m", 3);
  multiversioned.implementation = StoreKind::kMultiversioned;
  lane_.windows().Add(Window("d", 3, DuplicatesPolicy::kDrop));
  lane_.windows().Add(multiversioned);
  moved_.clear();
  FlowUntil(10);
  EXPECT_EQ(moved_,
            (std::vector<std::pair<std::string, std::uint64_t>>{{"a", 4}, {"d", 1}, {"m", 3}}));
}

}  // namespace
}  // namespace sash
