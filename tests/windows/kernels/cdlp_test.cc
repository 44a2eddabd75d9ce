#include "windows/kernels/cdlp.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "tests/support/both_views.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

std::vector<CommunityLabel> NaiveCommunities(const Pairs& pairs, std::vector<CommunityLabel> first,
                                             int iterations) {
  std::vector<CommunityLabel> labels(first.size(), kNoCommunity);
  for (const auto& [source, target] : pairs) {
    labels[source] = first[source];
    labels[target] = first[target];
  }
  for (int i = 0; i < iterations; ++i) {
    std::vector<std::map<CommunityLabel, int>> votes(first.size());
    for (const auto& [source, target] : pairs) {
      if (source == target) continue;
      ++votes[source][labels[target]];
      ++votes[target][labels[source]];
    }
    for (std::size_t v = 0; v < first.size(); ++v) {
      int most = 0;
      for (const auto& [label, count] : votes[v]) {
        if (count <= most) continue;
        most = count;
        labels[v] = label;
      }
    }
  }
  return labels;
}

std::vector<CommunityLabel> Shuffled(VertexId ids, std::uint64_t seed) {
  std::vector<CommunityLabel> labels(ids);
  std::iota(labels.begin(), labels.end(), 5u);
  std::ranges::shuffle(labels, std::mt19937_64(seed));
  return labels;
}

TEST(CdlpTest, EqualsTheDefinitionOnRandomGraphsWithLabelsInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    const std::vector<CommunityLabel> first = Shuffled(random.ids, seed);
    for (const int iterations : {1, 2, 7}) {
      const auto expected = NaiveCommunities(random.pairs, first, iterations);
      OverBothViews(random.pairs, random.ids, [&](const auto& graph) {
        const CdlpResult result =
            Cdlp(graph, {.max_iterations = iterations, .first_labels = first});
        EXPECT_EQ(result.labels, expected);
        EXPECT_LE(result.iterations, iterations);
      });
    }
  }
}

TEST(CdlpTest, AHubWithThousandsOfNeighboursTakesTheLeastOfTheMostFrequentLabels) {
  // A hub with 3000 leaves. An edge joins each of 1000 pairs of leaves, so that many labels are
  // equally frequent.
  constexpr VertexId kLeaves = 3'000;
  Pairs star;
  for (VertexId leaf = 1; leaf <= kLeaves; ++leaf) star.emplace_back(0, leaf);
  for (VertexId leaf = 1; leaf < kLeaves; leaf += 3) star.emplace_back(leaf, leaf + 1);
  std::vector<CommunityLabel> identity(kLeaves + 1);
  std::iota(identity.begin(), identity.end(), 0u);
  for (const int iterations : {1, 2, 3}) {
    EXPECT_EQ(Cdlp(MakeCsr(star, kLeaves + 1), {.max_iterations = iterations}).labels,
              NaiveCommunities(star, identity, iterations));
  }
}

TEST(CdlpTest, ConvergesWhenNoLabelChanges) {
  const Pairs pairs = {{0, 1}, {1, 2}, {2, 0}};
  const CdlpResult result = Cdlp(MakeCsr(pairs, 3), {.max_iterations = 100});
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.iterations, 100);
  EXPECT_EQ(result.labels, (std::vector<CommunityLabel>{0, 0, 0}));
}

TEST(CdlpTest, LabelsOfAPairSwingUntilTheLimit) {
  const CdlpResult result = Cdlp(MakeCsr(Pairs{{0, 1}}, 2), {.max_iterations = 7});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 7);
  EXPECT_EQ(result.labels, (std::vector<CommunityLabel>{1, 0}));
}

TEST(CdlpTest, OnlyLoopsKeepTheirLabelAndAnEmptyWindowHasConverged) {
  EXPECT_EQ(Cdlp(MakeCsr(Pairs{{2, 2}, {2, 2}}, 3)).labels,
            (std::vector<CommunityLabel>{kNoCommunity, kNoCommunity, 2}));
  const CdlpResult empty = Cdlp(MakeCsr(Pairs{}, 2));
  EXPECT_TRUE(empty.converged);
  EXPECT_EQ(empty.iterations, 0);
}

TEST(CdlpTest, TheNumberOfThreadsDoesNotChangeLabels) {
  constexpr VertexId kIds = 30'000;
  const CsrGraph graph = MakeCsr(RandomPairs(5, kIds, 150'000), kIds);
  EXPECT_EQ(Cdlp(graph, {.threads = 4}).labels, Cdlp(graph, {.threads = 1}).labels);
}

TEST(CdlpTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  const CdlpResult result =
      Cdlp(graph, {.progress = [](int iteration, double) { return iteration < 2; }});
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.iterations, 2);
}

}  // namespace
}  // namespace sash
