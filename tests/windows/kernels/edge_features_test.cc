#include "windows/kernels/edge_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/support/both_views.h"
#include "tests/support/two_windows.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::MakeCsr;
using testing::MakeMultiversioned;
using testing::Pairs;
using testing::RandomPairs;
using testing::TwoWindows;
using testing::Unweighted;

// The definitions, on the pairs of different vertices of a list of edges.
class FeatureDefinition {
 public:
  explicit FeatureDefinition(const std::vector<IdEdge>& edges) : edges_(edges) {
    for (const IdEdge& edge : edges) {
      if (edge.source != edge.target) pairs_.emplace(edge.source, edge.target);
    }
  }

  const std::set<std::pair<VertexId, VertexId>>& pairs() const { return pairs_; }

  EdgesOfEnd Edges(VertexId v, bool out) const {
    std::set<VertexId> others;
    std::vector<Weight> weights;
    for (const IdEdge& edge : edges_) {
      if ((out ? edge.source : edge.target) != v) continue;
      weights.push_back(edge.weight);
      others.insert(out ? edge.target : edge.source);
    }
    others.erase(v);
    return {others.size(), weights.size(), StatisticsOf(weights)};
  }

  std::array<std::uint64_t, kLongestCycle + 1> Cycles(VertexId source, VertexId target,
                                                      std::size_t longest) const {
    std::array<std::uint64_t, kLongestCycle + 1> found{};
    std::vector<VertexId> path = {source};
    const auto extend = [&](const auto& self, VertexId v) -> void {
      path.push_back(v);
      if (pairs_.contains({v, source})) ++found[path.size()];
      if (path.size() < longest) {
        for (auto at = pairs_.lower_bound({v, 0}); at != pairs_.end() && at->first == v; ++at) {
          if (std::ranges::find(path, at->second) == path.end()) self(self, at->second);
        }
      }
      path.pop_back();
    };
    extend(extend, target);
    return found;
  }

  // All vertices are tried as the other end of a pattern, and as intermediates.
  ScatterGather Patterns(VertexId source, VertexId target, VertexId ids,
                         std::uint32_t least) const {
    ScatterGather found;
    const auto add = [&](VertexId from, VertexId to) {
      if (from == to) return;
      std::uint32_t between = 0;
      for (VertexId v = 0; v < ids; ++v) {
        between += pairs_.contains({from, v}) && pairs_.contains({v, to}) ? 1 : 0;
      }
      if (between >= least) found.Add({1, between});
    };
    for (VertexId v = 0; v < ids; ++v) {
      if (pairs_.contains({target, v})) add(source, v);  // a scatter edge
      if (pairs_.contains({v, source})) add(v, target);  // a gather edge
    }
    return found;
  }

 private:
  const std::vector<IdEdge>& edges_;
  std::set<std::pair<VertexId, VertexId>> pairs_;
};

void ExpectSameEdges(const EdgesOfEnd& found, const EdgesOfEnd& expected) {
  EXPECT_EQ(found.fan, expected.fan);
  EXPECT_EQ(found.degree, expected.degree);
  EXPECT_EQ(found.weights.sum, expected.weights.sum);
  EXPECT_EQ(found.weights.least, expected.weights.least);
  EXPECT_EQ(found.weights.greatest, expected.weights.greatest);
  EXPECT_EQ(found.weights.mean, expected.weights.mean);
  EXPECT_EQ(found.weights.variance, expected.weights.variance);
}

void ExpectSameFeatures(const EdgeFeaturesResult& found, const EdgeFeaturesResult& expected) {
  EXPECT_EQ(found.entered, expected.entered);
  EXPECT_EQ(found.steps, expected.steps);
  EXPECT_EQ(found.truncated, expected.truncated);
  ASSERT_EQ(found.first.size(), expected.first.size());
  for (std::size_t i = 0; i < found.first.size(); ++i) {
    SCOPED_TRACE(i);
    const FeaturesOfEdge& one = found.first[i];
    const FeaturesOfEdge& other = expected.first[i];
    EXPECT_EQ(one.edge, other.edge);
    EXPECT_EQ(one.cycles, other.cycles);
    ASSERT_EQ(one.scatter_gather.has_value(), other.scatter_gather.has_value());
    if (one.scatter_gather) {
      EXPECT_EQ(one.scatter_gather->patterns, other.scatter_gather->patterns);
      EXPECT_EQ(one.scatter_gather->intermediates, other.scatter_gather->intermediates);
    }
    ExpectSameEdges(found.ends[one.source].out, expected.ends[other.source].out);
    ExpectSameEdges(found.ends[one.target].in, expected.ends[other.target].in);
  }
}

// Sparse and dense, with parallel edges, self-loops, edges both ways, and weights of both kinds.
TwoWindows WindowsOfPayments(std::uint64_t seed) {
  constexpr VertexId kIds[] = {4, 8, 13, 40};
  constexpr std::size_t kEdges[] = {10, 30, 45, 120};
  const VertexId ids = kIds[seed % 4];
  std::mt19937_64 random(seed);
  std::vector<IdEdge> edges;
  for (const auto& [source, target] : RandomPairs(seed, ids, kEdges[seed % 4])) {
    const auto amount = static_cast<std::int64_t>(random() % 20) - 4;
    edges.push_back({source, target,
                     random() % 3 == 0 ? Weight::Real(static_cast<double>(amount) / 3)
                                       : Weight::Integer(amount)});
    if (random() % 5 == 0) edges.push_back({target, source, Weight::Integer(5)});
  }
  return testing::CutTwoWindows(edges, ids, random);
}

TEST(EdgeFeaturesTest, AreThoseOfTheDefinition) {
  std::uint64_t with_cycles = 0;
  std::uint64_t with_patterns = 0;
  for (std::uint64_t seed = 1; seed <= 160; ++seed) {
    SCOPED_TRACE(seed);
    const TwoWindows windows = WindowsOfPayments(seed);
    const FeatureDefinition before(windows.before);
    const FeatureDefinition after(windows.after);
    const EdgeFeaturesOptions options{.longest = 2 + static_cast<int>(seed % 5),
                                      .least_intermediates = 1 + static_cast<unsigned>(seed % 3),
                                      .most_steps = 1'000'000'000,
                                      .listed = 100'000};
    const EdgeFeaturesResult found = EdgeFeatures(MakeCsr(windows.before, windows.ids),
                                                  MakeCsr(windows.after, windows.ids + 3), options);
    std::vector<std::pair<VertexId, VertexId>> entered;
    std::ranges::set_difference(after.pairs(), before.pairs(), std::back_inserter(entered));
    EXPECT_EQ(found.entered, entered.size());
    EXPECT_FALSE(found.truncated);
    ASSERT_EQ(found.first.size(), entered.size());
    for (std::size_t i = 0; i < entered.size(); ++i) {
      const auto [source, target] = entered[i];
      SCOPED_TRACE(::testing::Message() << source << " to " << target);
      const FeaturesOfEdge& edge = found.first[i];
      ASSERT_EQ(edge.edge, (VertexPair{source, target}));
      ExpectSameEdges(found.ends[edge.source].out, after.Edges(source, true));
      ExpectSameEdges(found.ends[edge.source].in, after.Edges(source, false));
      ExpectSameEdges(found.ends[edge.target].out, after.Edges(target, true));
      ExpectSameEdges(found.ends[edge.target].in, after.Edges(target, false));
      EXPECT_EQ(edge.cycles.value(),
                after.Cycles(source, target, static_cast<std::size_t>(options.longest)));
      const ScatterGather expected =
          after.Patterns(source, target, windows.ids, options.least_intermediates);
      EXPECT_EQ(edge.scatter_gather.value().patterns, expected.patterns);
      EXPECT_EQ(edge.scatter_gather.value().intermediates, expected.intermediates);
      with_cycles += std::ranges::count_if(*edge.cycles, [](auto count) { return count > 0; }) > 1;
      with_patterns += expected.patterns > 1 ? 1 : 0;
    }
    ExpectSameFeatures(EdgeFeatures(*MakeMultiversioned(windows.before, windows.ids),
                                    *MakeMultiversioned(windows.after, windows.ids), options),
                       found);
  }
  EXPECT_GT(with_cycles, 500u);
  EXPECT_GT(with_patterns, 500u);
}

// 0 scatters to 1, 2 and 3, which gather to 4; 5 gets from one of them and from 6.
TEST(EdgeFeaturesTest, APlantedPatternHasItsIntermediates) {
  const Pairs pairs = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {3, 5}, {6, 5}, {4, 0}};
  const auto of = [&](VertexId source, VertexId target, std::uint32_t least) {
    for (const FeaturesOfEdge& each :
         EdgeFeatures(MakeCsr(Pairs{}, 0), MakeCsr(pairs, 7), {.least_intermediates = least})
             .first) {
      if (each.edge == VertexPair{source, target}) {
        return std::pair(each.scatter_gather->patterns, each.scatter_gather->intermediates);
      }
    }
    return std::pair(std::uint64_t{99}, std::uint32_t{99});
  };
  for (VertexId v = 1; v <= 3; ++v) {
    EXPECT_EQ(of(0, v, 3), std::pair(std::uint64_t{1}, 3u));
    EXPECT_EQ(of(v, 4, 3), std::pair(std::uint64_t{1}, 3u));
    EXPECT_EQ(of(v, 4, 4), std::pair(std::uint64_t{0}, 0u));
  }
  EXPECT_EQ(of(3, 5, 2), std::pair(std::uint64_t{0}, 0u));
  // As a gather edge of (0, 5); as a scatter edge it leads nowhere.
  EXPECT_EQ(of(3, 5, 1), std::pair(std::uint64_t{1}, 1u));
  EXPECT_EQ(of(6, 5, 1), std::pair(std::uint64_t{0}, 0u));
}

// The number of edges whose patterns are counted with so many steps: the neighbours of the
// neighbours of each source and of each target, when it is first needed.
std::size_t EdgesWithPatterns(const std::set<std::pair<VertexId, VertexId>>& pairs,
                              std::uint64_t most_steps) {
  std::map<VertexId, std::set<VertexId>> out;
  std::map<VertexId, std::set<VertexId>> in;
  for (const auto& [source, target] : pairs) {
    out[source].insert(target);
    in[target].insert(source);
  }
  const auto cost = [](std::map<VertexId, std::set<VertexId>>& lists, std::set<VertexId>& paid,
                       VertexId v) {
    std::uint64_t steps = 0;
    if (!paid.insert(v).second) return steps;
    for (const VertexId u : lists[v]) steps += lists[u].size();
    return steps;
  };
  std::set<VertexId> sources;
  std::set<VertexId> targets;
  std::uint64_t steps = 0;
  std::size_t count = 0;
  for (const auto& [source, target] : pairs) {
    steps += cost(out, sources, source) + cost(in, targets, target);
    if (steps > most_steps) break;
    ++count;
  }
  return count;
}

// Steps are counted in key order, so the same edges lack figures wherever the work is cut.
TEST(EdgeFeaturesTest, WithFewStepsTheLastEdgesLackFigures) {
  constexpr VertexId kIds = 250;
  const Pairs pairs = RandomPairs(7, kIds, 1'200);
  const CsrGraph none = MakeCsr(Pairs{}, 0);
  const std::vector<IdEdge> edges = Unweighted(pairs);
  const CsrGraph graph = MakeCsr(edges, kIds);
  const auto other = MakeMultiversioned(edges, kIds);
  const EdgeFeaturesOptions options{.most_steps = 1'000'000'000, .listed = 1'000'000};
  const EdgeFeaturesResult whole = EdgeFeatures(none, graph, options);
  ASSERT_FALSE(whole.truncated);
  std::size_t partly = 0;
  for (std::uint64_t steps = 1; steps < whole.steps; steps += 1 + steps / 2) {
    SCOPED_TRACE(steps);
    EdgeFeaturesOptions few = options;
    few.most_steps = steps;
    few.threads = 4;
    const EdgeFeaturesResult result = EdgeFeatures(none, graph, few);
    EXPECT_LE(result.steps, 2 * steps);
    bool has_cycles = true;
    bool has_patterns = true;
    for (std::size_t i = 0; i < result.first.size(); ++i) {
      const FeaturesOfEdge& edge = result.first[i];
      EXPECT_TRUE(has_cycles || !edge.cycles);
      EXPECT_TRUE(has_patterns || !edge.scatter_gather);
      has_cycles = edge.cycles.has_value();
      has_patterns = edge.scatter_gather.has_value();
      partly += has_cycles != has_patterns ? 1 : 0;
      if (has_cycles) {
        EXPECT_EQ(edge.cycles, whole.first[i].cycles);
      }
      if (has_patterns) {
        EXPECT_EQ(edge.scatter_gather->patterns, whole.first[i].scatter_gather->patterns);
      }
    }
    EXPECT_EQ(result.truncated, !has_cycles || !has_patterns);
    EXPECT_EQ(std::ranges::count_if(
                  result.first, [](const auto& edge) { return edge.scatter_gather.has_value(); }),
              EdgesWithPatterns(FeatureDefinition(edges).pairs(), steps));
    few.threads = 1;
    ExpectSameFeatures(EdgeFeatures(none, *other, few), result);
  }
  EXPECT_GT(partly, 100u);
}

TEST(EdgeFeaturesTest, ListsTheFirstInTheOrderThatIsGiven) {
  const auto greater = [](VertexId a, VertexId b) { return a > b; };
  const Pairs pairs = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 0}, {2, 0}, {2, 2}};
  const EdgeFeaturesResult result =
      EdgeFeatures(MakeCsr(Pairs{{1, 2}}, 3), MakeCsr(pairs, 3), {.listed = 3}, greater);
  EXPECT_EQ(result.entered, 4u);
  ASSERT_EQ(result.first.size(), 3u);
  EXPECT_EQ(result.first[0].edge, (VertexPair{2, 1}));
  EXPECT_EQ(result.first[1].edge, (VertexPair{2, 0}));
  EXPECT_EQ(result.first[2].edge, (VertexPair{1, 0}));
  const EdgesOfEnd& out = result.ends[result.first[0].source].out;
  EXPECT_EQ(out.fan, 2u);
  EXPECT_EQ(out.degree, 4u);  // two parallel edges, and one to itself
}

TEST(EdgeFeaturesTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 2'000, 9'000), 2'000);
  for (const int most : {0, 1, 5, 20, 24}) {
    int calls = 0;
    const EdgeFeaturesResult result =
        EdgeFeatures(MakeCsr(Pairs{}, 0), graph,
                     {.listed = 100'000, .progress = [&](int, double) { return ++calls <= most; }});
    EXPECT_TRUE(result.cancelled);
    EXPECT_EQ(calls, most + 1);
  }
}

}  // namespace
}  // namespace sash
