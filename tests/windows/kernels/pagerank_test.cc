#include "windows/kernels/pagerank.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "tests/support/random_graph.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::Pairs;
using testing::RandomPairs;

// The definition, over a list of pairs, serially: what PageRank means.
std::vector<double> NaiveRanks(const Pairs& pairs, VertexId id_limit, double damping,
                               int iterations) {
  std::set<VertexId> vertices;
  std::vector<double> degree(id_limit);
  for (const auto& [source, target] : pairs) {
    vertices.insert({source, target});
    ++degree[source];
  }
  const double n = static_cast<double>(vertices.size());
  std::vector<double> ranks(id_limit);
  for (const VertexId v : vertices) ranks[v] = 1 / n;
  for (int i = 0; i < iterations; ++i) {
    double dangling = 0;
    for (const VertexId v : vertices) dangling += degree[v] == 0 ? ranks[v] : 0;
    std::vector<double> next(id_limit);
    for (const VertexId v : vertices) next[v] = (1 - damping) / n + damping * dangling / n;
    for (const auto& [source, target] : pairs) next[target] += damping * ranks[source] / degree[source];
    ranks = next;
  }
  return ranks;
}

TEST(PageRankTest, AnEmptyWindowHasConvergedWithoutRanks) {
  const PageRankResult result = PageRank(MakeCsr({}, 10));
  EXPECT_TRUE(result.ranks.empty());
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0);
}

TEST(PageRankTest, EqualsTheDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Pairs pairs = RandomPairs(seed, 500, 1'500);
    const PageRankResult result =
        PageRank(MakeCsr(pairs, 500), {.tolerance = 0, .max_iterations = 30});
    const std::vector<double> expected = NaiveRanks(pairs, 500, 0.85, 30);
    ASSERT_EQ(result.iterations, 30);
    for (VertexId v = 0; v < 500; ++v) ASSERT_NEAR(result.ranks[v], expected[v], 1e-14);
    EXPECT_NEAR(std::accumulate(result.ranks.begin(), result.ranks.end(), 0.0), 1.0, 1e-12);
  }
}

TEST(PageRankTest, StopsWhenTheChangeIsAtMostTheTolerance) {
  const PageRankResult result =
      PageRank(MakeCsr(RandomPairs(1, 100, 400), 100), {.tolerance = 1e-3});
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.residual, 1e-3);
  EXPECT_FALSE(PageRank(MakeCsr(RandomPairs(1, 100, 400), 100),
                        {.tolerance = 1e-3, .max_iterations = result.iterations - 1})
                   .converged);
}

TEST(PageRankTest, TheNumberOfThreadsDoesNotChangeABit) {
  constexpr VertexId kIds = 100'000;
  const CsrGraph graph = MakeCsr(RandomPairs(3, kIds, 400'000), kIds);
  const PageRankResult one = PageRank(graph, {.threads = 1});
  const PageRankResult many = PageRank(graph, {.threads = 4});
  EXPECT_EQ(one.iterations, many.iterations);
  EXPECT_EQ(one.ranks, many.ranks);
}

TEST(PageRankTest, StopsWhenToldTo) {
  const PageRankResult result =
      PageRank(MakeCsr(RandomPairs(1, 100, 400), 100),
               {.tolerance = 0, .progress = [](int iteration, double) { return iteration < 3; }});
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.iterations, 3);
}

}  // namespace
}  // namespace sash
