#include "windows/kernels/rows/hot_first.h"

#include <gtest/gtest.h>

#include "tests/support/random_graph.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::RandomPairs;

TEST(HotFirstTest, EveryVertexHasOneRowAndNoRowIsAHole) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const CsrGraph graph = MakeCsr(RandomPairs(seed, 20'000, 30'000), 20'000);
    const HotFirst rows(graph, 2);
    ASSERT_EQ(rows.size(), graph.vertices().size());
    for (const VertexId v : graph.vertices()) {
      ASSERT_LT(rows.row(v), rows.size());
      ASSERT_EQ(rows.id(rows.row(v)), v);
    }
  }
}

TEST(HotFirstTest, OutDegreesDescendToAnEighthOfADoublingAndIdsAscendBetweenEquals) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 20'000, 200'000), 20'000);
  const HotFirst rows(graph, 2);
  for (HotFirst::Row row = 1; row < rows.size(); ++row) {
    const std::uint32_t before = graph.out_degree(rows.id(row - 1));
    const std::uint32_t here = graph.out_degree(rows.id(row));
    ASSERT_LE(here, before + before / 8);
    if (here == before) {
      ASSERT_LT(rows.id(row - 1), rows.id(row));
    }
  }
}

TEST(HotFirstTest, AnEmptyGraphHasNoRows) {
  EXPECT_EQ(HotFirst(MakeCsr(testing::Pairs{}, 0), 2).size(), 0u);
  EXPECT_EQ(HotFirst(MakeCsr(testing::Pairs{}, 10), 2).size(), 0u);
}

}  // namespace
}  // namespace sash
