#include "windows/base/allocated_bytes.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

// The size classes in jemalloc's manual.
TEST(AllocatedBytesTest, RoundsUpToTheClassesOfTheAllocator) {
  EXPECT_EQ(AllocatedBytes(0), 0u);
  EXPECT_EQ(AllocatedBytes(1), 8u);
  EXPECT_EQ(AllocatedBytes(9), 16u);
  EXPECT_EQ(AllocatedBytes(100), 112u);
  EXPECT_EQ(AllocatedBytes(129), 160u);
  EXPECT_EQ(AllocatedBytes(257), 320u);
  EXPECT_EQ(AllocatedBytes(480), 512u);
  EXPECT_EQ(AllocatedBytes(4097), 5u << 10);
  EXPECT_EQ(AllocatedBytes(66'000), 80u << 10);
  EXPECT_EQ(AllocatedBytes((1u << 20) + 1), 1280u << 10);
}

TEST(AllocatedBytesTest, AClassIsTakenAsItIs) {
  for (std::size_t doubling = 128; doubling < std::size_t{1} << 40; doubling *= 2) {
    for (std::size_t quarter = 4; quarter < 8; ++quarter) {
      EXPECT_EQ(AllocatedBytes(doubling / 4 * quarter), doubling / 4 * quarter);
    }
  }
}

}  // namespace
}  // namespace sash
