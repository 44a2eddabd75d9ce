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

}  // namespace
}  // namespace sash
