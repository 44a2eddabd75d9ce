#include "windows/store/degree_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace sash {
namespace {

constexpr VertexId kVertices = 1000;

TEST(DegreeTableTest, CountsVerticesOfWhichOneDegreeIsNotZero) {  // (1)
  std::mt19937 random(5);
  DegreeTable table;
  table.Reserve(kVertices);
  std::vector<Degrees> model(kVertices);
  for (int step = 0; step < 20'000; ++step) {
    const bool grows = step / 2500 % 2 == 0;
    const auto v = static_cast<VertexId>(random() % kVertices);
    const auto count = static_cast<std::uint32_t>(1 + random() % 5);
    Degrees& degrees = model[v];
    if (random() % 100 < (grows ? 70 : 20)) {
      if (random() % 2 == 0) {
        table.AddOut(v, count);
        degrees.out += count;
      } else {
        table.AddIn(v, count);
        degrees.in += count;
      }
    } else if (degrees.out > 0 && random() % 2 == 0) {
      const std::uint32_t less = std::min(degrees.out, count);
      table.SubtractOut(v, less);
      degrees.out -= less;
    } else if (degrees.in > 0) {
      const std::uint32_t less = std::min(degrees.in, count);
      table.SubtractIn(v, less);
      degrees.in -= less;
    }
    if (step % 100 != 0) continue;
    const DegreeTable::Version version = table.Publish();
    std::size_t present = 0;
    for (VertexId u = 0; u < kVertices; ++u) {
      ASSERT_EQ(version[u].out, model[u].out) << "step " << step << ", vertex " << u;
      ASSERT_EQ(version[u].in, model[u].in) << "step " << step << ", vertex " << u;
      present += model[u].any() ? 1 : 0;
    }
    ASSERT_EQ(table.vertex_count(), present) << "step " << step;
  }
}

TEST(DegreeTableTest, APageWhoseVerticesHaveLeftTakesNoMemory) {  // (2)
  DegreeTable table;
  table.Reserve(kVertices);
  const std::size_t empty = table.bytes();
  table.AddOut(300, 2);
  table.AddIn(301, 1);
  EXPECT_GT(table.bytes(), empty);
  const DegreeTable::Version pinned = table.Publish();
  table.SubtractOut(300, 2);
  EXPECT_GT(table.bytes(), empty);
  table.SubtractIn(301, 1);
  EXPECT_EQ(table.bytes(), empty);
  EXPECT_TRUE(table.Publish().is_zero_page(301 >> ListPage::kBits));
  EXPECT_EQ(pinned[300].out, 2u);
  EXPECT_EQ(pinned[301].in, 1u);
  table.AddIn(301, 4);
  EXPECT_EQ(table.Publish()[301].in, 4u);
  EXPECT_EQ(pinned[301].in, 1u);
}

TEST(DegreeTableDeathTest, ADegreeNeitherFallsBelowZeroNorComesRound) {
  DegreeTable table;
  table.Reserve(1);
  table.AddOut(0, 0xFFFF'FFFF);
  EXPECT_DEATH(table.AddOut(0, 1), "");
  EXPECT_DEATH(table.SubtractIn(0, 1), "");
}

}  // namespace
}  // namespace sash
