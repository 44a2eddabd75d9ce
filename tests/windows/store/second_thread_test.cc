#include "windows/store/second_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace sash {
namespace {

TEST(SecondThreadTest, BothAreCalledOnceWhetherItIsWorthAThreadOrNot) {
  SecondThread other;
  for (const bool worth_it : {false, true, true, false, true}) {
    int first = 0;
    int second = 0;
    std::thread::id where;
    other.CallBoth(
        worth_it, [&] { ++first; },
        [&] {
          ++second;
          where = std::this_thread::get_id();
        });
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 1);
    EXPECT_EQ(where != std::this_thread::get_id(), worth_it);
  }
}

TEST(SecondThreadTest, WhatBothWroteIsThereWhenTheyReturn) {
  SecondThread other;
  std::vector<int> left(10'000);
  std::vector<int> right(10'000);
  for (int round = 1; round <= 500; ++round) {
    other.CallBoth(
        true, [&] { left.assign(left.size(), round); }, [&] { right.assign(right.size(), round); });
    ASSERT_EQ(left.back(), round);
    ASSERT_EQ(right.back(), round);
  }
}

TEST(SecondThreadTest, ItComesBackFromSleepAndEndsAsleep) {
  SecondThread other;
  int calls = 0;
  for (int i = 0; i < 3; ++i) {
    other.CallBoth(
        true, [] {}, [&] { ++calls; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace sash
