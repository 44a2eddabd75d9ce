#include "windows/kernels/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "tests/support/path_oracle.h"
#include "tests/support/seed_range.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/sssp.h"

namespace sash {
namespace {

using testing::EveryPath;
using testing::IdEdge;
using testing::MakeCsr;
using testing::MakeMultiversioned;
using testing::MakeRandomGraph;
using testing::Pairs;
using testing::RandomRanks;
using testing::RandomWeight;
using testing::RandomWindow;
using testing::Ranks;
using testing::SeedsFromEnvironment;
using testing::Shortest;

PathsResult Found(const auto& graph, VertexId from, VertexId to, const PathsOptions& options,
                  const Ranks& ranks) {
  return ShortestPath(graph, from, to, options,
                      [&](VertexId a, VertexId b) { return ranks[a] < ranks[b]; });
}

PathsOptions RandomOptions(std::mt19937_64& random) {
  return {.by_weight = random() % 2 == 0,
          .follow = testing::RandomDirection(random),
          .most = 1 + static_cast<int>(random() % 7)};
}

TEST(PathsTest, AreThoseOfTheDefinitionForEveryPolicyAndStore) {
  std::uint64_t several = 0;
  std::uint64_t found = 0;
  const testing::SeedRange seeds = SeedsFromEnvironment({1, 300});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto ids = static_cast<VertexId>(3 + random() % 6);
    const Ranks ranks = RandomRanks(ids, random);
    const PathsOptions options = RandomOptions(random);
    const auto from = static_cast<VertexId>(random() % ids);
    const auto to = static_cast<VertexId>(random() % ids);
    for (const auto policy :
         {DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop, DuplicatesPolicy::kWeigh}) {
      const auto answer = [&](StoreKind kind) {
        return VisitView(RandomWindow(kind, policy, seed, ids), [&](const auto& graph) {
          const PathsResult result = Found(graph, from, to, options, ranks);
          const Shortest shortest = {result.vertices, result.paths};
          EXPECT_EQ(shortest, EveryPath(graph, options, ranks).Find(from, to));
          several += result.paths > 1 ? 1 : 0;
          found += result.paths > 0 ? 1 : 0;
          return std::pair(shortest, result.edges_read);
        });
      };
      EXPECT_EQ(answer(StoreKind::kRebuild), answer(StoreKind::kMultiversioned));
    }
  }
  EXPECT_GT(found, 3 * seeds.count);
  if (seeds.count >= 100) {
    EXPECT_GT(several, seeds.count / 6);  // the first few seeds have none
  }
}

// Other ids for the same keys, and lists in another order.
TEST(PathsTest, TheAnswerAndTheEdgesThatAreReadDoNotDependOnIds) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto graph = MakeRandomGraph(4 * seed + 2);  // 300 ids
    PathsOptions options = RandomOptions(random);
    std::vector<IdEdge> edges;
    for (const auto& [source, target] : graph.pairs) {
      edges.push_back({source, target, RandomWeight(seed, random)});
    }
    const Ranks keys = RandomRanks(graph.ids, random);  // by id; also the other ids
    const std::vector<IdEdge> others = testing::Renumbered(edges, keys, random);
    const auto from = graph.pairs[random() % graph.pairs.size()].first;
    const auto to = graph.pairs[random() % graph.pairs.size()].second;
    PathsResult one = Found(MakeCsr(edges, graph.ids), from, to, options, keys);
    const PathsResult other = ShortestPath(*MakeMultiversioned(others, graph.ids), keys[from],
                                           keys[to], options, std::less<VertexId>());
    for (VertexId& v : one.vertices) v = keys[v];
    EXPECT_EQ(one.vertices, other.vertices);
    EXPECT_EQ(one.paths, other.paths);
    EXPECT_EQ(one.edges_read, other.edges_read);
    if (one.edges_read == 0) continue;
    options.most_read = one.edges_read - 1;
    EXPECT_GT(Found(MakeCsr(edges, graph.ids), from, to, options, keys).edges_needed,
              options.most_read);
  }
}

TEST(PathsTest, AreAsShortAsTheSearchesFromOneEnd) {
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto graph = MakeRandomGraph(seed);
    std::vector<IdEdge> edges;
    for (const auto& [source, target] : graph.pairs) {
      edges.push_back({source, target, Weight::Integer(static_cast<std::int64_t>(random() % 9))});
    }
    const auto view = MakeMultiversioned(edges, graph.ids);
    const auto from = graph.pairs[random() % graph.pairs.size()].first;
    const BfsResult depths = Bfs(*view, std::vector{from});
    const SsspResult distances = Sssp(*view, std::vector{from});
    for (const VertexId to : view->vertices()) {
      const PathsResult fewest = ShortestPath(*view, from, to, {.most = 100}, std::less<>());
      ASSERT_EQ(static_cast<int>(fewest.vertices.size()) - 1, depths.depths[to]);
      const PathsResult lightest =
          ShortestPath(*view, from, to, {.by_weight = true, .most = 100}, std::less<>());
      ASSERT_EQ(lightest.vertices.empty(), depths.depths[to] == kUnreached);
      if (lightest.vertices.empty()) continue;
      double weight = 0;
      for (std::size_t i = 0; i + 1 < lightest.vertices.size(); ++i) {
        double least = kUnreachedDistance;
        for (const auto& neighbour : view->weighted_out(lightest.vertices[i])) {
          if (neighbour.vertex != lightest.vertices[i + 1]) continue;
          least = std::min(least, neighbour.weight.AsDouble());
        }
        weight += least;
      }
      ASSERT_EQ(weight, distances.distances[to]);
      ++found;
    }
  }
  EXPECT_GT(found, 1'000u);
}

// 60 diamonds in a row, each with the vertices 3 i to 3 i + 3: two ways through each.
TEST(PathsTest, MorePathsThanANumberHoldsAreCountedAsTheMost) {
  Pairs pairs;
  for (VertexId v = 0; v < 180; v += 3) {
    for (const VertexId way : {v + 1, v + 2}) {
      pairs.emplace_back(v, way);
      pairs.emplace_back(way, v + 3);
    }
  }
  const auto graph = MakeCsr(pairs, 181);
  for (const bool by_weight : {false, true}) {
    const PathsResult result =
        ShortestPath(graph, 0, 180, {.by_weight = by_weight, .most = 120}, std::greater<>());
    EXPECT_EQ(result.paths, kMostPathsCounted);
    ASSERT_EQ(result.vertices.size(), 121u);
    EXPECT_EQ(result.vertices[1], 2u);
    EXPECT_EQ(result.vertices[119], 179u);
    EXPECT_TRUE(ShortestPath(graph, 0, 180, {.by_weight = by_weight, .most = 119}, std::less<>())
                    .vertices.empty());
  }
}

// A hub in the middle of each way: neither side may read it.
TEST(PathsTest, StopsBeforeItReadsMoreEdgesThanAllowed) {
  Pairs pairs = {{0, 1}, {2, 3}};
  for (VertexId v = 10; v < 510; ++v) {
    pairs.emplace_back(1, v);
    pairs.emplace_back(v, 2);
  }
  const auto graph = MakeCsr(pairs, 510);
  for (const bool by_weight : {false, true}) {
    PathsOptions options{.by_weight = by_weight, .most_read = 501};
    PathsResult result = ShortestPath(graph, 0, 3, options, std::less<>());
    EXPECT_TRUE(result.vertices.empty());
    EXPECT_EQ(result.edges_read, 2u);
    EXPECT_EQ(result.edges_needed, 502u);
    options.most_read = 1'200;
    result = ShortestPath(graph, 0, 3, options, std::less<>());
    EXPECT_EQ(result.vertices, (std::vector<VertexId>{0, 1, 10, 2, 3}));
    EXPECT_EQ(result.paths, 500u);
    EXPECT_EQ(result.edges_needed, 0u);
  }
}

TEST(PathsTest, ANegativeWeightThatIsReadIsCountedAndOnlyByWeight) {
  const std::vector<IdEdge> edges = {{0, 1, Weight::Integer(-2)}, {1, 2, Weight::Real(-0.5)}};
  testing::OverBothViews(edges, 3, [](const auto& graph) {
    const PathsResult fewest = ShortestPath(graph, 0, 2, {}, std::less<>());
    EXPECT_EQ(fewest.vertices.size(), 3u);
    EXPECT_EQ(fewest.negative_edges, 0u);
    const PathsResult lightest = ShortestPath(graph, 0, 2, {.by_weight = true}, std::less<>());
    EXPECT_TRUE(lightest.vertices.empty());
    EXPECT_EQ(lightest.negative_edges, 1u);
  });
}

TEST(PathsTest, AnInfiniteWeightIsNotFollowedAndHugeWeightsAreAddedExactly) {
  testing::OverBothViews(testing::EdgesOfHugeWeights(), 7, [](const auto& graph) {
    const PathsOptions options{.by_weight = true};
    EXPECT_EQ(ShortestPath(graph, 0, 1, options, std::less<>()).vertices,
              (std::vector<VertexId>{0, 2, 1}));
    EXPECT_EQ(ShortestPath(graph, 3, 6, options, std::less<>()).vertices,
              (std::vector<VertexId>{3, 5, 6}));
  });
}

}  // namespace
}  // namespace sash
