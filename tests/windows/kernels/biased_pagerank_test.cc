#include "windows/kernels/biased_pagerank.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "tests/support/both_views.h"
#include "tests/support/rank_difference.h"
#include "windows/kernels/pagerank.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::L1Difference;
using testing::MakeCsr;
using testing::MakeRandomGraph;
using testing::OverBothViews;
using testing::Pairs;
using testing::RandomGraph;
using testing::RandomPairs;

// The definition of the ranks: a serial computation over a list of edges.
std::vector<double> NaiveBiasedRanks(const std::vector<IdEdge>& edges, VertexId ids,
                                     const BiasedPageRankOptions& options) {
  const auto weight = [&](const IdEdge& edge) {
    return options.weighted ? edge.weight.AsDouble() : 1.0;
  };
  std::set<VertexId> vertices;
  std::vector<double> total(ids);
  for (const IdEdge& edge : edges) {
    vertices.insert({edge.source, edge.target});
    total[edge.source] += weight(edge);
  }
  std::set<VertexId> sources = vertices;
  if (options.sources) {
    sources.clear();
    for (const VertexId v : *options.sources) {
      if (vertices.contains(v)) sources.insert(v);
    }
  }
  std::vector<double> begins(ids);
  for (const VertexId v : sources) begins[v] = 1 / static_cast<double>(sources.size());
  std::vector<double> ranks = begins;
  for (int i = 0; i < options.max_iterations; ++i) {
    double sinks = 0;
    for (const VertexId v : vertices) sinks += total[v] == 0 ? ranks[v] : 0;
    std::vector<double> next(ids);
    for (const VertexId v : vertices) {
      next[v] = (1 - options.damping + options.damping * sinks) * begins[v];
    }
    for (const IdEdge& edge : edges) {
      if (total[edge.source] == 0) continue;
      next[edge.target] += options.damping * ranks[edge.source] * weight(edge) / total[edge.source];
    }
    ranks = next;
  }
  return ranks;
}

// The edges along which rank flows, each led from the vertex that hands it out.
std::vector<IdEdge> Followed(const std::vector<IdEdge>& edges, FollowedEdges follow) {
  std::vector<IdEdge> followed;
  for (const IdEdge& edge : edges) {
    const bool is_loop = edge.source == edge.target;
    if (follow != FollowedEdges::kIn) followed.push_back(edge);
    if (follow == FollowedEdges::kIn || (follow == FollowedEdges::kBoth && !is_loop)) {
      followed.push_back({edge.target, edge.source, edge.weight});
    }
  }
  return followed;
}

// Each graph has weights of one kind: ones, small integers and zeros, or reals.
std::vector<IdEdge> Weighted(const Pairs& pairs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<IdEdge> edges;
  for (const auto& [source, target] : pairs) {
    const Weight weights[] = {Weight(), Weight::Integer(static_cast<std::int64_t>(random() % 4)),
                              Weight::Real(static_cast<double>(random() % 1000) / 999)};
    edges.push_back({source, target, weights[seed % 3]});
  }
  return edges;
}

TEST(BiasedPageRankTest, EqualsTheDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed);
    std::vector<IdEdge> edges = Weighted(random.pairs, seed);
    const auto follow = static_cast<FollowedEdges>(seed / 3 % 3);  // with each kind of weights
    for (const VertexId v : {0u, 1u, 1u}) edges.push_back({v, v, Weight::Integer(2)});
    // A hub (twice), a vertex of any degree, and an id out of range. Ids may have no edge.
    const std::vector<VertexId> sources = {0, static_cast<VertexId>(seed * 7 % random.ids), 0,
                                           random.ids + 5};
    OverBothViews(edges, random.ids, [&](const auto& graph) {
      for (const bool weighted : {false, true}) {
        for (const bool personalised : {false, true}) {
          BiasedPageRankOptions options{.damping = seed % 2 == 0 ? 0.85 : 0.5,
                                        .tolerance = 0,
                                        .max_iterations = 25,
                                        .weighted = weighted,
                                        .follow = follow,
                                        .threads = 1};
          if (personalised) options.sources = sources;
          const BiasedPageRankResult result = BiasedPageRank(graph, options);
          if (result.ranks.empty()) {
            EXPECT_EQ(result.sources, 0u);
            continue;
          }
          EXPECT_LE(L1Difference(result.ranks, NaiveBiasedRanks(Followed(edges, follow), random.ids,
                                                                options)),
                    1e-13);
          EXPECT_NEAR(std::accumulate(result.ranks.begin(), result.ranks.end(), 0.0), 1, 1e-12);
        }
      }
    });
  }
}

TEST(BiasedPageRankTest, WithoutABiasItIsPageRank) {
  const CsrGraph graph = MakeCsr(RandomPairs(4, 2'000, 9'000), 2'000);
  const std::vector<double> plain = PageRank(graph, {.tolerance = 1e-14}).ranks;
  for (const bool weighted : {false, true}) {
    EXPECT_LE(L1Difference(BiasedPageRank(graph, {.tolerance = 1e-14, .weighted = weighted}).ranks,
                           plain),
              1e-12);
  }
}

TEST(BiasedPageRankTest, WhatNoPathFromASourceLeadsToHasRankZero) {
  const CsrGraph graph = MakeCsr(Pairs{{0, 1}, {1, 2}, {3, 1}, {4, 5}}, 6);
  const BiasedPageRankResult result = BiasedPageRank(
      graph, {.tolerance = 1e-12, .max_iterations = 500, .sources = std::vector<VertexId>{0}});
  EXPECT_TRUE(result.converged);
  EXPECT_GT(result.ranks[0], result.ranks[1]);
  EXPECT_GT(result.ranks[1], result.ranks[2]);
  EXPECT_GT(result.ranks[2], 0);
  for (const VertexId v : {3u, 4u, 5u}) EXPECT_EQ(result.ranks[v], 0);
}

TEST(BiasedPageRankTest, WithoutASourceInTheGraphNothingIsRanked) {
  const CsrGraph graph = MakeCsr(Pairs{{0, 1}}, 4);
  for (const std::vector<VertexId>& sources :
       {std::vector<VertexId>{}, std::vector<VertexId>{2, 3, 99, kNoVertex}}) {
    const BiasedPageRankResult result = BiasedPageRank(graph, {.sources = sources});
    EXPECT_EQ(result.sources, 0u);
    EXPECT_TRUE(result.ranks.empty());
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.iterations, 0);
  }
  EXPECT_TRUE(BiasedPageRank(MakeCsr(Pairs{}, 2)).ranks.empty());
}

TEST(BiasedPageRankTest, SourcesCountOnceHoweverOftenTheyAreGiven) {
  const CsrGraph graph = MakeCsr(Pairs{{0, 1}, {1, 2}, {2, 0}}, 3);
  const auto run = [&](const std::vector<VertexId>& sources) {
    return BiasedPageRank(graph, {.sources = sources});
  };
  EXPECT_EQ(run({0, 1, 0, 0}).sources, 2u);
  EXPECT_EQ(run({0, 1, 0, 0}).ranks, run({1, 0}).ranks);
}

TEST(BiasedPageRankTest, ANegativeWeightIsCountedAndNothingIsRanked) {
  const CsrGraph graph = MakeCsr(
      std::vector<IdEdge>{{0, 1, {}}, {2, 3, Weight::Integer(-2)}, {2, 3, Weight::Integer(9)}}, 4);
  const BiasedPageRankResult result = BiasedPageRank(graph, {.weighted = true});
  EXPECT_EQ(result.negative_edges, 1u);
  EXPECT_TRUE(result.ranks.empty());
  for (const FollowedEdges follow : {FollowedEdges::kIn, FollowedEdges::kBoth}) {
    EXPECT_EQ(BiasedPageRank(graph, {.weighted = true, .follow = follow}).negative_edges, 1u);
  }
  EXPECT_FALSE(BiasedPageRank(graph, {.sources = std::vector<VertexId>{0}}).ranks.empty())
      << "weights count only when they are requested";
}

TEST(BiasedPageRankTest, AWeightBeyondTheDoublesIsCountedAndNothingIsRanked) {
  const Weight infinite = Weight::Real(std::numeric_limits<double>::infinity());
  const CsrGraph graph = MakeCsr(std::vector<IdEdge>{{0, 1, infinite}, {2, 3, {}}}, 4);
  const BiasedPageRankResult result = BiasedPageRank(graph, {.weighted = true});
  EXPECT_EQ(result.overflowed_edges, 1u);
  EXPECT_TRUE(result.ranks.empty());
  EXPECT_EQ(result.residual, 0);
}

TEST(BiasedPageRankTest, TheNumberOfThreadsDoesNotChangeABit) {
  constexpr VertexId kIds = 60'000;
  const CsrGraph graph = MakeCsr(Weighted(RandomPairs(3, kIds, 300'000), 2), kIds);
  for (const bool weighted : {false, true}) {
    const auto run = [&](int threads) {
      return BiasedPageRank(graph,
                            {.weighted = weighted,
                             .sources = std::vector<VertexId>{1, 2, 3},
                             .follow = weighted ? FollowedEdges::kBoth : FollowedEdges::kOut,
                             .threads = threads});
    };
    const BiasedPageRankResult one = run(1);
    const BiasedPageRankResult many = run(4);
    EXPECT_EQ(one.iterations, many.iterations);
    EXPECT_EQ(one.ranks, many.ranks);
  }
}

TEST(BiasedPageRankTest, StopsAtTheToleranceOrWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 100, 400), 100);
  const BiasedPageRankResult full = BiasedPageRank(graph, {.tolerance = 1e-3, .weighted = true});
  EXPECT_TRUE(full.converged);
  EXPECT_LE(full.residual, 1e-3);
  EXPECT_FALSE(
      BiasedPageRank(graph,
                     {.tolerance = 1e-3, .max_iterations = full.iterations - 1, .weighted = true})
          .converged);
  const BiasedPageRankResult stopped = BiasedPageRank(
      graph, {.tolerance = 0, .weighted = true, .progress = [](int i, double) { return i < 3; }});
  EXPECT_TRUE(stopped.cancelled);
  EXPECT_EQ(stopped.iterations, 3);
}

}  // namespace
}  // namespace sash
