#include "windows/kernels/shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "tests/support/both_views.h"
#include "tests/support/random_graph.h"
#include "windows/base/finite_weight.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::MakeCsr;
using testing::Pairs;
using testing::RandomPairs;

TEST(ShapeTest, CountsParallelEdgesAsOnePair) {
  const ShapeResult shape = Shape(MakeCsr(testing::Pairs{{0, 1}, {0, 1}, {1, 1}, {1, 0}}, 4));
  EXPECT_EQ(shape.edges, 4u);
  EXPECT_EQ(shape.vertices, 2u);
  EXPECT_EQ(shape.pairs, 3u);
  EXPECT_EQ(shape.weight, Weight::Integer(4));
}

TEST(ShapeTest, EqualsSetsOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Pairs pairs = RandomPairs(seed, 10'000, 30'000);
    std::set<VertexId> vertices;
    for (const auto& [source, target] : pairs) vertices.insert({source, target});
    const ShapeResult shape = Shape(MakeCsr(pairs, 10'000), 4);
    EXPECT_EQ(shape.vertices, vertices.size());
    EXPECT_EQ(shape.pairs, (std::set<Pairs::value_type>(pairs.begin(), pairs.end()).size()));
  }
}

TEST(ShapeTest, WeightsBeyondTheDoublesAreCounted) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Weight most = Weight::Real(std::numeric_limits<double>::max());
  const std::vector<IdEdge> infinite = {
      {0, 1, Weight::Real(infinity)}, {1, 0, Weight::Real(-infinity)}, {1, 1, {}}};
  const ShapeResult edges = Shape(MakeCsr(infinite, 2));
  EXPECT_EQ(edges.overflowed_edges, 2u);
  EXPECT_FALSE(IsFinite(edges.weight));
  const ShapeResult total = Shape(MakeCsr(std::vector<IdEdge>{{0, 1, most}, {1, 0, most}}, 2));
  EXPECT_EQ(total.overflowed_edges, 0u);
  EXPECT_FALSE(IsFinite(total.weight));
}

TEST(ShapeTest, AnEmptyWindowWeighsNothing) {
  EXPECT_EQ(Shape(MakeCsr(testing::Pairs{}, 3)).weight, Weight::Integer(0));
}

}  // namespace
}  // namespace sash
