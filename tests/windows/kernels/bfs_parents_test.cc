#include "windows/kernels/bfs_parents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/support/both_views.h"
#include "windows/kernels/bfs.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

constexpr FollowedEdges kEveryDirection[] = {FollowedEdges::kOut, FollowedEdges::kIn,
                                             FollowedEdges::kBoth};

// A random permutation: a place for each vertex, independent of its id.
std::vector<std::uint32_t> RandomPlaces(VertexId ids, std::uint64_t seed) {
  std::vector<std::uint32_t> places(ids);
  for (VertexId v = 0; v < ids; ++v) places[v] = v;
  std::ranges::shuffle(places, std::mt19937_64(seed));
  return places;
}

// The definition, over all edges: among the tails that are one step nearer, the one with the least
// place.
std::vector<VertexId> NaiveParents(const Pairs& pairs, const std::vector<std::int32_t>& depths,
                                   FollowedEdges follow, const std::vector<std::uint32_t>& places) {
  std::vector<VertexId> parents(depths.size(), kNoVertex);
  const auto take = [&](VertexId from, VertexId to) {
    if (depths[from] == kUnreached || depths[from] + 1 != depths[to]) return;
    if (parents[to] == kNoVertex || places[from] < places[parents[to]]) parents[to] = from;
  };
  for (const auto& [source, target] : pairs) {
    if (follow != FollowedEdges::kIn) take(source, target);
    if (follow != FollowedEdges::kOut) take(target, source);
  }
  return parents;
}

TEST(BfsParentsTest, EqualTheDefinitionOnRandomGraphsInEveryDirectionAndOrder) {
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    const std::vector<VertexId> roots = {static_cast<VertexId>(seed * 7 % random.ids), 3};
    const std::vector<std::uint32_t> places = RandomPlaces(random.ids, seed);
    const auto comes_first = [&](VertexId a, VertexId b) { return places[a] < places[b]; };
    OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
      for (const FollowedEdges follow : kEveryDirection) {
        const std::vector<std::int32_t> depths = Bfs(graph, roots, {.follow = follow}).depths;
        const auto expected = NaiveParents(random.pairs, depths, follow, places);
        const std::span<const VertexId> vertices = graph.vertices();
        const auto parents = BfsParents(graph, depths, follow, vertices, 2, comes_first);
        for (std::size_t i = 0; i < vertices.size(); ++i) {
          const VertexId v = vertices[i];
          ASSERT_EQ(parents[i], expected[v]) << v;
          ASSERT_EQ(BfsParent(graph, depths, follow, v, comes_first), expected[v]) << v;
        }
      }
    });
  }
}

TEST(BfsParentsTest, EveryReachedVertexHasOneAndRootsHaveNone) {
  constexpr VertexId kIds = 5'000;
  const CsrGraph graph = MakeCsr(RandomPairs(2, kIds, 12'000), kIds);
  const std::vector<std::int32_t> depths = Bfs(graph, std::vector<VertexId>{1, 2}).depths;
  const auto vertices = graph.vertices();
  const auto parents =
      BfsParents(graph, depths, FollowedEdges::kOut, vertices, 2, std::less<VertexId>());
  std::size_t with = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    ASSERT_EQ(parents[i] != kNoVertex, depths[vertices[i]] > 0) << vertices[i];
    with += parents[i] != kNoVertex ? 1 : 0;
  }
  EXPECT_GT(with, kIds / 4);
}

TEST(BfsParentsTest, TheNumberOfThreadsDoesNotChangeThem) {
  constexpr VertexId kIds = 60'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 300'000), kIds);
  const auto depths = Bfs(graph, std::vector<VertexId>{1}, {.follow = FollowedEdges::kBoth}).depths;
  const auto run = [&](int threads) {
    return BfsParents(graph, depths, FollowedEdges::kBoth, graph.vertices(), threads,
                      std::greater<VertexId>());
  };
  EXPECT_EQ(run(1), run(4));
}

}  // namespace
}  // namespace sash
