#include "connectors/kafka/stall_watchdog.h"

#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using std::chrono::seconds;
using Stalled = std::vector<std::size_t>;
using Partitions = std::vector<StallWatchdog::Partition>;

TEST(StallWatchdogTest, NamesASilentPartitionOncePerPatience) {
  ManualClock clock;
  StallWatchdog watchdog(seconds(60));
  const Partitions partitions = {{.position = 5, .expected = true}};
  EXPECT_EQ(watchdog.Suspects(partitions, clock.Steady()), Stalled{});
  clock.Advance(seconds(60));
  EXPECT_EQ(watchdog.Suspects(partitions, clock.Steady()), Stalled{});
  clock.Advance(seconds(1));
  EXPECT_EQ(watchdog.Suspects(partitions, clock.Steady()), Stalled{0});
  EXPECT_EQ(watchdog.Suspects(partitions, clock.Steady()), Stalled{});
  clock.Advance(seconds(61));
  EXPECT_EQ(watchdog.Suspects(partitions, clock.Steady()), Stalled{0});
}

TEST(StallWatchdogTest, ProgressOfOnePartitionDoesNotExcuseAnother) {
  ManualClock clock;
  StallWatchdog watchdog(seconds(60));
  static_cast<void>(watchdog.Suspects(Partitions{{0, true}, {0, true}}, clock.Steady()));
  clock.Advance(seconds(50));
  static_cast<void>(watchdog.Suspects(Partitions{{1, true}, {0, true}}, clock.Steady()));
  clock.Advance(seconds(11));
  EXPECT_EQ(watchdog.Suspects(Partitions{{1, true}, {0, true}}, clock.Steady()), Stalled{1});
}

TEST(StallWatchdogTest, TimeSpentPausedDoesNotCount) {
  ManualClock clock;
  StallWatchdog watchdog(seconds(60));
  static_cast<void>(watchdog.Suspects(Partitions{{0, true}}, clock.Steady()));
  clock.Advance(seconds(100));
  EXPECT_EQ(watchdog.Suspects(Partitions{{0, false}}, clock.Steady()), Stalled{});
  clock.Advance(seconds(59));
  EXPECT_EQ(watchdog.Suspects(Partitions{{0, true}}, clock.Steady()), Stalled{});
  clock.Advance(seconds(2));
  EXPECT_EQ(watchdog.Suspects(Partitions{{0, true}}, clock.Steady()), Stalled{0});
}

}  // namespace
}  // namespace sash
