#include "windows/ingest/watermark.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

using std::chrono::seconds;

EventTime At(int second) { return EventTime(seconds(second)); }
SteadyTime Steady(int second) { return SteadyTime(seconds(second)); }

TimePolicy Policy(SilencePolicy on_silence = SilencePolicy::kHold) {
  TimePolicy policy;
  policy.disorder = seconds(2);
  policy.idle_after = seconds(10);
  policy.on_silence = on_silence;
  return policy;
}

TEST(WatermarkTest, IsTheLeastOfWhatPartitionsHavePassed) {
  Watermark watermark(Policy());
  watermark.Assign(0, std::nullopt, Steady(0));
  watermark.Assign(1, std::nullopt, Steady(0));
  watermark.Observe(0, At(100), Steady(0));
  EXPECT_FALSE(watermark.Advance(Steady(0), At(0)).has_value()) << "partition 1 has not spoken";
  watermark.Observe(1, At(50), Steady(0));
  EXPECT_EQ(watermark.Advance(Steady(0), At(0)), At(48));
  watermark.Observe(1, At(200), Steady(0));
  EXPECT_EQ(watermark.Advance(Steady(0), At(0)), At(98));
}

TEST(WatermarkTest, NeverFalls) {
  Watermark watermark(Policy());
  watermark.Assign(0, std::nullopt, Steady(0));
  watermark.Observe(0, At(100), Steady(0));
  EXPECT_EQ(watermark.Advance(Steady(0), At(0)), At(98));
  watermark.Assign(1, std::nullopt, Steady(0));
  watermark.Observe(1, At(10), Steady(0));
  EXPECT_EQ(watermark.Advance(Steady(0), At(0)), At(98));
}

TEST(WatermarkTest, OnlyACaughtUpPartitionBecomesIdle) {
  Watermark watermark(Policy());
  watermark.Assign(0, std::nullopt, Steady(0));
  watermark.Assign(1, std::nullopt, Steady(0));
  watermark.Observe(0, At(100), Steady(100));
  EXPECT_FALSE(watermark.Advance(Steady(100), At(0)).has_value()) << "silent, but it may lag";
  watermark.CaughtUp(1);
  EXPECT_EQ(watermark.Advance(Steady(100), At(0)), At(98));
  watermark.Behind(1);
  watermark.Observe(0, At(200), Steady(100));
  EXPECT_EQ(watermark.Advance(Steady(100), At(0)), At(98)) << "it holds again";
}

TEST(WatermarkTest, ARefusedRecordIsASignOfLife) {
  Watermark watermark(Policy());
  watermark.Assign(0, std::nullopt, Steady(0));
  watermark.CaughtUp(0);
  watermark.Heard(0, Steady(9));
  watermark.CaughtUp(0);
  EXPECT_FALSE(watermark.IsIdle(0, Steady(18)));
  EXPECT_TRUE(watermark.IsIdle(0, Steady(19)));
}

TEST(WatermarkTest, WhenAllAreIdleItHolds) {
  Watermark watermark(Policy());
  watermark.Assign(0, std::nullopt, Steady(0));
  watermark.Observe(0, At(100), Steady(0));
  watermark.CaughtUp(0);
  EXPECT_EQ(watermark.Advance(Steady(1000), At(1000)), std::nullopt);
  watermark.Observe(0, At(101), Steady(1001));
  watermark.CaughtUp(0);
  EXPECT_EQ(watermark.Advance(Steady(1001), At(1001)), At(99));
  EXPECT_EQ(watermark.Advance(Steady(2000), At(2000)), At(99));
}

TEST(WatermarkTest, WhenAllAreIdleItMayFollowTheClock) {
  Watermark watermark(Policy(SilencePolicy::kClock));
  watermark.Assign(0, std::nullopt, Steady(0));
  watermark.Observe(0, At(100), Steady(0));
  watermark.CaughtUp(0);
  EXPECT_EQ(watermark.Advance(Steady(1), At(101)), At(98)) << "not idle yet";
  EXPECT_EQ(watermark.Advance(Steady(10), At(110)), At(108));
}

}  // namespace
}  // namespace sash
