#include "windows/kernels/edge_difference.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::MakeMultiversioned;
using testing::Pairs;
using testing::RandomPairs;
using testing::Unweighted;

using Sorted = std::set<Pairs::value_type>;

Sorted Difference(const Sorted& left, const Sorted& right) {
  Sorted difference;
  std::ranges::set_difference(left, right, std::inserter(difference, difference.end()));
  return difference;
}

// The first `listed` pairs.
std::vector<VertexPair> First(const Sorted& all, std::size_t listed) {
  std::vector<VertexPair> first;
  for (const auto& [source, target] : all) {
    if (first.size() < listed) first.push_back({source, target});
  }
  return first;
}

TEST(EdgeDifferenceTest, EqualsTheDifferenceOfSetsOfPairsOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const VertexId ids = seed % 2 == 0 ? 60 : 3'000;
    Pairs pairs = RandomPairs(seed, ids, 900);
    const Pairs before(pairs.begin(), pairs.begin() + 600);
    const Pairs after(pairs.begin() + 300, pairs.end());
    const Sorted old_pairs(before.begin(), before.end());
    const Sorted new_pairs(after.begin(), after.end());
    const Sorted appeared = Difference(new_pairs, old_pairs);
    const Sorted vanished = Difference(old_pairs, new_pairs);
    const auto expect = [&](const auto& then, const auto& now) {
      for (const std::size_t listed : {0u, 10u, 100'000u}) {
        const EdgeDifferenceResult result = EdgeDifference(then, now, {.listed = listed});
        EXPECT_EQ(result.appeared.count, appeared.size());
        EXPECT_EQ(result.vanished.count, vanished.size());
        EXPECT_EQ(result.appeared.first, First(appeared, listed));
        EXPECT_EQ(result.vanished.first, First(vanished, listed));
      }
    };
    // The later graph may have more ids.
    expect(MakeCsr(before, ids), MakeCsr(after, ids + 10));
    expect(*MakeMultiversioned(Unweighted(before), ids),
           *MakeMultiversioned(Unweighted(after), ids));
    expect(MakeCsr(before, ids), *MakeMultiversioned(Unweighted(after), ids));
  }
}

TEST(EdgeDifferenceTest, ListsInTheOrderThatItIsGiven) {
  const auto greater = [](VertexId a, VertexId b) { return a > b; };
  const EdgeDifferenceResult result =
      EdgeDifference(MakeCsr(Pairs{}, 0), MakeCsr(Pairs{{0, 1}, {2, 0}, {2, 2}, {1, 1}}, 3),
                     {.listed = 3}, greater);
  EXPECT_EQ(result.appeared.count, 4u);
  EXPECT_EQ(result.appeared.first, (std::vector<VertexPair>{{2, 2}, {2, 0}, {1, 1}}));
  EXPECT_EQ(result.vanished.count, 0u);
}

TEST(EdgeDifferenceTest, MoreOrFewerParallelEdgesAreNoChange) {
  const EdgeDifferenceResult result =
      EdgeDifference(MakeCsr(Pairs{{0, 1}, {0, 1}, {1, 1}}, 2), MakeCsr(Pairs{{0, 1}, {1, 0}}, 2));
  EXPECT_EQ(result.appeared.first, (std::vector<VertexPair>{{1, 0}}));
  EXPECT_EQ(result.vanished.first, (std::vector<VertexPair>{{1, 1}}));
}

TEST(EdgeDifferenceTest, TheNumberOfThreadsDoesNotChangeCountsOrLists) {
  constexpr VertexId kIds = 30'000;
  const CsrGraph before = MakeCsr(RandomPairs(5, kIds, 100'000), kIds);
  const CsrGraph after = MakeCsr(RandomPairs(6, kIds, 100'000), kIds);
  const EdgeDifferenceResult one = EdgeDifference(before, after, {.listed = 1'000, .threads = 1});
  const EdgeDifferenceResult many = EdgeDifference(before, after, {.listed = 1'000, .threads = 4});
  EXPECT_EQ(many.appeared.count, one.appeared.count);
  EXPECT_EQ(many.appeared.first, one.appeared.first);
  EXPECT_EQ(many.vanished.first, one.vanished.first);
}

TEST(EdgeDifferenceTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  EXPECT_TRUE(
      EdgeDifference(graph, graph, {.progress = [](int, double) { return false; }}).cancelled);
}

}  // namespace
}  // namespace sash
