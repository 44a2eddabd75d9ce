#include "windows/kernels/reciprocity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <set>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

using Shares = std::vector<std::optional<double>>;

struct Naive {
  Shares shares;
  std::uint64_t pairs = 0;
  std::uint64_t led_back = 0;
};

// The definition, over sets of pairs.
Naive NaiveReciprocity(const Pairs& pairs, VertexId ids) {
  std::set<std::pair<VertexId, VertexId>> arcs;
  for (const auto& [source, target] : pairs) {
    if (source != target) arcs.insert({source, target});
  }
  Naive naive{Shares(ids), arcs.size(), 0};
  for (VertexId v = 0; v < ids; ++v) {
    double out = 0;
    double back = 0;
    for (VertexId u = 0; u < ids; ++u) {
      if (!arcs.contains({v, u})) continue;
      ++out;
      if (arcs.contains({u, v})) ++back;
    }
    if (out > 0) naive.shares[v] = back / out;
    naive.led_back += static_cast<std::uint64_t>(back);
  }
  return naive;
}

Shares SharesOf(const ReciprocityResult& result) {
  Shares shares;
  for (const double share : result.shares) {
    shares.push_back(std::isnan(share) ? std::nullopt : std::optional(share));
  }
  return shares;
}

TEST(ReciprocityTest, EqualsTheDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 32; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    const Naive expected = NaiveReciprocity(random.pairs, random.ids);
    OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
      const ReciprocityResult found = Reciprocity(graph);
      EXPECT_EQ(SharesOf(found), expected.shares);
      EXPECT_EQ(found.pairs, expected.pairs);
      EXPECT_EQ(found.led_back, expected.led_back);
    });
  }
}

TEST(ReciprocityTest, AVertexWithoutOutNeighboursHasNoShare) {
  const ReciprocityResult found =
      Reciprocity(MakeCsr(Pairs{{0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 2}}, 4));
  EXPECT_EQ(SharesOf(found), (Shares{1, 0.5, std::nullopt, std::nullopt}));
  EXPECT_EQ(found.pairs, 3u);
  EXPECT_EQ(found.led_back, 2u);
  EXPECT_TRUE(Reciprocity(MakeCsr(Pairs{}, 0)).shares.empty());
}

TEST(ReciprocityTest, TheNumberOfThreadsDoesNotChangeABit) {
  constexpr VertexId kIds = 20'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 100'000), kIds);
  const ReciprocityResult one = Reciprocity(graph, {.threads = 1});
  const ReciprocityResult four = Reciprocity(graph, {.threads = 4});
  EXPECT_EQ(SharesOf(one), SharesOf(four));
  EXPECT_EQ(one.led_back, four.led_back);
}

TEST(ReciprocityTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  EXPECT_TRUE(Reciprocity(graph, {.progress = [](int, double) { return false; }}).cancelled);
}

}  // namespace
}  // namespace sash
