#include "windows/kernels/bfs_each.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "tests/support/random_graph.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::RandomPairs;

void ExpectEqual(const BfsResult& result, const BfsResult& expected) {
  EXPECT_EQ(result.depths, expected.depths);
  EXPECT_EQ(result.levels, expected.levels);
  EXPECT_EQ(result.reached, expected.reached);
}

// Repeated roots, roots without edges, and roots that are not ids.
std::vector<VertexId> DrawRoots(std::uint64_t seed, std::size_t count, VertexId ids) {
  std::mt19937_64 random(seed);
  std::vector<VertexId> roots;
  for (std::size_t i = 0; i < count; ++i) {
    roots.push_back(static_cast<VertexId>(random() % (ids + 2)));
    if (i % 5 == 4) roots.back() = roots[i / 2];
  }
  return roots;
}

TEST(BfsEachTest, EverySearchIsTheOneFromItsRootAlone) {
  const std::array<std::size_t, 7> counts = {1, 2, 16, 17, 64, 65, 150};
  for (std::uint64_t seed = 1; seed <= 28; ++seed) {
    SCOPED_TRACE(seed);
    const VertexId ids = seed % 2 == 0 ? 400 : 3'000;
    const CsrGraph graph = MakeCsr(RandomPairs(seed, ids, seed % 3 == 0 ? 20'000 : 2'000), ids);
    const std::vector<VertexId> roots = DrawRoots(seed, counts[seed % counts.size()], ids);
    for (const FollowedEdges follow :
         {FollowedEdges::kOut, FollowedEdges::kIn, FollowedEdges::kBoth}) {
      // Also without sweeps, where nothing may be copied.
      const std::vector<BfsResult> results =
          BfsEach(graph, roots, {.follow = follow, .sweeps = roots.size() % 2 == 0});
      ASSERT_EQ(results.size(), roots.size());
      for (std::size_t i = 0; i < roots.size(); ++i) {
        ExpectEqual(results[i], Bfs(graph, std::array{roots[i]}, {.follow = follow}));
      }
    }
  }
}

TEST(BfsEachTest, TheNumberOfThreadsDoesNotChangeDepths) {
  constexpr VertexId kIds = 60'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 300'000), kIds);
  const std::vector<VertexId> roots = DrawRoots(1, 40, kIds);
  const std::vector<BfsResult> one = BfsEach(graph, roots, {.threads = 1});
  const std::vector<BfsResult> many = BfsEach(graph, roots, {.threads = 4});
  for (std::size_t i = 0; i < roots.size(); ++i) ExpectEqual(one[i], many[i]);
}

TEST(BfsEachTest, NoRootsHaveNoResults) { EXPECT_TRUE(BfsEach(MakeCsr({{0, 1}}, 2), {}).empty()); }

TEST(BfsEachTest, StopsWhenToldTo) {
  testing::Pairs chain;
  for (VertexId v = 0; v < 50; ++v) chain.emplace_back(v, v + 1);
  const std::vector<VertexId> roots = {0, 1, 2};
  const std::vector<BfsResult> results =
      BfsEach(MakeCsr(chain, 51), roots, {.progress = [](int depth, double) { return depth < 3; }});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_TRUE(results[0].cancelled);
  EXPECT_EQ(results[0].reached, 4u);
}

}  // namespace
}  // namespace sash
