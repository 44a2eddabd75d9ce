#include "windows/kernels/cycles.h"

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

using Cycle = std::vector<VertexId>;  // without its first vertex at the end

// All that the definition needs: the pairs of a graph with edges of at least a weight.
using PairSet = std::set<std::pair<VertexId, VertexId>>;

PairSet HeavyPairs(const std::vector<IdEdge>& edges, std::optional<double> least) {
  PairSet pairs;
  for (const IdEdge& edge : edges) {
    const bool counts = !least || edge.weight.AsDouble() >= *least;
    if (counts && edge.source != edge.target) pairs.emplace(edge.source, edge.target);
  }
  return pairs;
}

// The cycle from the first of its edges that entered.
Cycle FromFirstEntered(Cycle cycle, const PairSet& before) {
  Cycle first;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::pair edge(cycle[0], cycle[1]);
    if (!before.contains(edge) && (first.empty() || edge < std::pair(first[0], first[1]))) {
      first = cycle;
    }
    std::ranges::rotate(cycle, cycle.begin() + 1);
  }
  return first;
}

// With its first vertex at the end, too. Cycles are listed in the order of these.
Cycle Closed(Cycle cycle) {
  cycle.push_back(cycle.front());
  return cycle;
}

// Every simple cycle of at most `longest` edges, from its least vertex.
std::set<Cycle> AllCycles(const PairSet& pairs, std::size_t longest) {
  std::map<VertexId, std::vector<VertexId>> out;
  for (const auto& [source, target] : pairs) out[source].push_back(target);
  std::set<Cycle> cycles;
  Cycle path;
  const auto extend = [&](const auto& self, VertexId v) -> void {
    path.push_back(v);
    for (const VertexId u : out[v]) {
      if (u == path.front()) cycles.insert(path);
      if (u <= path.front() || path.size() == longest) continue;
      if (std::ranges::find(path, u) == path.end()) self(self, u);
    }
    path.pop_back();
  };
  for (const auto& [source, target] : pairs) {
    if (out.contains(source) && path.empty()) extend(extend, source);
  }
  return cycles;
}

std::set<Cycle> NewCycles(const PairSet& before, const PairSet& after, std::size_t longest,
                          const std::vector<VertexId>& passes) {
  std::set<Cycle> cycles = AllCycles(after, longest);
  std::erase_if(cycles, [&](const Cycle& cycle) {
    bool entered = false;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      entered = entered || !before.contains({cycle[i], cycle[(i + 1) % cycle.size()]});
    }
    return !entered || !std::ranges::all_of(passes, [&](VertexId v) {
      return std::ranges::find(cycle, v) != cycle.end();
    });
  });
  return cycles;
}

// What holds of every result that is not truncated.
void ExpectTheseCycles(const CyclesResult& result, const std::set<Cycle>& expected,
                       const PairSet& before) {
  EXPECT_FALSE(result.truncated);
  EXPECT_EQ(result.cycles, expected.size());
  std::map<std::size_t, std::uint64_t> by_length;
  for (const Cycle& cycle : expected) ++by_length[cycle.size()];
  for (std::size_t length = 0; length < result.by_length.size(); ++length) {
    EXPECT_EQ(result.by_length[length], by_length[length]) << length;
  }
  std::vector<Cycle> listed;
  for (const Cycle& cycle : expected) listed.push_back(FromFirstEntered(cycle, before));
  std::ranges::sort(listed, {}, Closed);
  EXPECT_EQ(result.first, listed);
}

// Dense and sparse, with parallel edges, self-loops and edges both ways; most edges stay.
TwoWindows MakeTwoWindows(std::uint64_t seed) {
  constexpr VertexId kIds[] = {5, 9, 14, 60};
  constexpr std::size_t kEdges[] = {12, 26, 40, 130};
  const VertexId ids = kIds[seed % 4];
  std::mt19937_64 random(seed);
  std::vector<IdEdge> edges;
  for (const auto& [source, target] : RandomPairs(seed, ids, kEdges[seed % 4])) {
    edges.push_back({source, target, Weight::Integer(static_cast<std::int64_t>(random() % 10))});
    if (random() % 4 == 0) edges.push_back({target, source, Weight::Integer(5)});
  }
  return testing::CutTwoWindows(edges, ids, random);
}

TEST(CyclesTest, AreThoseOfTheDefinitionThatPassAnEdgeThatEntered) {
  std::uint64_t several = 0;
  for (std::uint64_t seed = 1; seed <= 240; ++seed) {
    SCOPED_TRACE(seed);
    const TwoWindows windows = MakeTwoWindows(seed);
    const int longest = 2 + static_cast<int>(seed % 7);
    const std::optional<double> least = seed % 3 == 0 ? std::optional<double>(4) : std::nullopt;
    std::vector<VertexId> passes;
    if (seed % 5 == 0) passes.push_back(static_cast<VertexId>(seed % windows.ids));
    if (seed % 10 == 0) passes.push_back(static_cast<VertexId>(seed / 2 % windows.ids));
    const PairSet before = HeavyPairs(windows.before, least);
    const std::set<Cycle> expected = NewCycles(before, HeavyPairs(windows.after, least),
                                               static_cast<std::size_t>(longest), passes);
    several += expected.size() > 3 ? 1 : 0;
    const CyclesOptions options{.longest = longest,
                                .least_weight = least,
                                .passes = passes,
                                .most_steps = 1'000'000'000,
                                .listed = 10'000'000};
    ExpectTheseCycles(Cycles(MakeCsr(windows.before, windows.ids),
                             MakeCsr(windows.after, windows.ids + 3), options),
                      expected, before);
    ExpectTheseCycles(Cycles(*MakeMultiversioned(windows.before, windows.ids),
                             *MakeMultiversioned(windows.after, windows.ids), options),
                      expected, before);
  }
  EXPECT_GT(several, 60u);
}

// A ring of 10 among dead ends, and one vertex that many paths pass.
TEST(CyclesTest, ARingOfTenIsFoundAndOfElevenIsNot) {
  Pairs pairs;
  for (VertexId v = 0; v < 10; ++v) pairs.emplace_back(v, (v + 1) % 10);
  for (VertexId v = 10; v < 21; ++v) pairs.emplace_back(v, v == 20 ? 10 : v + 1);
  for (VertexId v = 21; v < 4'000; ++v) pairs.emplace_back(3, v);
  for (VertexId v = 4'000; v < 8'000; ++v) pairs.emplace_back(v, 7);
  const CyclesResult result =
      Cycles(MakeCsr(Pairs{}, 0), MakeCsr(pairs, 8'000), {.longest = kLongestCycle});
  EXPECT_EQ(result.cycles, 1u);
  EXPECT_EQ(result.entered, pairs.size());
  EXPECT_EQ(result.first, (std::vector<Cycle>{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}));
}

TEST(CyclesTest, AnEdgeThatGotHeavierEntersWhereALeastWeightIsAskedFor) {
  const std::vector<IdEdge> before = {{0, 1, Weight::Integer(1)}, {1, 0, Weight::Integer(9)}};
  std::vector<IdEdge> after = before;
  after.push_back({0, 1, Weight::Integer(7)});
  const auto found = [&](std::optional<double> least) {
    return Cycles(MakeCsr(before, 2), MakeCsr(after, 2), {.least_weight = least}).cycles;
  };
  EXPECT_EQ(found(std::nullopt), 0u);
  EXPECT_EQ(found(1), 0u);
  EXPECT_EQ(found(7), 1u);
  EXPECT_EQ(found(8), 0u);
}

// Steps are counted in key order, so the same cycles are found wherever the search is cut.
TEST(CyclesTest, ATruncatedResultIsABeginningOfTheWholeOne) {
  constexpr VertexId kIds = 300;
  const Pairs pairs = RandomPairs(7, kIds, 1'500);
  const CsrGraph none = MakeCsr(Pairs{}, 0);
  const CsrGraph graph = MakeCsr(pairs, kIds);
  const auto other = MakeMultiversioned(Unweighted(pairs), kIds);
  const CyclesOptions options{.longest = 5, .most_steps = 1'000'000'000, .listed = 1'000'000};
  const CyclesResult whole = Cycles(none, graph, options);
  ASSERT_GT(whole.cycles, 100u);
  std::uint64_t last = 0;
  for (std::uint64_t steps = 1; steps < whole.steps; steps += 1 + whole.steps / 23) {
    SCOPED_TRACE(steps);
    CyclesOptions few = options;
    few.most_steps = steps;
    few.threads = 4;
    const CyclesResult result = Cycles(none, graph, few);
    EXPECT_TRUE(result.truncated);
    EXPECT_EQ(result.steps, steps);
    EXPECT_GE(result.cycles, last);
    last = result.cycles;
    ASSERT_EQ(result.first.size(), result.cycles);
    EXPECT_TRUE(std::equal(result.first.begin(), result.first.end(), whole.first.begin()));
    few.threads = 1;
    few.listed = 5;
    const CyclesResult shorter = Cycles(none, *other, few);
    EXPECT_EQ(shorter.cycles, result.cycles);
    EXPECT_EQ(shorter.by_length, result.by_length);
    EXPECT_EQ(shorter.first.size(), std::min<std::size_t>(5, result.cycles));
  }
  CyclesOptions exact = options;
  exact.most_steps = whole.steps;
  EXPECT_FALSE(Cycles(none, graph, exact).truncated);
}

// The edge at which the search is cut has only the steps that the edges before it have left.
TEST(CyclesTest, AStepFindsOneCycleAtMost) {
  constexpr VertexId kIds = 60;
  const CsrGraph none = MakeCsr(Pairs{}, 0);
  const CsrGraph graph = MakeCsr(RandomPairs(8, kIds, 300), kIds);
  CyclesOptions options{.longest = 3, .most_steps = 1'000'000'000};  // few steps for each edge
  const std::uint64_t whole = Cycles(none, graph, options).steps;
  options.most_steps = whole / 3;
  std::uint64_t last = Cycles(none, graph, options).cycles;
  for (int i = 0; i < 300; ++i) {
    ++options.most_steps;
    const CyclesResult result = Cycles(none, graph, options);
    ASSERT_TRUE(result.truncated);
    ASSERT_LE(result.cycles, last + 1) << options.most_steps << " steps";
    last = result.cycles;
  }
}

TEST(CyclesTest, TheOrderIsTheOneThatIsGiven) {
  const auto greater = [](VertexId a, VertexId b) { return a > b; };
  const Pairs pairs = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 0}};
  const CyclesResult result = Cycles(MakeCsr(Pairs{}, 0), MakeCsr(pairs, 3), {}, greater);
  EXPECT_EQ(result.first, (std::vector<Cycle>{{2, 1}, {2, 0, 1}, {1, 0}}));
}

TEST(CyclesTest, StopsWhenToldTo) {
  const CsrGraph graph = MakeCsr(RandomPairs(1, 2'000, 9'000), 2'000);
  int calls = 0;
  const CyclesResult result =
      Cycles(MakeCsr(Pairs{}, 0), graph, {.progress = [&](int, double) { return ++calls < 3; }});
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace sash
