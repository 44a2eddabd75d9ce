#include "windows/kernels/kcore.h"

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

// For k = 1, 2, ...: removes vertices with fewer than k remaining neighbours one by one. The
// remaining vertices are the k-core.
std::vector<std::uint64_t> NaiveCores(const Pairs& pairs, VertexId ids) {
  std::vector<std::set<VertexId>> neighbours = testing::NeighbourSets(pairs, ids);
  std::vector<std::uint64_t> cores(ids);
  for (std::uint64_t k = 1;; ++k) {
    for (bool changed = true; changed;) {
      changed = false;
      for (VertexId v = 0; v < ids; ++v) {
        if (neighbours[v].empty() || neighbours[v].size() >= k) continue;
        for (const VertexId u : neighbours[v]) neighbours[u].erase(v);
        neighbours[v].clear();
        changed = true;
      }
    }
    bool any = false;
    for (VertexId v = 0; v < ids; ++v) {
      if (neighbours[v].empty()) continue;
      cores[v] = k;
      any = true;
    }
    if (!any) return cores;
  }
}

TEST(KcoreTest, EqualsTakingVerticesAwayOneByOneOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    const std::vector<std::uint64_t> expected = NaiveCores(random.pairs, random.ids);
    OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
      const KcoreResult result = Kcore(graph);
      EXPECT_EQ(result.cores, expected);
      EXPECT_EQ(result.degeneracy, std::ranges::max(expected));
    });
  }
}

TEST(KcoreTest, ATailOfACliqueHasOneAndTheCliqueOneLessThanItsSize) {
  const Pairs pairs = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {6, 6}};
  const KcoreResult result = Kcore(MakeCsr(pairs, 8));
  EXPECT_EQ(result.cores, (std::vector<std::uint64_t>{3, 3, 3, 3, 1, 1, 0, 0}));
  EXPECT_EQ(result.degeneracy, 3u);
}

TEST(KcoreTest, AnEmptyWindowHasNoCores) {
  const KcoreResult result = Kcore(MakeCsr(Pairs{}, 2));
  EXPECT_EQ(result.cores, std::vector<std::uint64_t>(2));
  EXPECT_EQ(result.iterations, 0);
}

TEST(KcoreTest, TheNumberOfThreadsDoesNotChangeCores) {
  constexpr VertexId kIds = 30'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 200'000), kIds);
  const KcoreResult one = Kcore(graph, {.threads = 1});
  EXPECT_GT(one.degeneracy, 10u);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Kcore(graph, {.threads = 4}).cores, one.cores);
  }
}

TEST(KcoreTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  const KcoreResult result =
      Kcore(graph, {.progress = [](int round, double) { return round < 2; }});
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.iterations, 2);
}

}  // namespace
}  // namespace sash
