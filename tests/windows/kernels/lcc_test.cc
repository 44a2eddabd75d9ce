#include "windows/kernels/lcc.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

// The definition of Graphalytics: the share of ordered pairs of neighbours that have an edge.
std::vector<double> NaiveCoefficients(const Pairs& pairs, VertexId ids) {
  std::set<std::pair<VertexId, VertexId>> arcs;
  for (const auto& [source, target] : pairs) {
    if (source != target) arcs.insert({source, target});
  }
  const std::vector<std::set<VertexId>> neighbours = testing::NeighbourSets(pairs, ids);
  std::vector<double> coefficients(ids);
  for (VertexId v = 0; v < ids; ++v) {
    double among = 0;
    for (const VertexId a : neighbours[v]) {
      for (const VertexId b : neighbours[v]) among += arcs.contains({a, b}) ? 1 : 0;
    }
    const auto size = static_cast<double>(neighbours[v].size());
    if (size >= 2) coefficients[v] = among / (size * (size - 1));
  }
  return coefficients;
}

TEST(LccTest, EqualsTheDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    const std::vector<double> expected = NaiveCoefficients(random.pairs, random.ids);
    OverBothViews(random.pairs, random.ids,
                  [&](const auto& graph) { EXPECT_EQ(Lcc(graph).coefficients, expected); });
  }
}

TEST(LccTest, EdgesBothWaysCountAsInAGraphWithoutDirections) {
  // A square with one diagonal.
  const Pairs square = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}};
  Pairs both = square;
  for (const auto& [source, target] : square) both.emplace_back(target, source);
  EXPECT_EQ(Lcc(MakeCsr(both, 4)).coefficients, (std::vector<double>{2.0 / 3, 1, 2.0 / 3, 1}));
  EXPECT_EQ(Lcc(MakeCsr(square, 4)).coefficients,
            (std::vector<double>{1.0 / 3, 0.5, 1.0 / 3, 0.5}));
}

TEST(LccTest, WithoutTwoNeighboursItIsZero) {
  EXPECT_EQ(Lcc(MakeCsr(Pairs{{0, 0}, {1, 2}, {2, 1}}, 4)).coefficients, std::vector<double>(4));
  EXPECT_TRUE(Lcc(MakeCsr(Pairs{}, 0)).coefficients.empty());
}

TEST(LccTest, TheNumberOfThreadsDoesNotChangeABit) {
  constexpr VertexId kIds = 20'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 100'000), kIds);
  EXPECT_EQ(Lcc(graph, {.threads = 4}).coefficients, Lcc(graph, {.threads = 1}).coefficients);
}

TEST(LccTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  EXPECT_TRUE(Lcc(graph, {.progress = [](int, double) { return false; }}).cancelled);
}

}  // namespace
}  // namespace sash
