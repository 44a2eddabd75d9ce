// The tree of parents that a breadth-first search finds on its way.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
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

constexpr FollowedEdges kSearched[] = {FollowedEdges::kOut, FollowedEdges::kIn,
                                       FollowedEdges::kBoth};

// The steps that a search may take.
std::set<std::pair<VertexId, VertexId>> StepsOf(const Pairs& pairs, FollowedEdges follow) {
  std::set<std::pair<VertexId, VertexId>> steps;
  for (const auto& [source, target] : pairs) {
    if (follow != FollowedEdges::kIn) steps.emplace(source, target);
    if (follow != FollowedEdges::kOut) steps.emplace(target, source);
  }
  return steps;
}

TEST(BfsTreeTest, AParentIsOneStepNearerAndTheDepthsAreThoseOfASearchWithoutTree) {
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    const std::vector<VertexId> roots = {static_cast<VertexId>(seed * 7 % random.ids), 3};
    OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
      for (const FollowedEdges follow : kSearched) {
        const auto steps = StepsOf(random.pairs, follow);
        const BfsResult without = Bfs(graph, roots, {.follow = follow});
        EXPECT_TRUE(without.parents.empty());
        const BfsResult found = Bfs(graph, roots, {.follow = follow, .tree = true});
        ASSERT_EQ(found.depths, without.depths);
        ASSERT_EQ(found.levels, without.levels);
        for (VertexId v = 0; v < random.ids; ++v) {
          const VertexId parent = found.parents[v];
          ASSERT_EQ(parent != kNoVertex, found.depths[v] > 0) << v;
          if (parent == kNoVertex) continue;
          ASSERT_EQ(found.depths[parent] + 1, found.depths[v]) << v;
          ASSERT_TRUE(steps.contains({parent, v})) << parent << " -> " << v;
        }
      }
    });
  }
}

// Vertices that the search does not reach have most of the edges, so it pushes.
TEST(BfsTreeTest, OfAPushedLevelTheLeastIdIsTheParent) {
  Pairs pairs = {{0, 1}, {0, 9}, {1, 20}, {9, 10}, {20, 30}, {10, 30}, {10, 31}, {20, 31}};
  constexpr VertexId kFirstFar = 100;
  constexpr VertexId kIds = 1'100;
  for (VertexId v = kFirstFar; v + 1 < kIds; ++v) pairs.emplace_back(v, v + 1);
  OverBothViews(pairs, kIds, [](const auto& graph) {
    for (const bool sweeps : {false, true}) {
      const BfsResult found =
          Bfs(graph, std::vector<VertexId>{0}, {.sweeps = sweeps, .tree = true});
      EXPECT_EQ(found.parents[30], 10u);
      EXPECT_EQ(found.parents[31], 10u);
      EXPECT_EQ(found.parents[20], 1u);
      EXPECT_EQ(found.parents[0], kNoVertex);
      EXPECT_EQ(found.parents[kFirstFar], kNoVertex);
    }
  });
}

// 30,000 vertices in two levels that are pushed by several threads: every one of the second has
// many possible parents.
TEST(BfsTreeTest, TheNumberOfThreadsDoesNotChangeTheTree) {
  constexpr VertexId kIds = 400'000;
  constexpr VertexId kLevel = 20'000;
  Pairs pairs;
  for (VertexId i = 1; i <= kLevel; ++i) {
    pairs.emplace_back(0, i);
    for (VertexId j = 0; j < 3; ++j) pairs.emplace_back(i, kLevel + 1 + (i * 7 + j * 31) % 10'000);
  }
  const Pairs others = RandomPairs(5, kIds, 1'500'000);
  const auto is_far = [](VertexId v) { return v > 2 * kLevel; };
  for (const auto& [source, target] : others) {
    if (is_far(source) && is_far(target)) pairs.emplace_back(source, target);
  }
  const CsrGraph graph = MakeCsr(pairs, kIds);
  const auto parents = [&](int threads) {
    return Bfs(graph, std::vector<VertexId>{0}, {.threads = threads, .tree = true}).parents;
  };
  const std::vector<VertexId> expected = parents(1);
  EXPECT_EQ(static_cast<VertexId>(std::ranges::count_if(
                expected, [](VertexId parent) { return parent != kNoVertex; })),
            kLevel + 10'000);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(parents(4), expected);
  // Pulled levels.
  const CsrGraph dense = MakeCsr(RandomPairs(6, 60'000, 600'000), 60'000);
  const BfsOptions both{.follow = FollowedEdges::kBoth, .threads = 1, .tree = true};
  BfsOptions threads = both;
  threads.threads = 4;
  EXPECT_EQ(Bfs(dense, std::vector<VertexId>{1}, both).parents,
            Bfs(dense, std::vector<VertexId>{1}, threads).parents);
}

}  // namespace
}  // namespace sash
