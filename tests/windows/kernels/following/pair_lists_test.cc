#include "windows/kernels/following/pair_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/random_graph.h"

namespace sash {
namespace {

using Ends = std::pair<VertexId, VertexId>;  // the lower id first

// A multigraph without directions: the number of edges of each pair.
using Edges = std::map<Ends, int>;

Ends EndsOf(VertexId a, VertexId b) { return {std::min(a, b), std::max(a, b)}; }

PairLists Filled(const Edges& edges, VertexId id_limit) {
  testing::Pairs list;
  for (const auto& [ends, count] : edges) {
    for (int i = 0; i < count; ++i) {
      // Both directions, and a loop that does not count.
      list.emplace_back(i % 2 == 0 ? ends : Ends{ends.second, ends.first});
      list.emplace_back(ends.first, ends.first);
    }
  }
  PairLists pairs;
  pairs.Fill(testing::MakeCsr(list, id_limit), 2);
  return pairs;
}

std::set<Ends> EndsOf(const std::vector<PairLists::Pair>& pairs) {
  std::set<Ends> ends;
  for (const auto& pair : pairs) EXPECT_TRUE(ends.insert({pair.low, pair.high}).second);
  return ends;
}

void ExpectLists(const PairLists& pairs, const std::set<Ends>& expected,
                 const std::set<Ends>& flagged) {
  std::set<Ends> found;
  for (VertexId v = 0; v < pairs.id_limit(); ++v) {
    const PairLists::List list = pairs.list(v);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const VertexId u = list.other(i);
      if (i > 0) {
        EXPECT_LT(list.other(i - 1), u);
      }
      EXPECT_EQ(list.is_flagged(i), flagged.contains(EndsOf(v, u))) << v << " and " << u;
      found.insert({v, u});
    }
  }
  std::set<Ends> both_ways;
  for (const auto& [a, b] : expected) {
    both_ways.insert({a, b});
    both_ways.insert({b, a});
  }
  EXPECT_EQ(found, both_ways);
}

std::set<Ends> Present(const Edges& edges) {
  std::set<Ends> present;
  for (const auto& [ends, count] : edges) {
    if (count > 0) present.insert(ends);
  }
  return present;
}

std::vector<PairChange> Change(Edges& edges, VertexId a, VertexId b, int by) {
  edges[EndsOf(a, b)] += by;
  return {{a, b, by}, {b, a, by}};
}

TEST(PairListsTest, AChangeIsSeenInSteps) {
  Edges edges = {{{0, 1}, 2}, {{0, 300}, 1}, {{1, 300}, 1}, {{5, 600}, 3}};
  PairLists pairs = Filled(edges, 601);
  const std::set<Ends> before = Present(edges);
  ExpectLists(pairs, before, {});
  std::vector<PairChange> changes;
  const auto change = [&](VertexId a, VertexId b, int by) {
    for (const PairChange& each : Change(edges, a, b, by)) changes.push_back(each);
  };
  change(0, 1, -1);    // one of two
  change(300, 0, -1);  // the only one
  change(600, 5, -3);
  change(5, 7, 1);
  change(7, 5, 1);
  change(2, 3, 1);  // comes and leaves
  change(2, 3, -1);
  const auto left = pairs.Begin(changes, 700, 2);
  ASSERT_TRUE(left);
  const std::set<Ends> leaving = {{0, 300}, {5, 600}};
  EXPECT_EQ(EndsOf(*left), leaving);
  ExpectLists(pairs, before, leaving);
  const std::set<Ends> coming = {{5, 7}};
  EXPECT_EQ(EndsOf(pairs.Exchange(2)), coming);
  ExpectLists(pairs, Present(edges), coming);
  pairs.Settle(2);
  ExpectLists(pairs, Present(edges), {});
  EXPECT_EQ(pairs.id_limit(), 700u);
}

TEST(PairListsTest, ManyEdgesOfAPairAreCountedExactly) {
  Edges edges = {{{1, 2}, 126}, {{3, 4}, 127}, {{5, 6}, 1'000}};
  PairLists pairs = Filled(edges, 10);
  const auto change = [&](const std::vector<PairChange>& changes) {
    const auto left = pairs.Begin(changes, 10, 1);
    EXPECT_TRUE(left);
    pairs.Exchange(1);
    pairs.Settle(1);
    ExpectLists(pairs, Present(edges), {});
  };
  for (int i = 0; i < 3; ++i) change(Change(edges, 1, 2, 1));
  change(Change(edges, 5, 6, -999));
  change(Change(edges, 1, 2, -128));
  change(Change(edges, 3, 4, -126));
  EXPECT_EQ(Present(edges).size(), 3u);
  change(Change(edges, 1, 2, -1));
  change(Change(edges, 3, 4, -1));
  change(Change(edges, 5, 6, -1));
  change(Change(edges, 8, 9, 500));
  change(Change(edges, 8, 9, -499));
  change(Change(edges, 8, 9, -1));
  EXPECT_TRUE(Present(edges).empty());
}

TEST(PairListsTest, AnEdgeThatWasNotThereCannotLeave) {
  Edges edges = {{{1, 2}, 1}};
  EXPECT_FALSE(Filled(edges, 10).Begin({{3, 4, -1}, {4, 3, -1}}, 10, 1));
  EXPECT_FALSE(Filled(edges, 10).Begin({{1, 2, -2}, {2, 1, -2}}, 10, 1));
}

TEST(PairListsTest, RandomChangesLeaveWhatAPlainCountLeaves) {
  constexpr VertexId kIds = 600;  // of three chunks
  std::mt19937_64 random(1);
  Edges edges;
  PairLists pairs = Filled(edges, 1);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const std::set<Ends> before = Present(edges);
    std::vector<PairChange> changes;
    for (int i = 0; i < 100; ++i) {
      const auto a = static_cast<VertexId>(random() % 20 * (kIds / 20));
      const auto b = static_cast<VertexId>(random() % kIds);
      if (a == b) continue;
      const int there = edges[EndsOf(a, b)];
      const int by = there > 0 && random() % 3 > 0 ? -there : static_cast<int>(random() % 3);
      for (const PairChange& change : Change(edges, a, b, by)) changes.push_back(change);
    }
    const std::set<Ends> after = Present(edges);
    std::set<Ends> leaving;
    std::set<Ends> coming;
    std::ranges::set_difference(before, after, std::inserter(leaving, leaving.end()));
    std::ranges::set_difference(after, before, std::inserter(coming, coming.end()));
    const auto left = pairs.Begin(changes, kIds, 2);
    ASSERT_TRUE(left);
    EXPECT_EQ(EndsOf(*left), leaving);
    ExpectLists(pairs, before, leaving);
    EXPECT_EQ(EndsOf(pairs.Exchange(2)), coming);
    ExpectLists(pairs, after, coming);
    pairs.Settle(2);
    ASSERT_NO_FATAL_FAILURE(ExpectLists(pairs, after, {}));
  }
}

}  // namespace
}  // namespace sash
