#include "windows/kernels/bfs.h"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>

#include "tests/support/random_graph.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::Pairs;
using testing::RandomPairs;

std::vector<std::int32_t> NaiveDepths(const Pairs& pairs, VertexId id_limit,
                                      const std::vector<VertexId>& roots, FollowedEdges follow) {
  std::vector<std::vector<VertexId>> next(id_limit);
  std::vector<bool> present(id_limit);
  for (const auto& [source, target] : pairs) {
    present[source] = present[target] = true;
    if (follow != FollowedEdges::kIn) next[source].push_back(target);
    if (follow != FollowedEdges::kOut) next[target].push_back(source);
  }
  std::vector<std::int32_t> depths(id_limit, kUnreached);
  std::deque<VertexId> queue;
  for (const VertexId root : roots) {
    if (root < id_limit && present[root] && depths[root] == kUnreached) {
      depths[root] = 0;
      queue.push_back(root);
    }
  }
  for (; !queue.empty(); queue.pop_front()) {
    for (const VertexId v : next[queue.front()]) {
      if (depths[v] != kUnreached) continue;
      depths[v] = depths[queue.front()] + 1;
      queue.push_back(v);
    }
  }
  return depths;
}

TEST(BfsTest, EqualsAQueueOnRandomGraphsInEveryDirection) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const VertexId ids = seed % 2 == 0 ? 400 : 3'000;
    const Pairs pairs = RandomPairs(seed, ids, seed % 3 == 0 ? 20'000 : 2'000);
    const CsrGraph graph = MakeCsr(pairs, ids);
    const std::vector<VertexId> roots = {static_cast<VertexId>(seed * 7 % ids), 3, 3};
    for (const FollowedEdges follow :
         {FollowedEdges::kOut, FollowedEdges::kIn, FollowedEdges::kBoth}) {
      const BfsResult result = Bfs(graph, roots, {.follow = follow});
      ASSERT_EQ(result.depths, NaiveDepths(pairs, ids, roots, follow));
      ASSERT_EQ(Bfs(graph, roots, {.follow = follow, .sweeps = true}).depths, result.depths);
      std::vector<std::uint64_t> levels;
      for (const std::int32_t depth : result.depths) {
        if (depth == kUnreached) continue;
        if (levels.size() <= static_cast<std::size_t>(depth)) levels.resize(depth + 1u);
        ++levels[static_cast<std::size_t>(depth)];
      }
      EXPECT_EQ(result.levels, levels);
      EXPECT_EQ(result.reached, std::accumulate(levels.begin(), levels.end(), std::uint64_t{0}));
    }
  }
}

TEST(BfsTest, ARootThatIsNotThereReachesNothing) {
  const CsrGraph graph = MakeCsr(testing::Pairs{{0, 1}}, 5);
  EXPECT_TRUE(Bfs(graph, std::vector<VertexId>{3}).levels.empty());
  EXPECT_EQ(Bfs(graph, std::vector<VertexId>{99}).reached, 0u);
}

TEST(BfsTest, ARootWithOnlyASelfLoopReachesItself) {
  EXPECT_EQ(Bfs(MakeCsr(testing::Pairs{{2, 2}}, 3), std::vector<VertexId>{2}).levels,
            (std::vector<std::uint64_t>{1}));
}

TEST(BfsTest, TheNumberOfThreadsDoesNotChangeDepths) {
  constexpr VertexId kIds = 60'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 300'000), kIds);
  const std::vector<VertexId> roots = {1};
  EXPECT_EQ(Bfs(graph, roots, {.threads = 1}).depths, Bfs(graph, roots, {.threads = 4}).depths);
}

}  // namespace
}  // namespace sash
