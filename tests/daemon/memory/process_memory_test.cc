#include "daemon/memory/process_memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace sash {
namespace {

constexpr std::size_t kMapped = 64 << 20;

TEST(ProcessMemoryTest, UseGrowsWithWhatIsWrittenTo) {
  const std::uint64_t before = UsedMemory();
  EXPECT_GT(before, 0u);
  const std::vector<char> block(kMapped, 'x');
  EXPECT_GE(UsedMemory(), before + kMapped / 10 * 9);
  EXPECT_EQ(block.back(), 'x');
}

}  // namespace
}  // namespace sash
