#include "connectors/kafka/drift_control.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

namespace sash {
namespace {

using std::chrono::seconds;
using Places = std::vector<std::size_t>;

EventTime AtSecond(std::int64_t second) { return EventTime(seconds(second)); }

DriftControl::Partition Active(std::int64_t second) { return {.newest = AtSecond(second)}; }
DriftControl::Partition Paused(std::int64_t second) {
  return {.newest = AtSecond(second), .paused = true};
}

TEST(DriftControlTest, PausesOnlyWhatIsFurtherAheadThanAllowed) {
  DriftControl control(seconds(60));
  const std::vector partitions = {Active(100), Active(160), Active(161)};
  EXPECT_EQ(control.Decide(partitions, 0).pause, Places{2});
}

TEST(DriftControlTest, ResumesAtHalfTheDrift) {
  DriftControl control(seconds(60));
  EXPECT_TRUE(control.Decide(std::vector{Active(100), Paused(131)}, 0).resume.empty());
  EXPECT_EQ(control.Decide(std::vector{Active(101), Paused(131)}, 0).resume, Places{1});
}

TEST(DriftControlTest, NeverPausesTheSlowestAndResumesItWhenItIsPaused) {
  DriftControl control(seconds(60), 10);
  const auto verdict = control.Decide(std::vector{Paused(100), Active(500)}, 1000);
  EXPECT_EQ(verdict.resume, Places{0});
  EXPECT_EQ(verdict.pause, Places{1});
  EXPECT_TRUE(control.Decide(std::vector{Active(100)}, 1000).pause.empty());
}

TEST(DriftControlTest, IdlePartitionHoldsNobodyBack) {
  DriftControl control(seconds(60));
  const DriftControl::Partition idle = {.newest = AtSecond(0), .caught_up = true, .idle = true};
  EXPECT_TRUE(control.Decide(std::vector{idle, Active(1000)}, 0).pause.empty());
  EXPECT_EQ(control.Decide(std::vector{idle, Paused(1000)}, 0).resume, Places{1});
}

TEST(DriftControlTest, CaughtUpPartitionThatIsNotYetIdleHoldsTheOthersBack) {
  DriftControl control(seconds(60));
  const DriftControl::Partition at_end = {.newest = AtSecond(0), .caught_up = true};
  EXPECT_EQ(control.Decide(std::vector{at_end, Active(1000)}, 0).pause, Places{1});
}

TEST(DriftControlTest, CaughtUpPartitionIsNotPaused) {
  DriftControl control(seconds(60));
  const DriftControl::Partition ahead = {.newest = AtSecond(1000), .caught_up = true};
  EXPECT_TRUE(control.Decide(std::vector{Active(0), ahead}, 0).pause.empty());
}

TEST(DriftControlTest, OneThatIsAwaitedIsNotPausedAndIsResumedHoweverFarAhead) {
  DriftControl control(seconds(60));
  DriftControl::Partition awaited = {.newest = AtSecond(1000), .awaited = true};
  EXPECT_TRUE(control.Decide(std::vector{Active(0), awaited}, 0).pause.empty());
  awaited.paused = true;
  EXPECT_EQ(control.Decide(std::vector{Active(0), awaited}, 0).resume, Places{1});
  EXPECT_EQ(control.Decide(std::vector{awaited, Active(2000)}, 0).pause, Places{1})
      << "the awaited partition is the slowest one";
  // Even the slowest partition waits while records of others are needed first.
  DriftControl::Partition early = {.newest = AtSecond(0), .early = true};
  EXPECT_EQ(control.Decide(std::vector{early, awaited}, 0).pause, Places{0});
  early.paused = true;
  EXPECT_EQ(control.Decide(std::vector{early, awaited}, 0).resume, Places{1});
}

TEST(DriftControlTest, SilentPartitionCountsAsTheFirstTimeSeen) {
  DriftControl control(seconds(60));
  const DriftControl::Partition silent;
  EXPECT_TRUE(control.Decide(std::vector{silent, Active(100)}, 0).pause.empty());
  EXPECT_TRUE(control.Decide(std::vector{silent, Active(160)}, 0).pause.empty());
  EXPECT_EQ(control.Decide(std::vector{silent, Active(161)}, 0).pause, Places{1});
}

TEST(DriftControlTest, OpenEventsBeyondTheCreditNarrowTheDriftUntilAQuarterIsGone) {
  DriftControl control(seconds(80), 1000);
  const std::vector partitions = {Active(100), Active(111)};
  EXPECT_TRUE(control.Decide(partitions, 1000).pause.empty());
  EXPECT_EQ(control.Decide(partitions, 1001).pause, Places{1});
  EXPECT_EQ(control.Decide(partitions, 751).pause, Places{1});
  EXPECT_TRUE(control.Decide(partitions, 750).pause.empty());
}

TEST(DriftControlTest, SurvivesTimesFarApart) {
  DriftControl control(seconds(60));
  const DriftControl::Partition first = {
      .newest = EventTime(Duration(std::numeric_limits<std::int64_t>::min()))};
  const DriftControl::Partition last = {
      .newest = EventTime(Duration(std::numeric_limits<std::int64_t>::max()))};
  EXPECT_EQ(control.Decide(std::vector{first, last}, 0).pause, Places{1});
}

}  // namespace
}  // namespace sash
