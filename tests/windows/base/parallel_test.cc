#include "windows/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <vector>

namespace sash {
namespace {

TEST(ParallelTest, APairIsCalledOnceEachWhetherItIsWorthAThreadOrNot) {
  for (const bool worth_it : {false, true}) {
    std::atomic<int> first = 0;
    std::atomic<int> second = 0;
    ParallelPair(
        worth_it, [&] { ++first; }, [&] { ++second; });
    EXPECT_EQ(first, 1) << worth_it;
    EXPECT_EQ(second, 1) << worth_it;
  }
}

TEST(ParallelTest, WhatAPairWroteIsThereWhenItReturns) {
  std::vector<int> left(100'000);
  std::vector<int> right(100'000);
  for (int round = 1; round <= 50; ++round) {
    ParallelPair(
        true, [&] { left.assign(left.size(), round); }, [&] { right.assign(right.size(), round); });
    ASSERT_EQ(left.back(), round);
    ASSERT_EQ(right.back(), round);
  }
}

TEST(ParallelTest, BlocksCoverEverythingOnceAndSumsAreFoldedInTheirOrder) {
  constexpr std::size_t kCount = 1003;
  std::vector<int> seen(kCount);
  ParallelBlocks(kCount, 10, 2, [&](std::size_t block, std::size_t begin, std::size_t end) {
    EXPECT_EQ(begin, block * 10);
    for (std::size_t i = begin; i < end; ++i) ++seen[i];
  });
  EXPECT_EQ(seen, std::vector<int>(kCount, 1));
  const auto tenths = [](std::size_t begin, std::size_t end) {
    return 0.1 * static_cast<double>(end - begin);
  };
  EXPECT_EQ(ParallelSum<double>(kCount, 10, 1, tenths), ParallelSum<double>(kCount, 10, 2, tenths));
}

}  // namespace
}  // namespace sash
