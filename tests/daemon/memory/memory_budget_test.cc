#include "daemon/memory/memory_budget.h"

#include <gtest/gtest.h>

#include "tests/daemon/memory/byte_units.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using enum MemoryState;

using testing::kMebibyte;

class MemoryBudgetTest : public ::testing::Test {
 protected:
  MemoryBudget::Verdict At(double percent, milliseconds later = milliseconds(20)) {
    now_ += later;
    return budget_.Observe(static_cast<std::uint64_t>(1000 * kMebibyte * percent / 100), now_);
  }

  MemoryBudget budget_{1000 * kMebibyte};
  SteadyTime now_{};
};

TEST_F(MemoryBudgetTest, ReadingIsAtFullSpeedBelowFourFifths) {
  EXPECT_EQ(At(0).state, kNormal);
  EXPECT_EQ(At(79.9).state, kNormal);
  EXPECT_EQ(At(79.9).pause, milliseconds(0));
}

TEST_F(MemoryBudgetTest, ThePauseGrowsWithTheExcess) {
  milliseconds last(0);
  for (double percent = 80.5; percent < 95; percent += 1) {
    const MemoryBudget::Verdict verdict = At(percent);
    EXPECT_EQ(verdict.state, kSlowed) << percent;
    EXPECT_GT(verdict.pause, last) << percent;
    last = verdict.pause;
  }
  EXPECT_LE(last, MemoryBudget::kLongestPause);
  EXPECT_GT(last, MemoryBudget::kLongestPause / 2);
}

TEST_F(MemoryBudgetTest, IsFullFromNinetyFivePercentOnAtOnce) {
  EXPECT_EQ(At(95.1).state, kFull);
  EXPECT_EQ(At(300).state, kFull);
}

TEST_F(MemoryBudgetTest, FullIsLeftOnceTheUseStaysBelow) {
  ASSERT_EQ(At(95.1).state, kFull);
  EXPECT_EQ(At(94.5, milliseconds(10'000)).state, kFull) << "not far enough below";
  EXPECT_EQ(At(90).state, kFull) << "the use has only just fallen";
  EXPECT_EQ(At(95.1).state, kFull);
  EXPECT_EQ(At(90, MemoryBudget::kSettle).state, kFull) << "the time below starts again";
  EXPECT_EQ(At(90, MemoryBudget::kSettle).state, kSlowed);
}

TEST_F(MemoryBudgetTest, MayFallFromFullToFullSpeed) {
  ASSERT_EQ(At(99).state, kFull);
  EXPECT_EQ(At(10).state, kFull);
  EXPECT_EQ(At(10, MemoryBudget::kSettle).state, kNormal);
}

TEST_F(MemoryBudgetTest, SlowedIsLeftALittleBelowWhereItWasEntered) {
  ASSERT_EQ(At(80.1).state, kSlowed);
  EXPECT_EQ(At(78.5).state, kSlowed);
  EXPECT_EQ(At(78.5).pause, milliseconds(0));
  EXPECT_EQ(At(77.9).state, kNormal);
  EXPECT_EQ(At(78.5).state, kNormal);
}

}  // namespace
}  // namespace sash
