#include "windows/kernels/hits.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

struct NaiveHits {
  std::vector<long double> authorities;
  std::vector<long double> hubs;
};

void Normalise(std::vector<long double>& values) {
  const long double total = std::accumulate(values.begin(), values.end(), 0.0L);
  for (long double& value : values) value /= total;
}

// A number of iterations over the list of edges.
NaiveHits IterateEdges(const std::vector<IdEdge>& edges, VertexId ids, int iterations) {
  std::vector<long double> exists(ids);
  for (const IdEdge& edge : edges) exists[edge.source] = exists[edge.target] = 1;
  NaiveHits naive{exists, exists};
  for (int i = 0; i < iterations; ++i) {
    naive.authorities.assign(ids, 0);
    for (const IdEdge& edge : edges) {
      naive.authorities[edge.target] += naive.hubs[edge.source] * edge.weight.AsDouble();
    }
    Normalise(naive.authorities);
    naive.hubs.assign(ids, 0);
    for (const IdEdge& edge : edges) {
      naive.hubs[edge.source] += naive.authorities[edge.target] * edge.weight.AsDouble();
    }
    Normalise(naive.hubs);
  }
  return naive;
}

void ExpectClose(const std::vector<double>& found, const std::vector<long double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v) {
    ASSERT_NEAR(found[v], static_cast<double>(expected[v]), 1e-12) << v;
  }
}

std::vector<IdEdge> WithWeights(const Pairs& pairs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<IdEdge> edges = testing::Unweighted(pairs);
  for (IdEdge& edge : edges) {
    edge.weight = random() % 2 == 0 ? Weight::Integer(static_cast<std::int64_t>(random() % 9))
                                    : Weight::Real(static_cast<double>(random() % 90) / 7);
  }
  edges.front().weight = Weight::Integer(4);
  return edges;
}

TEST(HitsTest, EqualsIterationOverTheEdgesOnRandomGraphs) {
  constexpr int kIterations = 7;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    for (const bool weighted : {false, true}) {
      const std::vector<IdEdge> edges = WithWeights(random.pairs, seed);
      const NaiveHits expected = IterateEdges(weighted ? edges : testing::Unweighted(random.pairs),
                                              random.ids, kIterations);
      OverBothViews(edges, random.ids, [&](const auto& graph) {
        const HitsResult found =
            Hits(graph, {.tolerance = 0, .max_iterations = kIterations, .weighted = weighted});
        ExpectClose(found.authorities, expected.authorities);
        ExpectClose(found.hubs, expected.hubs);
      });
    }
  }
}

TEST(HitsTest, StopsWithinTheToleranceAndSaysHowFarItWas) {
  const CsrGraph graph = MakeCsr(RandomPairs(3, 200, 2'000), 200);
  const HitsResult found = Hits(graph, {.tolerance = 1e-9, .max_iterations = 1'000});
  EXPECT_TRUE(found.converged);
  EXPECT_GT(found.residual, 0);
  EXPECT_LE(found.residual, 1e-9);
  const HitsResult before = Hits(graph, {.tolerance = 0, .max_iterations = found.iterations - 1});
  EXPECT_FALSE(before.converged);
  EXPECT_GT(before.residual, 1e-9);
  double change = 0;
  for (VertexId v = 0; v < 200; ++v) {
    change += std::abs(found.authorities[v] - before.authorities[v]);
    change += std::abs(found.hubs[v] - before.hubs[v]);
  }
  EXPECT_NEAR(change, found.residual, 1e-14);
  EXPECT_NEAR(std::accumulate(found.hubs.begin(), found.hubs.end(), 0.0), 1, 1e-12);
  EXPECT_NEAR(std::accumulate(found.authorities.begin(), found.authorities.end(), 0.0), 1, 1e-12);
}

TEST(HitsTest, AHubPointsAndAnAuthorityIsPointedAt) {
  // 0 and 1 point at 2, 0 also at 3.
  const HitsResult found =
      Hits(MakeCsr(Pairs{{0, 2}, {1, 2}, {0, 3}}, 5), {.tolerance = 1e-15, .max_iterations = 500});
  const double golden = (1 + std::sqrt(5.0)) / 2;
  EXPECT_NEAR(found.hubs[0] / found.hubs[1], golden, 1e-12);
  EXPECT_NEAR(found.authorities[2] / found.authorities[3], golden, 1e-12);
  for (const VertexId v : {2u, 3u, 4u}) EXPECT_EQ(found.hubs[v], 0);
  for (const VertexId v : {0u, 1u, 4u}) EXPECT_EQ(found.authorities[v], 0);
}

TEST(HitsTest, WeightsOfAnySizeGiveTheSameValues) {
  std::vector<IdEdge> edges = WithWeights(RandomPairs(7, 60, 300), 7);
  const HitsResult expected = Hits(MakeCsr(edges, 60), {.weighted = true});
  for (const int exponent : {-1'060, -700, 1'018}) {
    std::vector<IdEdge> scaled = edges;
    for (IdEdge& edge : scaled) {
      edge.weight = Weight::Real(std::ldexp(edge.weight.AsDouble(), exponent));
    }
    const HitsResult found = Hits(MakeCsr(scaled, 60), {.weighted = true});
    ASSERT_EQ(found.hubs.size(), 60u) << exponent;
    for (VertexId v = 0; v < 60; ++v) {
      EXPECT_NEAR(found.hubs[v], expected.hubs[v], exponent < -1'000 ? 1e-2 : 0);
      EXPECT_NEAR(found.authorities[v], expected.authorities[v], exponent < -1'000 ? 1e-2 : 0);
    }
  }
}

TEST(HitsTest, WithoutUsableWeightsThereAreNoValues) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto run = [](Weight a, Weight b, bool weighted) {
    return Hits(MakeCsr({{0, 1, a}, {0, 1, b}, {1, 2, b}}, 3), {.weighted = weighted});
  };
  const HitsResult negative = run({}, Weight::Integer(-1), true);
  EXPECT_EQ(negative.negative_edges, 2u);
  EXPECT_TRUE(negative.hubs.empty() && negative.authorities.empty());
  const HitsResult overflowed = run(Weight::Real(kInfinite), {}, true);
  EXPECT_EQ(overflowed.overflowed_edges, 1u);
  EXPECT_TRUE(overflowed.hubs.empty());
  const HitsResult weightless = run(Weight::Integer(0), Weight::Real(0), true);
  EXPECT_TRUE(weightless.hubs.empty());
  EXPECT_EQ(weightless.negative_edges + weightless.overflowed_edges, 0u);
  EXPECT_EQ(run(Weight::Real(kInfinite), Weight::Integer(-1), false).hubs.size(), 3u);
  EXPECT_TRUE(Hits(MakeCsr(Pairs{}, 0)).hubs.empty());
}

TEST(HitsTest, TheNumberOfThreadsDoesNotChangeABit) {
  constexpr VertexId kIds = 20'000;
  const CsrGraph graph = MakeCsr(WithWeights(RandomPairs(5, kIds, 100'000), 5), kIds);
  for (const bool weighted : {false, true}) {
    const HitsResult one = Hits(graph, {.weighted = weighted, .threads = 1});
    const HitsResult four = Hits(graph, {.weighted = weighted, .threads = 4});
    EXPECT_EQ(one.authorities, four.authorities);
    EXPECT_EQ(one.hubs, four.hubs);
    EXPECT_EQ(one.residual, four.residual);
  }
}

TEST(HitsTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  const HitsResult found =
      Hits(graph, {.progress = [](int iteration, double) { return iteration < 2; }});
  EXPECT_TRUE(found.cancelled);
  EXPECT_EQ(found.iterations, 2);
}

}  // namespace
}  // namespace sash
