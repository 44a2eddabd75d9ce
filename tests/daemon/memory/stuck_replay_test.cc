#include "daemon/memory/stuck_replay.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

using std::chrono::seconds;

class StuckReplayTest : public ::testing::Test {
 protected:
  // A second passes, in which the idle engine runs its rounds.
  bool Pass() {
    now_ += seconds(1);
    standing_.rounds += 20;
    return replay_.Observe(standing_, now_);
  }
  // Whether it is reported stuck within half a minute.
  bool IsFoundStuck() {
    for (int i = 0; i < 30; ++i) {
      if (Pass()) return true;
    }
    return false;
  }

  ReplayStanding standing_{
      .held = true, .queue_empty = true, .events = 10, .slices = 2, .runs = 3, .used_bytes = 1000};
  StuckReplay replay_;
  SteadyTime now_{};
};

TEST_F(StuckReplayTest, IsStuckWhenNothingHappensForAWhile) {
  EXPECT_FALSE(Pass());
  EXPECT_FALSE(Pass());
  EXPECT_TRUE(IsFoundStuck());
}

TEST_F(StuckReplayTest, IsNotStuckWhileItReads) {
  standing_.held = false;
  EXPECT_FALSE(IsFoundStuck());
}

TEST_F(StuckReplayTest, IsNotStuckWhileBatchesOrRunsAreUnderWay) {
  standing_.jobs_busy = true;
  EXPECT_FALSE(IsFoundStuck());
  standing_.jobs_busy = false;
  standing_.queue_empty = false;
  EXPECT_FALSE(IsFoundStuck());
}

TEST_F(StuckReplayTest, EverythingThatHappensBeginsTheWaitAnew) {
  for (int i = 0; i < 30; ++i) {
    switch (i % 4) {
      case 0:
        ++standing_.events;
        break;
      case 1:
        ++standing_.slices;
        break;
      case 2:
        ++standing_.runs;
        break;
      default:
        standing_.used_bytes -= standing_.used_bytes / 20;
    }
    EXPECT_FALSE(Pass());
    EXPECT_FALSE(Pass());
  }
  EXPECT_TRUE(IsFoundStuck());
}

TEST_F(StuckReplayTest, IsNotStuckWhileTheEngineWorksOnSomething) {
  for (int i = 0; i < 30; ++i) {
    now_ += seconds(1);
    EXPECT_FALSE(replay_.Observe(standing_, now_));
  }
}

}  // namespace
}  // namespace sash
