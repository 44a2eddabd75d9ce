#include "windows/store/degree_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sash {
namespace {

constexpr VertexId kCounted = 1000;

TEST(DegreeTableTest, CountsVerticesOfWhichOneDegreeIsNotZero) {  // (1)
  std::mt19937 random(5);
  DegreeTable table;
  table.Reserve(kCounted);
  struct Degrees {
    std::uint32_t out = 0;
    std::uint32_t in = 0;
  };
  std::vector<Degrees> model(kCounted);
  for (int step = 0; step < 20'000; ++step) {
    const bool grows = step / 2500 % 2 == 0;
    const auto v = static_cast<VertexId>(random() % kCounted);
    const auto count = static_cast<std::uint32_t>(1 + random() % 5);
    Degrees& degrees = model[v];
    if (random() % 100 < (grows ? 70 : 20)) {
      if (random() % 2 == 0) {
        table.out.Add(v, count);
        degrees.out += count;
      } else {
        table.in.Add(v, count);
        degrees.in += count;
      }
    } else if (degrees.out > 0 && random() % 2 == 0) {
      const std::uint32_t less = std::min(degrees.out, count);
      table.out.Subtract(v, less);
      degrees.out -= less;
    } else if (degrees.in > 0) {
      const std::uint32_t less = std::min(degrees.in, count);
      table.in.Subtract(v, less);
      degrees.in -= less;
    }
    if (step % 100 != 0) continue;
    const DegreeTable::Version version = table.Publish();
    std::size_t present = 0;
    for (VertexId u = 0; u < kCounted; ++u) {
      ASSERT_EQ(version.out_of(u), model[u].out) << "step " << step << ", vertex " << u;
      ASSERT_EQ(version.in_of(u), model[u].in) << "step " << step << ", vertex " << u;
      present += (model[u].out | model[u].in) != 0 ? 1 : 0;
    }
    ASSERT_EQ(table.vertex_count(), present) << "step " << step;
  }
}

TEST(DegreeTableTest, APageWhoseVerticesHaveLeftTakesNoMemory) {  // (2)
  DegreeTable table;
  table.Reserve(kCounted);
  const std::size_t empty = table.bytes();
  table.out.Add(300, 2);
  table.in.Add(301, 1);
  EXPECT_GT(table.bytes(), empty);
  const DegreeTable::Version pinned = table.Publish();
  table.out.Subtract(300, 2);
  EXPECT_FALSE(table.Publish().in.is_zero_page(301 >> ListPage::kBits));
  EXPECT_GT(table.bytes(), empty);
  table.in.Subtract(301, 1);
  const DegreeTable::Version left = table.Publish();
  EXPECT_EQ(table.bytes(), empty);
  EXPECT_TRUE(left.out.is_zero_page(301 >> ListPage::kBits));
  EXPECT_TRUE(left.in.is_zero_page(301 >> ListPage::kBits));
  EXPECT_EQ(pinned.out_of(300), 2u);
  EXPECT_EQ(pinned.in_of(301), 1u);
  table.in.Add(301, 4);
  EXPECT_EQ(table.Publish().in_of(301), 4u);
  EXPECT_EQ(pinned.in_of(301), 1u);
}

TEST(DegreeTableDeathTest, ADegreeNeitherFallsBelowZeroNorComesRound) {
  DegreeTable table;
  table.Reserve(1);
  table.out.Add(0, 0xFFFF'FFFF);
  EXPECT_DEATH(table.out.Add(0, 1), "");
  EXPECT_DEATH(table.in.Subtract(0, 1), "");
}

}  // namespace
}  // namespace sash
