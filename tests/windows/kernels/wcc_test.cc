#include "windows/kernels/wcc.h"

#include <gtest/gtest.h>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

// Propagates smaller labels along edges until no label changes.
std::vector<VertexId> NaiveLabels(const Pairs& pairs, VertexId ids) {
  std::vector<VertexId> labels(ids, kNoVertex);
  for (const auto& [source, target] : pairs) {
    labels[source] = source;
    labels[target] = target;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [source, target] : pairs) {
      const VertexId least = std::min(labels[source], labels[target]);
      changed = changed || labels[source] != least || labels[target] != least;
      labels[source] = labels[target] = least;
    }
  }
  return labels;
}

TEST(WccTest, LabelsAreTheLeastIdsOfComponentsOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    const std::vector<VertexId> expected = NaiveLabels(random.pairs, random.ids);
    std::uint64_t components = 0;
    for (VertexId v = 0; v < random.ids; ++v) components += expected[v] == v ? 1 : 0;
    OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
      const WccResult result = Wcc(graph);
      EXPECT_EQ(result.labels, expected);
      EXPECT_EQ(result.components, components);
    });
  }
}

TEST(WccTest, DirectionsDoNotMatterAndChainsOfAnyLengthAreOneComponent) {
  constexpr VertexId kIds = 50'000;
  Pairs chain;
  for (VertexId v = 0; v + 1 < kIds; ++v) {
    chain.emplace_back(v % 2 == 0 ? v : v + 1, v % 2 == 0 ? v + 1 : v);
  }
  const WccResult result = Wcc(MakeCsr(chain, kIds), {.threads = 4});
  EXPECT_EQ(result.components, 1u);
  EXPECT_EQ(result.labels, std::vector<VertexId>(kIds, 0));
}

TEST(WccTest, ASelfLoopIsAComponentAndAHoleIsNone) {
  const WccResult result = Wcc(MakeCsr(Pairs{{1, 1}, {3, 4}}, 6));
  EXPECT_EQ(result.components, 2u);
  EXPECT_EQ(result.labels, (std::vector<VertexId>{kNoVertex, 1, kNoVertex, 3, 3, kNoVertex}));
}

TEST(WccTest, AnEmptyWindowHasNoComponents) {
  const WccResult result = Wcc(MakeCsr(Pairs{}, 3));
  EXPECT_EQ(result.components, 0u);
  EXPECT_EQ(result.labels, std::vector<VertexId>(3, kNoVertex));
}

TEST(WccTest, TheNumberOfThreadsDoesNotChangeLabels) {
  constexpr VertexId kIds = 200'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 150'000), kIds);
  const WccResult one = Wcc(graph, {.threads = 1});
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(Wcc(graph, {.threads = 4}).labels, one.labels);
  }
}

TEST(WccTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  EXPECT_TRUE(Wcc(graph, {.progress = [](int, double) { return false; }}).cancelled);
  EXPECT_FALSE(Wcc(graph, {.progress = [](int, double) { return true; }}).cancelled);
}

}  // namespace
}  // namespace sash
