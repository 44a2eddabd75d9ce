#include "windows/kernels/paths_between_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

#include "tests/support/path_oracle.h"
#include "tests/support/seed_range.h"

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

using Ids = std::vector<VertexId>;
using Paths = std::vector<Ids>;

SetPathsOptions RandomSetOptions(std::mt19937_64& random) {
  return {.by_weight = random() % 2 == 0,
          .follow = testing::RandomDirection(random),
          .most = 1 + static_cast<int>(random() % 7),
          .threads = 1 + static_cast<int>(random() % 2)};
}

// One to three ids, of which some may not be in the graph, or given twice.
Ids IdsOfASet(VertexId ids, std::mt19937_64& random) {
  Ids drawn(1 + random() % 3);
  for (VertexId& v : drawn) v = static_cast<VertexId>(random() % (ids + 1));
  return drawn;
}

Paths FoundBetween(const auto& graph, const Ids& from, const Ids& to,
                   const SetPathsOptions& options, const Ranks& ranks) {
  SetPathsResult result = PathsBetweenSets(
      graph, from, to, options, [&](VertexId a, VertexId b) { return ranks[a] < ranks[b]; });
  EXPECT_FALSE(result.cancelled);
  EXPECT_LE(result.iterations, options.most);
  return std::move(result.paths);
}

Ids IdsInGraph(const auto& graph, Ids ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::erase_if(ids, [&](VertexId v) { return !std::ranges::count(graph.vertices(), v); });
  return ids;
}

// The paths by the definition: one to each end, in the order of costs, then of ranks.
Paths ExpectedBetween(const auto& graph, const Ids& from, const Ids& to,
                      const SetPathsOptions& options, const Ranks& ranks) {
  std::vector<std::pair<EveryPath::Cost, Ids>> found;
  EveryPath every(graph, options, ranks);
  const Ids starts = IdsInGraph(graph, from);
  for (const VertexId end : IdsInGraph(graph, to)) {
    const Shortest shortest = every.FindFromAny(starts, end);
    if (shortest.paths > 0) found.emplace_back(every.cost(), shortest.vertices);
  }
  std::ranges::sort(found, [&](const auto& a, const auto& b) {
    if (!(a.first == b.first)) return a.first < b.first;
    return ranks[a.second.back()] < ranks[b.second.back()];
  });
  Paths paths;
  for (auto& [cost, vertices] : found) paths.push_back(std::move(vertices));
  return paths;
}

TEST(PathsBetweenSetsTest, AreThoseOfTheDefinitionForEveryPolicyAndStore) {
  std::uint64_t found = 0;
  std::uint64_t several = 0;
  const testing::SeedRange seeds = SeedsFromEnvironment({1, 400});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto ids = static_cast<VertexId>(3 + random() % 6);
    const Ranks ranks = RandomRanks(ids, random);
    const SetPathsOptions options = RandomSetOptions(random);
    const Ids from = IdsOfASet(ids, random);
    const Ids to = IdsOfASet(ids, random);
    for (const auto policy :
         {DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop, DuplicatesPolicy::kWeigh}) {
      const auto answer = [&](StoreKind kind) {
        return VisitView(RandomWindow(kind, policy, seed, ids), [&](const auto& graph) {
          Paths paths = FoundBetween(graph, from, to, options, ranks);
          EXPECT_EQ(paths, ExpectedBetween(graph, from, to, options, ranks));
          found += paths.empty() ? 0 : 1;
          several += paths.size() > 1 ? 1 : 0;
          return paths;
        });
      };
      EXPECT_EQ(answer(StoreKind::kRebuild), answer(StoreKind::kMultiversioned));
    }
  }
  EXPECT_GT(found, 3 * seeds.count);
  EXPECT_GT(several, seeds.count);
}

// Other ids for the same keys, and lists in another order.
TEST(PathsBetweenSetsTest, DoNotDependOnIdsAndAreThoseOfTheSearchFromBothEnds) {
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto graph = MakeRandomGraph(4 * seed + 2);  // 300 ids
    const SetPathsOptions options = RandomSetOptions(random);
    const Ranks keys = RandomRanks(graph.ids, random);  // by id; also the other ids
    std::vector<IdEdge> edges;
    for (const auto& [source, target] : graph.pairs) {
      edges.push_back({source, target, RandomWeight(seed, random)});
    }
    const std::vector<IdEdge> others = testing::Renumbered(edges, keys, random);
    const VertexId from = graph.pairs[random() % graph.pairs.size()].first;
    Ids to;
    for (int i = 0; i < 20; ++i) to.push_back(graph.pairs[random() % graph.pairs.size()].second);
    const auto csr = MakeCsr(edges, graph.ids);
    Paths one = FoundBetween(csr, {from}, to, options, keys);
    Ids renamed = to;
    for (VertexId& v : renamed) v = keys[v];
    const Paths other = PathsBetweenSets(*MakeMultiversioned(others, graph.ids), Ids{keys[from]},
                                         renamed, options, std::less<>())
                            .paths;
    const PathsOptions single{
        .by_weight = options.by_weight, .follow = options.follow, .most = options.most};
    for (const Ids& path : one) {
      const PathsResult alone =
          ShortestPath(csr, from, path.back(), single,
                       [&](VertexId a, VertexId b) { return keys[a] < keys[b]; });
      EXPECT_EQ(path, alone.vertices);
      ++found;
    }
    for (Ids& path : one) {
      for (VertexId& v : path) v = keys[v];
    }
    EXPECT_EQ(one, other);
  }
  EXPECT_GT(found, 300u);
}

// 0 and 9 both lead to 5 in two edges; the first start in the order has the path, even though the
// vertex behind it comes last.
TEST(PathsBetweenSetsTest, OfEquallyNearStartsTheFirstInTheOrderHasThePath) {
  const Pairs pairs = {{0, 8}, {8, 5}, {9, 1}, {1, 5}, {0, 7}, {7, 5}, {9, 6}};
  testing::OverBothViews(pairs, 10, [](const auto& graph) {
    const auto paths = [&](const auto& less) {
      return PathsBetweenSets(graph, Ids{9, 0}, Ids{5, 6, 0, 4}, {}, less).paths;
    };
    EXPECT_EQ(paths(std::less<>()), (Paths{{0}, {9, 6}, {0, 7, 5}}));
    EXPECT_EQ(paths(std::greater<>()), (Paths{{0}, {9, 6}, {9, 1, 5}}));
  });
}

// 0 to 3 in three light edges or in one that is heavy.
TEST(PathsBetweenSetsTest, TheBoundOnEdgesDecidesWhichOfALightAndAShortPathCounts) {
  const std::vector<IdEdge> edges = {{0, 1, Weight::Integer(1)},
                                     {1, 2, Weight::Integer(1)},
                                     {2, 3, Weight::Integer(1)},
                                     {0, 3, Weight::Integer(9)},
                                     {3, 4, Weight::Integer(1)}};
  testing::OverBothViews(edges, 5, [](const auto& graph) {
    const auto paths = [&](int most, bool by_weight) {
      const SetPathsOptions options{.by_weight = by_weight, .most = most};
      return PathsBetweenSets(graph, Ids{0}, Ids{4, 3}, options, std::less<>()).paths;
    };
    EXPECT_EQ(paths(4, true), (Paths{{0, 1, 2, 3}, {0, 1, 2, 3, 4}}));
    EXPECT_EQ(paths(3, true), (Paths{{0, 1, 2, 3}, {0, 3, 4}}));
    EXPECT_EQ(paths(2, true), (Paths{{0, 3}, {0, 3, 4}}));
    EXPECT_EQ(paths(1, true), (Paths{{0, 3}}));
    EXPECT_EQ(paths(4, false), (Paths{{0, 3}, {0, 3, 4}}));
  });
}

TEST(PathsBetweenSetsTest, ANegativeWeightAnywhereLeavesNoPathsByWeight) {
  const std::vector<IdEdge> edges = {{0, 1, {}}, {2, 3, Weight::Real(-0.5)}};
  testing::OverBothViews(edges, 4, [](const auto& graph) {
    const SetPathsResult fewest = PathsBetweenSets(graph, Ids{0}, Ids{1}, {}, std::less<>());
    EXPECT_EQ(fewest.paths, (Paths{{0, 1}}));
    EXPECT_EQ(fewest.negative_edges, 0u);
    const SetPathsResult lightest =
        PathsBetweenSets(graph, Ids{0}, Ids{1}, {.by_weight = true}, std::less<>());
    EXPECT_TRUE(lightest.paths.empty());
    EXPECT_EQ(lightest.negative_edges, 1u);
  });
}

TEST(PathsBetweenSetsTest, AnInfiniteWeightIsNotFollowedAndHugeWeightsAreAddedExactly) {
  testing::OverBothViews(testing::EdgesOfHugeWeights(), 7, [](const auto& graph) {
    EXPECT_EQ(
        PathsBetweenSets(graph, Ids{0, 3}, Ids{1, 6}, {.by_weight = true}, std::less<>()).paths,
        (Paths{{3, 5, 6}, {0, 2, 1}}));
  });
}

TEST(PathsBetweenSetsTest, StopsWhenToldToAndWhenAllEndsAreReached) {
  Pairs pairs;
  for (VertexId v = 0; v < 50; ++v) pairs.emplace_back(v, v + 1);
  const auto graph = MakeCsr(pairs, 51);
  for (const bool by_weight : {false, true}) {
    SetPathsOptions options{.by_weight = by_weight, .most = kMostPathEdges};
    EXPECT_EQ(PathsBetweenSets(graph, Ids{0}, Ids{7}, options, std::less<>()).iterations, 7);
    int rounds = 0;
    options.progress = [&](int, double) { return ++rounds < 3; };
    const SetPathsResult stopped = PathsBetweenSets(graph, Ids{0}, Ids{7}, options, std::less<>());
    EXPECT_TRUE(stopped.cancelled);
    EXPECT_EQ(rounds, 3);
    EXPECT_TRUE(stopped.paths.empty());
  }
}

}  // namespace
}  // namespace sash
