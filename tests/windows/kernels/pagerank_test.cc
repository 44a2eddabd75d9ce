#include "windows/kernels/pagerank.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "tests/support/random_graph.h"
#include "tests/support/rank_difference.h"

namespace sash {
namespace {

using testing::L1Difference;
using testing::MakeCsr;
using testing::Pairs;
using testing::RandomPairs;

// The definition of PageRank: a serial computation over a list of pairs.
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
    for (const auto& [source, target] : pairs)
      next[target] += damping * ranks[source] / degree[source];
    ranks = next;
  }
  return ranks;
}

TEST(PageRankTest, AnEmptyWindowHasConvergedWithoutRanks) {
  const PageRankResult result = PageRank(MakeCsr(testing::Pairs{}, 10));
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
  for (const RowOrder order : {RowOrder::kSwept, RowOrder::kHotFirst}) {
    EXPECT_EQ(PageRank(InRuns(graph, order, 1), kIds, {.threads = 1}).ranks,
              PageRank(InRuns(graph, order, 4), kIds, {.threads = 4}).ranks);
  }
}

// Enough vertices for the kernel to use rounded numbers.
constexpr VertexId kMany = 100'000;

TEST(PageRankTest, RoundedPartsEqualTheDefinitionAndKeepTheSum) {
  const Pairs pairs = RandomPairs(7, kMany, 400'000);
  const CsrGraph graph = MakeCsr(pairs, kMany);
  for (const int iterations : {1, 4, 30}) {
    const std::vector<double> expected = NaiveRanks(pairs, kMany, 0.85, iterations);
    for (const Precision precision : {Precision::kBfloat16, Precision::kSingle}) {
      SCOPED_TRACE(::testing::Message()
                   << iterations << " iterations, " << static_cast<int>(precision));
      const PageRankResult result =
          PageRank(graph, {.tolerance = 0, .max_iterations = iterations, .precision = precision});
      // The rounding error of the last change is not corrected yet.
      const double change = iterations == 1 ? 1 : result.residual;
      EXPECT_LE(L1Difference(result.ranks, expected),
                1e-11 + (precision == Precision::kSingle ? 1e-7 : 4e-3) * change);
      const long double sum = std::accumulate(result.ranks.begin(), result.ranks.end(), 0.0L);
      EXPECT_NEAR(static_cast<double>(sum), 1.0, 1e-12);
    }
  }
}

TEST(PageRankTest, RoundedPartsDoNotAddToTheErrorThatAToleranceLeaves) {
  Pairs pairs = RandomPairs(8, kMany, 250'000);
  // Small components, half of them without sinks: an error in a component stays there.
  constexpr VertexId kEnd = kMany + 20'000;
  for (VertexId v = kMany; v < kEnd; v += 2) pairs.emplace_back(v, v + 1);
  for (VertexId v = kMany; v < kEnd; v += 4) pairs.emplace_back(v + 1, v);
  const CsrGraph graph = MakeCsr(pairs, kEnd);
  const auto run = [&](double tolerance, Precision precision) {
    return PageRank(graph, {.tolerance = tolerance, .max_iterations = 300, .precision = precision});
  };
  const std::vector<double> exact = run(1e-15, Precision::kDouble).ranks;
  for (const double tolerance : {1e-4, 1e-7, 1e-13}) {
    SCOPED_TRACE(tolerance);
    const double in_double = L1Difference(run(tolerance, Precision::kDouble).ranks, exact);
    const std::vector<double> ranks = run(tolerance, Precision::kAsFits).ranks;
    EXPECT_LE(L1Difference(ranks, exact), 1.01 * in_double + 1e-14);
    EXPECT_LE(L1Difference(run(tolerance, Precision::kSingle).ranks, exact),
              1.001 * in_double + 1e-14);
    EXPECT_EQ(ranks, run(tolerance, Precision::kBfloat16).ranks);
  }
}

TEST(PageRankTest, SoManyIterationsEndWhereThoseOfDoublesDo) {
  const CsrGraph graph = MakeCsr(RandomPairs(12, kMany, 300'000), kMany);
  for (const int iterations : {2, 5, 20}) {
    SCOPED_TRACE(iterations);
    PageRankOptions options{.tolerance = 0, .max_iterations = iterations};
    const PageRankResult fits = PageRank(graph, options);
    options.precision = Precision::kDouble;
    const PageRankResult in_double = PageRank(graph, options);
    EXPECT_LE(L1Difference(fits.ranks, in_double.ranks), 1e-14 + 1e-7 * in_double.residual);
    options.precision = Precision::kSingle;
    EXPECT_EQ(fits.ranks, PageRank(graph, options).ranks);
  }
}

TEST(PageRankTest, TheOrderOfRowsChangesNoMoreThanRounding) {
  const CsrGraph graph = MakeCsr(RandomPairs(9, 30'000, 100'000), 30'000);
  const PageRankOptions options{.tolerance = 1e-12};
  const PageRankResult hot = PageRank(graph, options);
  const PageRankResult ids =
      PageRank(InRuns(graph, RowOrder::kSwept, 2), graph.id_limit(), options);
  EXPECT_EQ(hot.iterations, ids.iterations);
  EXPECT_LE(L1Difference(hot.ranks, ids.ranks), 1e-14);
  PageRankOptions swept = options;
  swept.rows = RowOrder::kSwept;
  EXPECT_EQ(PageRank(graph, swept).ranks, ids.ranks);
}

// A moving window: each time a share of the pairs leaves, and the same number enters.
TEST(PageRankTest, AWarmStartTakesFewerIterationsAndIsAsNearToTheTruth) {
  for (const VertexId ids : {2'000u, kMany}) {
    const Pairs stream = RandomPairs(11, ids, ids * 6);
    const std::size_t length = ids * 4;
    const std::size_t slide = length / 100;
    std::vector<double> before;
    double full_change = 0;
    int warm_iterations = 0;
    int cold_iterations = 0;
    for (std::size_t first = 0; first < 3 * slide; first += slide) {
      SCOPED_TRACE(first);
      const auto begin = stream.begin() + static_cast<std::ptrdiff_t>(first);
      const CsrGraph graph =
          MakeCsr(testing::Pairs{begin, begin + static_cast<std::ptrdiff_t>(length)}, ids);
      const std::vector<double> exact = PageRank(graph, {.tolerance = 1e-12}).ranks;
      const PageRankResult cold = PageRank(graph, {.tolerance = 1e-6});
      if (before.empty()) full_change = cold.residual;
      const PageRankResult warm =
          PageRank(graph, {.tolerance = before.empty() ? 1e-6 : full_change / 2, .start = before});
      EXPECT_TRUE(warm.converged);
      EXPECT_LE(L1Difference(warm.ranks, exact), L1Difference(cold.ranks, exact));
      EXPECT_NEAR(std::accumulate(warm.ranks.begin(), warm.ranks.end(), 0.0), 1.0, 1e-12);
      if (!before.empty()) {
        warm_iterations += warm.iterations;
        cold_iterations += cold.iterations;
      }
      before = warm.ranks;
    }
    EXPECT_LT(warm_iterations, cold_iterations);
  }
}

TEST(PageRankTest, WhatAWarmStartKnowsOfOtherVerticesDoesNotMatter) {
  const CsrGraph graph = MakeCsr(RandomPairs(12, 300, 900), 300);
  const std::vector<double> exact = PageRank(graph, {.tolerance = 1e-13}).ranks;
  for (const std::vector<double>& start :
       {std::vector<double>(10, 0.1), std::vector<double>(300), std::vector<double>(5'000, 7.0)}) {
    const PageRankResult result = PageRank(graph, {.tolerance = 1e-12, .start = start});
    EXPECT_LE(L1Difference(result.ranks, exact), 1e-11);
    EXPECT_NEAR(std::accumulate(result.ranks.begin(), result.ranks.end(), 0.0), 1.0, 1e-12);
  }
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
