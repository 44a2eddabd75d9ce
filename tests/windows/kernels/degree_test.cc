#include "windows/kernels/degree.h"

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

using Degrees = std::vector<std::uint64_t>;

Degrees NaiveDegrees(const Pairs& pairs, VertexId ids, FollowedEdges follow, DegreeCounts counts) {
  Degrees edges(ids);
  std::vector<std::set<VertexId>> neighbours(ids);
  for (const auto& [source, target] : pairs) {
    if (follow != FollowedEdges::kIn) {
      ++edges[source];
      neighbours[source].insert(target);
    }
    if (follow != FollowedEdges::kOut) {
      ++edges[target];
      neighbours[target].insert(source);
    }
  }
  if (counts == DegreeCounts::kEdges) return edges;
  for (VertexId v = 0; v < ids; ++v) {
    neighbours[v].erase(v);
    edges[v] = neighbours[v].size();
  }
  return edges;
}

TEST(DegreeTest, EqualsCountingAndSetsOnRandomGraphsInEveryDirection) {
  for (std::uint64_t seed = 1; seed <= 32; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    for (const DegreeCounts counts : {DegreeCounts::kEdges, DegreeCounts::kNeighbours}) {
      for (const FollowedEdges follow :
           {FollowedEdges::kOut, FollowedEdges::kIn, FollowedEdges::kBoth}) {
        const Degrees expected = NaiveDegrees(random.pairs, random.ids, follow, counts);
        OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
          EXPECT_EQ(Degree(graph, {.follow = follow, .counts = counts}).degrees, expected);
        });
      }
    }
  }
}

TEST(DegreeTest, ALoopIsTwoEndsOfAnEdgeAndNoNeighbour) {
  const CsrGraph graph = MakeCsr(Pairs{{0, 0}, {0, 1}, {0, 1}, {1, 0}}, 3);
  EXPECT_EQ(Degree(graph).degrees, (Degrees{5, 3, 0}));
  EXPECT_EQ(Degree(graph, {.follow = FollowedEdges::kOut}).degrees, (Degrees{3, 1, 0}));
  EXPECT_EQ(Degree(graph, {.counts = DegreeCounts::kNeighbours}).degrees, (Degrees{1, 1, 0}));
}

TEST(DegreeTest, TheNumberOfThreadsDoesNotChangeDegrees) {
  constexpr VertexId kIds = 30'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 150'000), kIds);
  for (const DegreeCounts counts : {DegreeCounts::kEdges, DegreeCounts::kNeighbours}) {
    EXPECT_EQ(Degree(graph, {.counts = counts, .threads = 4}).degrees,
              Degree(graph, {.counts = counts, .threads = 1}).degrees);
  }
}

TEST(DegreeTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  EXPECT_TRUE(Degree(graph, {.progress = [](int, double) { return false; }}).cancelled);
}

}  // namespace
}  // namespace sash
