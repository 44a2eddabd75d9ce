#include "connectors/kafka/commit_lane.h"

#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"

namespace sash {
namespace {

RewindPoint Point(std::int64_t offset) {
  RewindPoint point;
  point.positions.push_back({.partition = 0, .offset = offset, .newest_before = {}});
  return point;
}

TEST(CommitLaneTest, OnlyTheNewestFollowsTheOneInFlight) {
  ManualClock clock;
  CommitLane lane;
  EXPECT_EQ(lane.Take(clock.Steady()), std::nullopt);
  lane.Offer(Point(1));
  EXPECT_EQ(lane.Take(clock.Steady()), Point(1));
  lane.Offer(Point(2));
  lane.Offer(Point(3));
  EXPECT_EQ(lane.Take(clock.Steady()), std::nullopt);
  lane.Finished(true, clock.Steady());
  EXPECT_EQ(lane.Take(clock.Steady()), Point(3));
  lane.Finished(true, clock.Steady());
  EXPECT_EQ(lane.Take(clock.Steady()), std::nullopt);
}

TEST(CommitLaneTest, FailedPointIsSentAgainAfterAPause) {
  ManualClock clock;
  CommitLane lane;
  lane.Offer(Point(1));
  EXPECT_EQ(lane.Take(clock.Steady()), Point(1));
  lane.Finished(false, clock.Steady());
  EXPECT_EQ(lane.Take(clock.Steady()), std::nullopt);
  clock.Advance(CommitLane::kRetryAfter);
  EXPECT_EQ(lane.Take(clock.Steady()), Point(1));
}

TEST(CommitLaneTest, FailedPointDoesNotReplaceANewerOne) {
  ManualClock clock;
  CommitLane lane;
  lane.Offer(Point(1));
  EXPECT_EQ(lane.Take(clock.Steady()), Point(1));
  lane.Offer(Point(2));
  lane.Finished(false, clock.Steady());
  EXPECT_EQ(lane.TakeLast(), Point(2));
}

}  // namespace
}  // namespace sash
