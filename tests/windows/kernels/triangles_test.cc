#include "windows/kernels/triangles.h"

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

// Looks up every pair of neighbours of every vertex.
std::vector<std::uint64_t> NaiveCounts(const Pairs& pairs, VertexId ids) {
  const std::vector<std::set<VertexId>> neighbours = testing::NeighbourSets(pairs, ids);
  std::vector<std::uint64_t> counts(ids);
  for (VertexId v = 0; v < ids; ++v) {
    for (const VertexId a : neighbours[v]) {
      for (const VertexId b : neighbours[v])
        counts[v] += a < b && neighbours[a].contains(b) ? 1 : 0;
    }
  }
  return counts;
}

TEST(TrianglesTest, EqualALookUpOfEveryPairOfNeighboursOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    const std::vector<std::uint64_t> expected = NaiveCounts(random.pairs, random.ids);
    std::uint64_t corners = 0;
    for (const std::uint64_t count : expected) corners += count;
    OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
      const TrianglesResult result = Triangles(graph);
      EXPECT_EQ(result.counts, expected);
      EXPECT_EQ(result.triangles, corners / 3);
    });
  }
}

TEST(TrianglesTest, LoopsParallelEdgesAndEdgesBackAddNone) {
  const Pairs plain = {{0, 1}, {1, 2}, {2, 0}};
  Pairs more = plain;
  more.insert(more.end(), {{0, 1}, {1, 0}, {1, 1}, {2, 2}, {2, 2}, {0, 2}});
  for (const Pairs& pairs : {plain, more}) {
    OverBothViews(pairs, 3, [](const auto& graph) {
      EXPECT_EQ(Triangles(graph).triangles, 1u);
      EXPECT_EQ(Triangles(graph).counts, (std::vector<std::uint64_t>{1, 1, 1}));
    });
  }
}

TEST(TrianglesTest, ACliqueHasAsManyAsThereAreTriples) {
  constexpr VertexId kSize = 300;  // more than a chunk of lists
  Pairs clique;
  for (VertexId a = 0; a < kSize; ++a) {
    for (VertexId b = a + 1; b < kSize; ++b) clique.emplace_back(b, a);
  }
  const TrianglesResult result = Triangles(MakeCsr(clique, kSize));
  EXPECT_EQ(result.triangles, std::uint64_t{kSize} * (kSize - 1) * (kSize - 2) / 6);
  EXPECT_EQ(result.counts,
            std::vector<std::uint64_t>(kSize, std::uint64_t{kSize - 1} * (kSize - 2) / 2));
}

TEST(TrianglesTest, AnEmptyWindowHasNone) {
  EXPECT_EQ(Triangles(MakeCsr(Pairs{}, 3)).triangles, 0u);
  EXPECT_EQ(Triangles(MakeCsr(Pairs{}, 0)).triangles, 0u);
}

TEST(TrianglesTest, TheNumberOfThreadsDoesNotChangeCounts) {
  constexpr VertexId kIds = 20'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 100'000), kIds);
  const TrianglesResult one = Triangles(graph, {.threads = 1});
  const TrianglesResult many = Triangles(graph, {.threads = 4});
  EXPECT_GT(one.triangles, 1'000u);
  EXPECT_EQ(many.triangles, one.triangles);
  EXPECT_EQ(many.counts, one.counts);
}

TEST(TrianglesTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  EXPECT_TRUE(Triangles(graph, {.progress = [](int, double) { return false; }}).cancelled);
}

}  // namespace
}  // namespace sash
