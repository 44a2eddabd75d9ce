#include "windows/kernels/sssp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::RandomGraph;
using testing::RandomPairs;

constexpr double kFar = kUnreachedDistance;

// Bellman-Ford: relaxes all edges until no distance changes.
std::vector<double> NaiveDistances(const std::vector<IdEdge>& edges, VertexId ids,
                                   const std::vector<VertexId>& roots, FollowedEdges follow) {
  std::vector<bool> present(ids);
  for (const IdEdge& edge : edges) present[edge.source] = present[edge.target] = true;
  std::vector<double> distances(ids, kFar);
  for (const VertexId root : roots) {
    if (root < ids && present[root]) distances[root] = 0;
  }
  for (bool changed = true; changed;) {
    changed = false;
    const auto relax = [&](VertexId from, VertexId to, double weight) {
      if (distances[from] + weight >= distances[to]) return;
      distances[to] = distances[from] + weight;
      changed = true;
    };
    for (const IdEdge& edge : edges) {
      const double weight = edge.weight.AsDouble();
      if (follow != FollowedEdges::kIn) relax(edge.source, edge.target, weight);
      if (follow != FollowedEdges::kOut) relax(edge.target, edge.source, weight);
    }
  }
  return distances;
}

// All weights of a graph are of one kind: ones, small integers with zeros, reals, or reals of very
// different magnitude.
std::vector<IdEdge> RandomlyWeighted(const testing::Pairs& pairs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<IdEdge> edges;
  for (const auto& [source, target] : pairs) {
    const auto number = static_cast<std::int64_t>(random() % 10);
    const Weight weights[] = {Weight(), Weight::Integer(number),
                              Weight::Real(static_cast<double>(random() % 1000) / 999),
                              Weight::Real(std::pow(10.0, static_cast<double>(number * 30)))};
    edges.push_back({source, target, weights[seed % 4]});
  }
  return edges;
}

TEST(SsspTest, EqualsBellmanAndFordToTheBitOnRandomGraphsInEveryDirection) {
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed / 4);
    const std::vector<IdEdge> edges = RandomlyWeighted(random.pairs, seed);
    const std::vector<VertexId> roots = {static_cast<VertexId>(seed * 7 % random.ids), 3, 3,
                                         random.ids + 5};
    for (const FollowedEdges follow :
         {FollowedEdges::kOut, FollowedEdges::kIn, FollowedEdges::kBoth}) {
      const auto expected = NaiveDistances(edges, random.ids, roots, follow);
      const auto reached = static_cast<std::uint64_t>(
          std::ranges::count_if(expected, [](double distance) { return distance < kFar; }));
      OverBothViews(edges, random.ids, [&](const auto& graph) {
        for (const double delta : {0.0, 0.01, 3.0, 1e300}) {
          const SsspResult result = Sssp(graph, roots, {.follow = follow, .delta = delta});
          EXPECT_EQ(result.distances, expected) << delta;
          EXPECT_EQ(result.reached, reached);
          EXPECT_EQ(result.negative_edges, 0u);
        }
      });
    }
  }
}

TEST(SsspTest, OfParallelEdgesTheLightestCounts) {
  const CsrGraph graph = MakeCsr(
      std::vector<IdEdge>{{0, 1, Weight::Integer(5)}, {0, 1, Weight::Real(0.5)}, {1, 1, {}}}, 2);
  EXPECT_EQ(Sssp(graph, std::vector<VertexId>{0}).distances, (std::vector<double>{0, 0.5}));
}

TEST(SsspTest, ANegativeWeightAnywhereIsCountedAndNothingIsReached) {
  const std::vector<IdEdge> edges = {{0, 1, {}},
                                     {2, 3, Weight::Integer(-1)},
                                     {2, 3, Weight::Real(-0.5)},
                                     {4, 4, Weight::Real(-0.0)}};
  for (const FollowedEdges follow :
       {FollowedEdges::kOut, FollowedEdges::kIn, FollowedEdges::kBoth}) {
    const SsspResult result = Sssp(MakeCsr(edges, 5), std::vector<VertexId>{0}, {.follow = follow});
    EXPECT_EQ(result.negative_edges, 2u);
    EXPECT_EQ(result.reached, 0u);
    EXPECT_EQ(result.distances, std::vector<double>(5, kFar));
  }
}

TEST(SsspTest, VerticesWhoseDistanceIsBeyondTheDoublesAreCounted) {
  const Weight most = Weight::Real(std::numeric_limits<double>::max());
  const Weight infinite = Weight::Real(kFar);  // the result of summing copies
  // 2 and 3 are too far. 5 is too far except by way of 4. No path leads to 6.
  const CsrGraph graph = MakeCsr(std::vector<IdEdge>{{0, 1, most},
                                                     {1, 2, most},
                                                     {2, 3, {}},
                                                     {0, 5, infinite},
                                                     {0, 4, {}},
                                                     {4, 5, {}},
                                                     {6, 0, most},
                                                     {0, 7, infinite}},
                                 8);
  for (const double delta : {0.0, 1e-300, 1e308}) {
    const SsspResult result = Sssp(graph, std::vector<VertexId>{0}, {.delta = delta});
    EXPECT_EQ(result.reached, 4u);
    EXPECT_EQ(result.overflowed, 3u);
    EXPECT_EQ(result.negative_edges, 0u);
    for (const VertexId v : {2u, 3u, 7u}) EXPECT_TRUE(std::isnan(result.distances[v])) << v;
    EXPECT_EQ(result.distances[1], most.AsDouble());
    EXPECT_EQ(result.distances[5], 2);
    EXPECT_EQ(result.distances[6], kFar);
  }
}

TEST(SsspTest, AnOverflowThatNoPathNeedsIsNone) {
  const Weight infinite = Weight::Real(kFar);
  const CsrGraph graph =
      MakeCsr(std::vector<IdEdge>{{0, 1, {}}, {0, 1, infinite}, {2, 0, infinite}}, 3);
  const SsspResult result = Sssp(graph, std::vector<VertexId>{0});
  EXPECT_EQ(result.overflowed, 0u);
  EXPECT_EQ(result.distances, (std::vector<double>{0, 1, kFar}));
}

TEST(SsspTest, AWeightOfMinusInfinityIsNegative) {
  const CsrGraph graph = MakeCsr(std::vector<IdEdge>{{0, 1, Weight::Real(-kFar)}}, 2);
  EXPECT_EQ(Sssp(graph, std::vector<VertexId>{0}).negative_edges, 1u);
}

TEST(SsspTest, ARootThatIsNotThereReachesNothing) {
  const CsrGraph graph = MakeCsr(testing::Pairs{{0, 1}}, 5);
  EXPECT_EQ(Sssp(graph, std::vector<VertexId>{3, 99}).reached, 0u);
  EXPECT_EQ(Sssp(MakeCsr(testing::Pairs{}, 2), std::vector<VertexId>{0}).reached, 0u);
}

TEST(SsspTest, ManyBucketsApartAndBackAreSettledInOrder) {
  // A long chain whose steps are much wider than the buckets, and a detour that is always longer.
  std::vector<IdEdge> edges;
  constexpr VertexId kIds = 2'000;
  for (VertexId v = 0; v + 1 < kIds; ++v) {
    edges.push_back({v, v + 1, Weight::Integer(1 + v % 900)});
    edges.push_back({v, (v * 7 + 3) % kIds, Weight::Integer(1'000'000)});
  }
  const std::vector<VertexId> roots = {0};
  const auto expected = NaiveDistances(edges, kIds, roots, FollowedEdges::kOut);
  EXPECT_EQ(Sssp(MakeCsr(edges, kIds), roots, {.delta = 1}).distances, expected);
}

TEST(SsspTest, TheNumberOfThreadsDoesNotChangeADistance) {
  constexpr VertexId kIds = 60'000;
  const CsrGraph graph = MakeCsr(RandomlyWeighted(RandomPairs(5, kIds, 300'000), 2), kIds);
  const std::vector<VertexId> roots = {1, 7};
  const SsspResult one = Sssp(graph, roots, {.threads = 1});
  EXPECT_GT(one.reached, kIds / 4);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Sssp(graph, roots, {.threads = 4}).distances, one.distances);
  }
}

TEST(SsspTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  const SsspResult result = Sssp(graph, std::vector<VertexId>{1},
                                 {.progress = [](int round, double) { return round < 2; }});
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.iterations, 2);
}

}  // namespace
}  // namespace sash
