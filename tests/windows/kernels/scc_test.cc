#include "windows/kernels/scc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

using Labels = std::vector<VertexId>;

// By the definition: for each vertex, the least vertex that it reaches and that reaches it.
Labels NaiveStrongLabels(const Pairs& pairs, VertexId ids) {
  std::vector<std::vector<bool>> reaches(ids, std::vector<bool>(ids));
  std::vector<Labels> out(ids);
  std::vector<bool> exists(ids);
  for (const auto& [source, target] : pairs) {
    out[source].push_back(target);
    exists[source] = exists[target] = true;
  }
  for (VertexId v = 0; v < ids; ++v) {
    reaches[v][v] = true;
    for (Labels open = {v}; !open.empty();) {
      const VertexId at = open.back();
      open.pop_back();
      for (const VertexId next : out[at]) {
        if (reaches[v][next]) continue;
        reaches[v][next] = true;
        open.push_back(next);
      }
    }
  }
  Labels labels(ids, kNoVertex);
  for (VertexId v = 0; v < ids; ++v) {
    if (!exists[v]) continue;
    for (VertexId u = 0; u <= v && labels[v] == kNoVertex; ++u) {
      if (reaches[v][u] && reaches[u][v]) labels[v] = u;
    }
  }
  return labels;
}

std::uint64_t Distinct(const Labels& labels) {
  std::uint64_t roots = 0;
  for (VertexId v = 0; v < labels.size(); ++v) roots += labels[v] == v ? 1 : 0;
  return roots;
}

// Components of all sizes: a random graph whose edges mostly lead to near vertices.
Pairs NearPairs(std::uint64_t seed, VertexId ids, std::size_t edges) {
  std::mt19937_64 random(seed);
  std::vector<VertexId> names(ids);
  std::iota(names.begin(), names.end(), 0u);
  std::ranges::shuffle(names, random);
  Pairs pairs;
  for (std::size_t i = 0; i < edges; ++i) {
    const std::uint64_t from = random() % ids;
    const std::uint64_t to = std::min<std::uint64_t>(ids - 1, from + random() % 4);
    pairs.emplace_back(names[random() % 3 == 0 ? to : from], names[random() % 3 == 0 ? from : to]);
  }
  return pairs;
}

TEST(SccTest, LabelsAreTheLeastIdsOfComponentsOnRandomGraphs) {
  std::uint64_t several = 0;  // components of more than one vertex
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph random = MakeRandomGraph(seed);
    if (seed % 3 == 0) {
      random.ids = 120;
      random.pairs = NearPairs(seed, random.ids, 170);
    }
    const Labels expected = NaiveStrongLabels(random.pairs, random.ids);
    OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
      const SccResult result = Scc(graph);
      EXPECT_EQ(result.labels, expected);
      EXPECT_EQ(result.components, Distinct(expected));
    });
    std::vector<int> sizes(random.ids);
    for (const VertexId label : expected) {
      if (label != kNoVertex && ++sizes[label] == 2) ++several;
    }
  }
  EXPECT_GT(several, 150u);
}

TEST(SccTest, APathIsAsManyComponentsAsVerticesAndACycleIsOne) {
  constexpr VertexId kIds = 1'000'000;  // a recursion would overflow the stack
  Pairs path;
  for (VertexId v = 0; v + 1 < kIds; ++v) path.emplace_back(v, v + 1);
  EXPECT_EQ(Scc(MakeCsr(path, kIds)).components, kIds);
  path.emplace_back(kIds - 1, 0);
  const SccResult cycle = Scc(MakeCsr(path, kIds));
  EXPECT_EQ(cycle.components, 1u);
  EXPECT_EQ(cycle.labels, Labels(kIds, 0));
}

TEST(SccTest, ASelfLoopIsAComponentAndAHoleIsNone) {
  const SccResult result = Scc(MakeCsr(Pairs{{1, 1}, {3, 4}, {4, 3}, {4, 5}, {4, 5}}, 7));
  EXPECT_EQ(result.components, 3u);
  EXPECT_EQ(result.labels, (Labels{kNoVertex, 1, kNoVertex, 3, 3, 5, kNoVertex}));
  EXPECT_EQ(Scc(MakeCsr(Pairs{}, 3)).components, 0u);
  EXPECT_EQ(Scc(MakeCsr(Pairs{}, 3)).labels, Labels(3, kNoVertex));
}

TEST(SccTest, TheNumberOfThreadsDoesNotChangeLabels) {
  constexpr VertexId kIds = 50'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 150'000), kIds);
  EXPECT_EQ(Scc(graph, {.threads = 4}).labels, Scc(graph, {.threads = 1}).labels);
}

TEST(SccTest, StopsWhenToldToAlsoInTheMiddleOfOnePath) {
  constexpr VertexId kIds = 600'000;
  Pairs path;
  for (VertexId v = 0; v + 1 < kIds; ++v) path.emplace_back(v, v + 1);
  const CsrGraph graph = MakeCsr(path, kIds);
  for (const int last : {1, 2, 3}) {
    int calls = 0;
    const auto progress = [&](int iteration, double) {
      EXPECT_EQ(iteration, ++calls);
      return iteration < last;
    };
    EXPECT_TRUE(Scc(graph, {.progress = progress}).cancelled);
    EXPECT_EQ(calls, last);
  }
  EXPECT_FALSE(Scc(graph, {.progress = [](int, double) { return true; }}).cancelled);
}

}  // namespace
}  // namespace sash
