#include "daemon/memory/memory_tending.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/daemon/memory/byte_units.h"

namespace sash {
namespace {

using Action = MemoryTending::Action;
using std::chrono::seconds;

using testing::kGibibyte;
using testing::kMebibyte;
constexpr std::uint64_t kEnough = std::numeric_limits<std::uint64_t>::max();

class MemoryTendingTest : public ::testing::Test {
 protected:
  Action After(Duration time, std::uint64_t idle, std::uint64_t room = kEnough) {
    now_ += time;
    return tending_
        .Observe({.allocated = kGibibyte, .idle = idle, .roomy = idle, .room = room}, now_)
        .action;
  }

  const std::uint64_t least_ = MemoryTending::Least(kGibibyte);
  const std::uint64_t most_ = MemoryTending::Most(kGibibyte);
  const seconds nearly_for_long_ = MemoryTending::SurplusAfter(kGibibyte) - seconds(1);
  MemoryTending tending_;
  SteadyTime now_{};
};

TEST_F(MemoryTendingTest, TooLittleIsFilledUp) {
  EXPECT_EQ(After(seconds(1), least_ - 1), Action::kWarm);
  EXPECT_EQ(After(seconds(1), least_), Action::kNone);
}

TEST_F(MemoryTendingTest, WhatIsInPiecesDoesNotCount) {
  const auto observe = [&](std::uint64_t roomy) {
    return tending_
        .Observe({.allocated = kGibibyte, .idle = most_, .roomy = roomy, .room = kEnough}, now_)
        .action;
  };
  EXPECT_EQ(observe(least_ - 1), Action::kWarm);
  EXPECT_EQ(observe(least_), Action::kNone);
}

TEST_F(MemoryTendingTest, NothingIsFilledUpWhereThereIsNoRoom) {
  EXPECT_EQ(After(seconds(1), 0, least_ - 1), Action::kNone);
  EXPECT_EQ(After(seconds(1), 0, least_), Action::kWarm);
}

TEST_F(MemoryTendingTest, ASmallProcessStaysSmall) {
  EXPECT_EQ(MemoryTending::Least(100 * kMebibyte), 0u);
  EXPECT_LE(MemoryTending::Most(100 * kMebibyte), 50 * kMebibyte);
  EXPECT_LT(MemoryTending::SurplusAfter(100 * kMebibyte), MemoryTending::SurplusAfter(kGibibyte));
}

TEST_F(MemoryTendingTest, HugePagesAreForLargeProcessesWithRoom) {
  const auto huge_pages = [&](std::uint64_t allocated, std::uint64_t room) {
    return tending_.Observe({.allocated = allocated, .idle = 0, .roomy = 0, .room = room}, now_)
        .huge_pages;
  };
  EXPECT_FALSE(huge_pages(100 * kMebibyte, kEnough));
  EXPECT_TRUE(huge_pages(200 * kMebibyte, kEnough));
  EXPECT_TRUE(huge_pages(200 * kMebibyte, 20 * kMebibyte));
  EXPECT_FALSE(huge_pages(200 * kMebibyte, kMebibyte));
}

TEST_F(MemoryTendingTest, WhatIsTooMuchForLongIsGivenBack) {
  EXPECT_EQ(After(seconds(1), most_ + 1), Action::kNone);
  EXPECT_EQ(After(nearly_for_long_, most_ + 1), Action::kNone);
  EXPECT_EQ(After(seconds(1), most_ + 1), Action::kRelease);
  EXPECT_EQ(After(seconds(1), most_ + 1), Action::kNone) << "the next release takes as long again";
}

TEST_F(MemoryTendingTest, WhatIsNeededNowAndThenIsKept) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(After(nearly_for_long_, most_ + 1), Action::kNone);
    EXPECT_EQ(After(nearly_for_long_, most_), Action::kNone);
  }
}

TEST_F(MemoryTendingTest, LeastIsFarFromMost) {
  for (std::uint64_t allocated = 1; allocated < 1024 * kGibibyte; allocated *= 2) {
    EXPECT_LE(2 * MemoryTending::Least(allocated), MemoryTending::Most(allocated));
  }
}

}  // namespace
}  // namespace sash
