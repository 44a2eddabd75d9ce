#include "windows/kernels/strength.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

using StrengthSums = std::vector<Weight>;

constexpr std::array kSummedEdges = {StrengthEdges::kOut, StrengthEdges::kIn, StrengthEdges::kBoth,
                                     StrengthEdges::kInLessOut};
constexpr std::int64_t kMostInteger = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeastInteger = std::numeric_limits<std::int64_t>::min();

// Edge by edge, for weights that are integers.
StrengthSums NaiveStrength(const std::vector<IdEdge>& edges, VertexId ids,
                           StrengthEdges direction) {
  std::vector<WideInteger> sums(ids);
  for (const IdEdge& edge : edges) {
    const WideInteger weight = edge.weight.integer();
    if (direction == StrengthEdges::kInLessOut) sums[edge.source] -= weight;
    if (direction == StrengthEdges::kOut || direction == StrengthEdges::kBoth) {
      sums[edge.source] += weight;
    }
    if (direction != StrengthEdges::kOut) sums[edge.target] += weight;
  }
  StrengthSums weights;
  for (const WideInteger sum : sums) {
    const bool fits = sum >= kLeastInteger && sum <= kMostInteger;
    weights.push_back(fits ? Weight::Integer(static_cast<std::int64_t>(sum))
                           : Weight::Real(static_cast<double>(static_cast<long double>(sum))));
  }
  return weights;
}

std::vector<IdEdge> WithIntegers(const Pairs& pairs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<IdEdge> edges = testing::Unweighted(pairs);
  for (IdEdge& edge : edges) {
    const auto bits = static_cast<std::int64_t>(random());
    edge.weight = Weight::Integer(random() % 3 == 0 ? bits : bits % 1000);
  }
  return edges;
}

TEST(StrengthTest, IntegersAddUpExactlyOnRandomGraphsInEveryDirection) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    for (const std::vector<IdEdge>& edges :
         {WithIntegers(random.pairs, seed), testing::Unweighted(random.pairs)}) {
      for (const StrengthEdges direction : kSummedEdges) {
        const StrengthSums expected = NaiveStrength(edges, random.ids, direction);
        OverBothViews(edges, random.ids, [&](const auto& graph) {
          const StrengthResult found = Strength(graph, {.edges = direction});
          EXPECT_EQ(found.sums, expected);
          EXPECT_EQ(found.overflowed, 0u);
        });
      }
    }
  }
}

TEST(StrengthTest, ALoopCountsInBothDirectionsAndParallelEdgesEach) {
  const CsrGraph graph = MakeCsr({{0, 0, Weight::Integer(5)},
                                  {0, 1, Weight::Integer(2)},
                                  {0, 1, Weight::Integer(2)},
                                  {1, 0, Weight::Real(0.5)}},
                                 3);
  const auto sums = [&](StrengthEdges edges) { return Strength(graph, {.edges = edges}).sums; };
  const auto integer = [](std::int64_t value) { return Weight::Integer(value); };
  EXPECT_EQ(sums(StrengthEdges::kOut), (StrengthSums{integer(9), Weight::Real(0.5), integer(0)}));
  EXPECT_EQ(sums(StrengthEdges::kIn), (StrengthSums{Weight::Real(5.5), integer(4), integer(0)}));
  EXPECT_EQ(sums(StrengthEdges::kBoth),
            (StrengthSums{Weight::Real(14.5), Weight::Real(4.5), integer(0)}));
  EXPECT_EQ(sums(StrengthEdges::kInLessOut),
            (StrengthSums{Weight::Real(-3.5), Weight::Real(3.5), integer(0)}));
}

TEST(StrengthTest, ADifferenceIsExactAtTheEndsOfTheRange) {
  const CsrGraph graph = MakeCsr({{0, 1, Weight::Integer(kLeastInteger)},
                                  {0, 2, Weight::Integer(kMostInteger)},
                                  {2, 0, Weight::Integer(kMostInteger)},
                                  {1, 0, Weight::Integer(-1)}},
                                 3);
  EXPECT_EQ(Strength(graph, {.edges = StrengthEdges::kInLessOut}).sums,
            (StrengthSums{Weight::Integer(kMostInteger), Weight::Integer(kLeastInteger + 1),
                          Weight::Integer(0)}));
}

TEST(StrengthTest, SumsBeyondADoubleAreCountedAndPartsOfSumsAreNot) {
  constexpr double kGreatest = std::numeric_limits<double>::max();
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::vector<IdEdge> edges = {{0, 1, Weight::Real(kGreatest)},
                                     {2, 1, Weight::Real(kGreatest)},
                                     {1, 0, Weight::Real(kInfinite)},
                                     {3, 4, Weight::Real(kInfinite)},
                                     {4, 3, Weight::Real(kInfinite)}};
  OverBothViews(edges, 5, [&](const auto& graph) {
    const auto overflowed = [&](StrengthEdges direction) {
      return Strength(graph, {.edges = direction}).overflowed;
    };
    EXPECT_EQ(overflowed(StrengthEdges::kOut), 3u);        // 1, 3, 4
    EXPECT_EQ(overflowed(StrengthEdges::kIn), 4u);         // 0, 1, 3, 4
    EXPECT_EQ(overflowed(StrengthEdges::kInLessOut), 4u);  // infinite, or not a number
  });
  const CsrGraph cancelling = MakeCsr({{0, 1, Weight::Real(kGreatest)},
                                       {2, 1, Weight::Real(kGreatest)},
                                       {3, 1, Weight::Real(-kGreatest)}},
                                      4);
  const StrengthResult found = Strength(cancelling, {.edges = StrengthEdges::kIn});
  EXPECT_EQ(found.overflowed, 0u);
  EXPECT_EQ(found.sums[1], Weight::Real(kGreatest));
}

TEST(StrengthTest, TheNumberOfThreadsDoesNotChangeABit) {
  constexpr VertexId kIds = 20'000;
  std::vector<IdEdge> edges = WithIntegers(RandomPairs(5, kIds, 100'000), 5);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    edges[i].weight = Weight::Real(1e-3 * static_cast<double>(i));
  }
  const CsrGraph graph = MakeCsr(edges, kIds);
  EXPECT_EQ(Strength(graph, {.threads = 1}).sums, Strength(graph, {.threads = 4}).sums);
}

TEST(StrengthTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  EXPECT_TRUE(Strength(graph, {.progress = [](int, double) { return false; }}).cancelled);
}

}  // namespace
}  // namespace sash
