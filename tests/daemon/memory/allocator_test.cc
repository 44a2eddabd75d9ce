#include "daemon/memory/allocator.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "daemon/memory/process_memory.h"

namespace sash {
namespace {

constexpr std::size_t kBlock = 64 << 20;

TEST(AllocatorTest, KnowsWhatItHandedOut) {
  const std::optional<std::uint64_t> before = AllocatedMemory();
  if (!before) GTEST_SKIP() << "a sanitizer's allocator reports no sizes";
  std::vector<char> block(kBlock, 'x');
  EXPECT_GE(*AllocatedMemory(), *before + kBlock);
  EXPECT_EQ(block.back(), 'x');
  block = std::vector<char>();
  EXPECT_LT(*AllocatedMemory(), *before + kBlock);
}

TEST(AllocatorTest, GivesIdleMemoryBackToTheKernel) {
  if (!AllocatedMemory()) GTEST_SKIP() << "sanitizers keep what was freed";
  const std::uint64_t before = UsedMemory();
  {
    std::vector<std::vector<char>> blocks;
    for (int i = 0; i < 1000; ++i) blocks.emplace_back(kBlock / 1000, 'x');
  }
  ReleaseIdleMemory();
  EXPECT_LT(UsedMemory(), before + kBlock / 2);
}

TEST(AllocatorTest, KeepsWhatIsIdleUntilItIsReleased) {
  if (!IdleMemory()) GTEST_SKIP() << "the allocator is not jemalloc";
  ReleaseIdleMemory();
  const std::uint64_t before = *IdleMemory();
  {
    const std::vector<char> block(kBlock, 'x');
    EXPECT_EQ(block.back(), 'x');
  }
  EXPECT_GE(*IdleMemory(), before + kBlock);
  ReleaseIdleMemory();
  EXPECT_LT(*IdleMemory(), before + kBlock);
}

TEST(AllocatorTest, WarmMemoryIsIdleAndResident) {
  if (!IdleMemory()) GTEST_SKIP() << "the allocator is not jemalloc";
  ReleaseIdleMemory();
  const std::uint64_t before = UsedMemory();
  WarmMemory(kBlock, kBlock);
  EXPECT_GE(*RoomyIdleMemory(), kBlock);
  EXPECT_GE(UsedMemory(), before + kBlock / 10 * 9);
}

TEST(AllocatorTest, WhatIsInPiecesIsNotRoomy) {
  if (!RoomyIdleMemory()) GTEST_SKIP() << "the allocator is not jemalloc";
  ReleaseIdleMemory();
  std::vector<std::unique_ptr<char[]>> pieces;
  for (std::size_t i = 0; i < kBlock >> 14; ++i)
    pieces.push_back(std::make_unique<char[]>(1 << 14));
  for (std::size_t i = 0; i < pieces.size(); i += 2) pieces[i].reset();
  EXPECT_GE(*IdleMemory(), kBlock / 4);
  EXPECT_LT(*RoomyIdleMemory(), kBlock / 16);
  pieces.clear();
  EXPECT_GE(*RoomyIdleMemory(), kBlock / 2);
}

TEST(AllocatorTest, WarmingGoesOnWhereItStopped) {
  if (!IdleMemory()) GTEST_SKIP() << "the allocator is not jemalloc";
  ReleaseIdleMemory();
  WarmMemory(kBlock, kBlock / 8);
  EXPECT_LT(*IdleMemory(), kBlock / 2) << "one call warms only its step";
  for (int i = 0; i < 16; ++i) WarmMemory(kBlock, kBlock / 8);
  EXPECT_GE(*IdleMemory(), kBlock);
  EXPECT_LT(*IdleMemory(), kBlock * 2) << "idle memory is not warmed again";
}

}  // namespace
}  // namespace sash
