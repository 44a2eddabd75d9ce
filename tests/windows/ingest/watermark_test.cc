#include "windows/ingest/watermark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <ratio>

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
  EXPECT_FALSE(watermark.Advance(Steady(0), At(0)).has_value()) << "partition 1 has no event yet";
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
  EXPECT_FALSE(watermark.Advance(Steady(100), At(0)).has_value()) << "silent, but not caught up";
  watermark.CaughtUp(1);
  EXPECT_EQ(watermark.Advance(Steady(100), At(0)), At(98));
  watermark.Behind(1);
  watermark.Observe(0, At(200), Steady(100));
  EXPECT_EQ(watermark.Advance(Steady(100), At(0)), At(98))
      << "partition 1 holds the watermark back again";
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

// The watermark by its definition, computed from scratch after every event.
class PlainWatermark {
 public:
  explicit PlainWatermark(const TimePolicy& policy) : policy_(policy) {}

  struct Partition {
    std::optional<EventTime> newest;
    SteadyTime heard;
    bool caught_up = false;
  };
  static constexpr PartitionIndex kPartitions = 4;
  std::array<Partition, kPartitions> partitions;

  std::optional<EventTime> Advance(SteadyTime now) {
    std::optional<EventTime> least;
    for (const Partition& partition : partitions) {
      if (partition.caught_up && now - partition.heard >= policy_.idle_after) continue;
      if (!partition.newest) return current_;
      const EventTime passed = *partition.newest - policy_.disorder;
      least = std::min(least.value_or(passed), passed);
    }
    if (least) current_ = std::max(current_.value_or(*least), *least);
    return current_;
  }

 private:
  const TimePolicy policy_;
  std::optional<EventTime> current_;
};

TEST(WatermarkTest, IsWorkedOutBeforeItReachesWhatIsDueAndSeldomElse) {
  std::size_t events = 0;
  std::size_t advances = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto draw = [&](int limit) { return std::uniform_int_distribution(0, limit)(random); };
    Watermark watermark(Policy());
    PlainWatermark plain(Policy());
    for (PartitionIndex p = 0; p < PlainWatermark::kPartitions; ++p) {
      watermark.Assign(p, std::nullopt, Steady(0));
      plain.partitions[p].heard = Steady(0);
    }
    int second = 0;
    using Pane = std::chrono::duration<std::int64_t, std::ratio<10>>;
    EventTime due = EventTime::min();
    for (int step = 0; step < 400; ++step) {
      const auto p = static_cast<PartitionIndex>(draw(PlainWatermark::kPartitions - 1));
      PlainWatermark::Partition& partition = plain.partitions[p];
      const int what = draw(40);
      if (what == 0) {
        watermark.CaughtUp(p);
        partition.caught_up = true;
      } else if (what == 1) {
        watermark.Behind(p);
        partition.caught_up = false;
      } else if (what == 2) {
        second += draw(12);
      } else if (what == 3) {
        watermark.Heard(p, Steady(second));
        partition.heard = Steady(second);
        partition.caught_up = false;
      } else {
        // Each partition has its own pace, and sometimes goes back, so that the slowest partition
        // changes.
        const EventTime time = At(step * (what % 3 + 1) / 2 - draw(9));
        ++events;
        if (watermark.Observe(p, time, Steady(second), due)) {
          ++advances;
          watermark.Advance(Steady(second), At(0));
        }
        partition.heard = Steady(second);
        partition.caught_up = false;
        partition.newest = std::max(partition.newest.value_or(time), time);
      }
      if (what <= 3) watermark.Advance(Steady(second), At(0));
      const std::optional<EventTime> expected = plain.Advance(Steady(second));
      if (what <= 3) {
        ASSERT_EQ(watermark.Current(), expected) << "step " << step;
      }
      ASSERT_EQ(watermark.Current().has_value(), expected.has_value()) << "step " << step;
      if (!expected) continue;
      const auto pane = [](EventTime time) { return std::chrono::floor<Pane>(time); };
      ASSERT_EQ(pane(*watermark.Current()), pane(*expected)) << "step " << step;
      due = pane(*expected) + Pane(1);
    }
  }
  EXPECT_LT(advances, events / 2);
}

}  // namespace
}  // namespace sash
