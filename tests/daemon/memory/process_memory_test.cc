#include "daemon/memory/process_memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace sash {
namespace {

constexpr std::size_t kBlock = 64 << 20;

TEST(ProcessMemoryTest, UseGrowsWithWhatIsWrittenTo) {
  const std::uint64_t before = UsedMemory();
  EXPECT_GT(before, 0u);
  const std::vector<char> block(kBlock, 'x');
  EXPECT_GE(UsedMemory(), before + kBlock / 10 * 9);
  EXPECT_EQ(block.back(), 'x');
}

TEST(ProcessMemoryTest, TheAllocatorKnowsWhatItHandedOut) {
  const std::optional<std::uint64_t> before = AllocatedMemory();
  if (!before) GTEST_SKIP() << "under a sanitizer the allocator does not tell";
  std::vector<char> block(kBlock, 'x');
  EXPECT_GE(*AllocatedMemory(), *before + kBlock);
  EXPECT_EQ(block.back(), 'x');
  block = std::vector<char>();
  EXPECT_LT(*AllocatedMemory(), *before + kBlock);
}

TEST(ProcessMemoryTest, WhatWasFreedGoesBackToTheKernel) {
  if (!AllocatedMemory()) GTEST_SKIP() << "sanitizers keep what was freed";
  const std::uint64_t before = UsedMemory();
  {
    std::vector<std::vector<char>> blocks;
    for (int i = 0; i < 1000; ++i) blocks.emplace_back(kBlock / 1000, 'x');
  }
  ReleaseFreeMemory();
  EXPECT_LT(UsedMemory(), before + kBlock / 2);
}

}  // namespace
}  // namespace sash
