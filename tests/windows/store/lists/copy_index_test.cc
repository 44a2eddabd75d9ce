#include "windows/store/lists/copy_index.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

constexpr VertexId kNeighbour = 7;

TEST(CopyIndexTest, WithoutParallelEdgesTheLastCopyIsFound) {  // (2)
  CopyIndex index(false, ListSizes{});
  EXPECT_FALSE(index.FindNewest(kNeighbour));
  EXPECT_EQ(index.Add(kNeighbour, 10), 0u);
  EXPECT_EQ(index.Add(kNeighbour, 20), 0u);
  EXPECT_EQ(index.FindNewest(kNeighbour)->position, 20u);
  index.EraseAt(kNeighbour, 0, 10);
  index.Move(kNeighbour, 0, 10, 30);
  EXPECT_EQ(index.FindNewest(kNeighbour)->position, 20u) << "the older copy is not found";
  index.Move(kNeighbour, 0, 20, 30);
  EXPECT_EQ(index.FindNewest(kNeighbour)->position, 30u);
  index.EraseAt(kNeighbour, 0, 30);
  EXPECT_FALSE(index.FindNewest(kNeighbour));
}

TEST(CopyIndexTest, ParallelCopiesGoFromBothEnds) {  // (1)
  CopyIndex index(true, ListSizes{});
  for (std::uint32_t copy = 0; copy < 4; ++copy) {
    EXPECT_EQ(index.Add(kNeighbour, 10 * copy), copy);
  }
  EXPECT_EQ(index.Add(kNeighbour + 1, 5), 0u);
  index.EraseAt(kNeighbour, 0, 0);  // ages out
  index.Move(kNeighbour, 2, 20, 21);
  index.Erase(kNeighbour, 3);  // dies
  EXPECT_EQ(index.FindNewest(kNeighbour)->ordinal, 2u);
  EXPECT_EQ(index.FindNewest(kNeighbour)->position, 21u);
  EXPECT_EQ(index.Add(kNeighbour, 40), 3u);
  for (std::uint32_t copy = 3; copy > 0; --copy) index.Erase(kNeighbour, copy);
  EXPECT_FALSE(index.FindNewest(kNeighbour));
  EXPECT_EQ(index.Add(kNeighbour, 50), 0u);
  EXPECT_EQ(index.FindNewest(kNeighbour + 1)->position, 5u);
}

TEST(CopyIndexTest, CopiesOfEachTypeGoFromBothEnds) {  // (1) (3)
  CopyIndex index(true, ListSizes{}, true);
  const std::size_t empty = index.CountBytes();
  for (std::uint32_t copy = 0; copy < 6; ++copy) {
    const TypeNumber type = copy % 2 + 1;
    EXPECT_EQ(index.Add(kNeighbour, 10 * copy, type), copy / 2);
  }
  EXPECT_EQ(index.Add(kNeighbour + 1, 5, 1), 0u);
  EXPECT_FALSE(index.FindNewest(kNeighbour, 3));
  index.Move(kNeighbour, 2, 40, 41, 1);
  index.EraseAt(kNeighbour, 2, 41, 2);  // it is of the other type
  EXPECT_EQ(index.FindNewest(kNeighbour, 1)->position, 41u);
  for (std::uint32_t copy = 3; copy > 0; --copy) index.Erase(kNeighbour, copy - 1, 2);
  EXPECT_FALSE(index.FindNewest(kNeighbour, 2));
  EXPECT_EQ(index.FindNewest(kNeighbour, 1)->ordinal, 2u);
  index.EraseAt(kNeighbour, 0, 0, 1);  // ages out
  EXPECT_EQ(index.Add(kNeighbour, 70, 9), 0u) << "it may have the number of the pair that is gone";
  EXPECT_EQ(index.FindNewest(kNeighbour, 9)->position, 70u);
  EXPECT_EQ(index.FindNewest(kNeighbour + 1, 1)->position, 5u);
  EXPECT_EQ(index.bytes(), index.CountBytes());
  EXPECT_GE(index.CountBytes(), empty);
}

}  // namespace
}  // namespace sash
