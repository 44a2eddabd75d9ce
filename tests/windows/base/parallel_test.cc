#include "windows/base/parallel.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace sash {
namespace {

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
