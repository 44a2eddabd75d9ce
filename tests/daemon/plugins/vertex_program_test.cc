// Vertex programs (sash/vertex_program.h): the examples equal the kernels that sashd has, on every
// window and with any number of threads; one that goes wrong fails with a reason that says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <set>

#include "tests/daemon/plugins/plugin_runs.h"
#include "tests/support/named_seed.h"
#include "tests/support/random_graph.h"
#include "tests/support/sliding_view.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using testing::MakeCsr;
using testing::Pairs;
using testing::PluginRuns;
using testing::RandomPairs;
using testing::SlidingView;

class VertexExamplesTest : public PluginRuns, public ::testing::WithParamInterface<StoreSpec> {
 protected:
  VertexExamplesTest() {
    for (VertexId v = 0; v < SlidingView::kIds; ++v) {
      VertexDictionary::Writer(keys_).Intern(std::int64_t{v});
    }
  }
  std::vector<double> ScoresOf(const JobSpec& job, const WindowView& view) const {
    const auto run = Run(job, view, keys_);
    if (run) return run->whole->scores;
    ADD_FAILURE() << why_;
    return {};
  }
  // The scores with one thread, which are those with any other number, bit by bit.
  std::vector<double> SameScores(JobSpec job, const WindowView& view) const {
    job.threads = 1;
    std::vector<double> scores = ScoresOf(job, view);
    for (const int threads : {2, 5}) {
      job.threads = threads;
      const std::vector<double> others = ScoresOf(job, view);
      EXPECT_TRUE(std::ranges::equal(
          scores, others,
          [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }))
          << threads << " threads";
    }
    return scores;
  }

  VertexDictionary keys_{KeyKind::kInteger};
  const testing::NamedSeed seed_;
};

TEST_P(VertexExamplesTest, PageRankEqualsTheKernelOnEveryWindow) {
  const JobSpec program =
      ExampleJob("vertex_pagerank", {{"tolerance", 1e-12}, {"max_iterations", std::int64_t{1000}}});
  JobSpec kernel;
  kernel.parameters = PageRankParameters{.tolerance = 1e-12, .max_iterations = 1000};
  SlidingView window(GetParam(), seed_.value(), 6, 3'000);
  for (int advance = 0; advance < 6; ++advance) {
    const auto mine = SameScores(program, window.view());
    const auto expected = ScoresOf(kernel, window.view());
    ASSERT_EQ(mine.size(), expected.size());
    double sum = 0;
    for (const VertexId v : window.view()->vertices()) {
      ASSERT_NEAR(mine[v], expected[v], 1e-9) << "vertex " << v;
      sum += mine[v];
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    window.Advance();
  }
}

TEST_P(VertexExamplesTest, DistancesEqualTheKernelOnEveryWindow) {
  for (const auto shape : {SlidingView::Shape::kHubs, SlidingView::Shape::kChains}) {
    SlidingView window(GetParam(), seed_.value(), 6, 1'500, shape);
    for (int advance = 0; advance < 4; ++advance) {
      const VertexId root = window.view()->vertices()[static_cast<std::size_t>(advance) * 3];
      const JobSpec program = ExampleJob("vertex_sssp", {{"root", std::to_string(root)}});
      JobSpec kernel;
      kernel.parameters = SsspParameters{.roots = {std::int64_t{root}}};
      const auto mine = SameScores(program, window.view());
      const auto expected = ScoresOf(kernel, window.view());
      ASSERT_EQ(mine.size(), expected.size());
      for (const VertexId v : window.view()->vertices()) {
        if (std::isfinite(expected[v])) {
          EXPECT_EQ(mine[v], expected[v]) << "vertex " << v;
        } else {
          EXPECT_TRUE(std::isnan(mine[v])) << "vertex " << v;
        }
      }
      window.Advance();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllPolicies, VertexExamplesTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

// A graph whose vertices are named by numbers, and have ids in a random order.
class ShuffledGraph {
 public:
  ShuffledGraph(const Pairs& pairs, VertexId ids, std::uint64_t seed) {
    std::vector<VertexId> order(ids);
    std::iota(order.begin(), order.end(), VertexId{0});
    std::ranges::shuffle(order, std::mt19937_64(seed));
    std::vector<VertexId> id_of(ids);
    for (const VertexId v : order) {
      id_of[v] = VertexDictionary::Writer(keys_).Intern(std::int64_t{v});
    }
    Pairs named;
    for (const auto& [source, target] : pairs) named.emplace_back(id_of[source], id_of[target]);
    graph_ = std::make_shared<const CsrGraph>(MakeCsr(named, ids));
  }

  const VertexDictionary& keys() const { return keys_; }
  WindowView view() const { return graph_; }
  // What each vertex has, by key.
  template <typename Value>
  std::map<std::int64_t, Value> ByKey(const std::vector<Value>& values) const {
    std::map<std::int64_t, Value> named;
    for (const VertexId v : graph_->vertices()) named[keys_.IntegerOf(v)] = values[v];
    return named;
  }

 private:
  VertexDictionary keys_{KeyKind::kInteger};
  std::shared_ptr<const CsrGraph> graph_;
};

class VertexProgramTest : public PluginRuns {
 protected:
  static constexpr VertexId kIds = 3'000;

  std::map<std::int64_t, double> Scores(JobSpec job, const Pairs& pairs, int threads = 0,
                                        std::uint64_t seed = 1) const {
    const ShuffledGraph graph(pairs, kIds, seed);
    job.threads = threads;
    const auto run = Run(job, graph.view(), graph.keys());
    return run ? graph.ByKey(run->whole->scores) : std::map<std::int64_t, double>();
  }
  // Why a run of the fixture with this fault fails.
  std::string WhyOf(const std::string& fault, int threads = 0) const {
    why_.clear();
    Scores(FixtureJob("vertex_faults", {{"fault", fault}}), pairs_, threads);
    return why_;
  }

  const testing::NamedSeed seed_;
  const Pairs pairs_ = RandomPairs(seed_.value(), kIds, 9'000);
};

TEST_F(VertexProgramTest, TheColoursAreThoseOfTheGreedyPluginWhateverTheIdsAre) {
  const auto colours = [&](const std::string& example, std::uint64_t ids) {
    const ShuffledGraph graph(pairs_, kIds, ids);
    const auto run = Run(ExampleJob(example), graph.view(), graph.keys());
    std::map<std::int64_t, std::int64_t> named;
    if (!run) return named;
    for (const auto& [key, set] : graph.ByKey(run->whole->groups)) {
      named[key] = graph.keys().IntegerOf(set);
    }
    return named;
  };
  const auto expected = colours("colouring", 1);
  ASSERT_FALSE(expected.empty()) << why_;
  EXPECT_EQ(colours("vertex_colouring", 1), expected) << why_;
  EXPECT_EQ(colours("vertex_colouring", 2), expected) << why_;
}

TEST_F(VertexProgramTest, FloodEchoCountsTheBranchesOfATreeOfShortestPaths) {
  const Pairs pairs = RandomPairs(seed_.value(), kIds, 3'000);  // several components
  std::map<std::int64_t, std::set<std::int64_t>> neighbours;
  for (const auto& [source, target] : pairs) {
    if (source == target) continue;
    neighbours[source].insert(target);
    neighbours[target].insert(source);
  }
  const std::int64_t root = neighbours.begin()->first;
  // By depth; the parent is the neighbour of the depth before with the least key.
  std::map<std::int64_t, int> depths = {{root, 0}};
  std::vector<std::int64_t> order = {root};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::int64_t next : neighbours[order[i]]) {
      if (depths.emplace(next, depths[order[i]] + 1).second) order.push_back(next);
    }
  }
  std::map<std::int64_t, double> branches;
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    branches[*v] += 1;
    for (const std::int64_t parent : neighbours[*v]) {
      if (depths[parent] != depths[*v] - 1) continue;
      branches[parent] += branches[*v];
      break;
    }
  }
  const JobSpec job = ExampleJob("vertex_flood_echo", {{"root", std::to_string(root)}});
  for (const int threads : {1, 2, 5}) {
    auto scores = Scores(job, pairs, threads, static_cast<std::uint64_t>(threads));
    ASSERT_FALSE(scores.empty()) << why_;
    std::erase_if(scores, [](const auto& each) { return std::isnan(each.second); });
    EXPECT_EQ(scores, branches) << threads << " threads";
  }
}

TEST_F(VertexProgramTest, ARootThatIsNotInTheWindowReachesNothing) {
  for (const auto& example : {"vertex_sssp", "vertex_flood_echo"}) {
    const auto scores = Scores(ExampleJob(example, {{"root", std::string("none")}}), pairs_);
    ASSERT_FALSE(scores.empty()) << why_;
    EXPECT_TRUE(
        std::ranges::all_of(scores, [](const auto& each) { return std::isnan(each.second); }));
  }
}

TEST_F(VertexProgramTest, LettersComeInTheOrderOfTheKeysOfTheirSenders) {
  // The fixture, one vertex after the other. All keys that have edges, by place.
  std::set<VertexId> present;
  for (const auto& [source, target] : pairs_) present.insert({source, target});
  const std::vector<VertexId> keys(present.begin(), present.end());
  const auto place = [&](VertexId key) {
    return static_cast<std::size_t>(std::ranges::lower_bound(keys, key) - keys.begin());
  };
  std::vector<std::vector<std::size_t>> senders(keys.size());
  for (const auto& [source, target] : pairs_) senders[place(target)].push_back(place(source));
  for (auto& list : senders) std::ranges::sort(list);
  std::vector<std::uint64_t> values(keys.size());
  std::iota(values.begin(), values.end(), std::uint64_t{0});
  std::vector<std::uint64_t> sent = values;
  std::vector<char> has_sent(keys.size(), 1);
  for (int superstep = 1; superstep <= 4; ++superstep) {
    const std::vector<std::uint64_t> before = sent;
    const std::vector<char> had_sent = has_sent;
    for (std::size_t v = 0; v < keys.size(); ++v) {
      std::uint64_t letters = 0;
      for (const std::size_t from : senders[v]) {
        if (had_sent[from] == 0) continue;
        values[v] = (values[v] * 1'000'003 + from * 31 + before[from]) % (1ull << 48);
        ++letters;
      }
      sent[v] = values[v] + letters;
      has_sent[v] = superstep == 1 || letters > 0;
    }
  }
  std::map<std::int64_t, double> expected;
  for (std::size_t v = 0; v < keys.size(); ++v) expected[keys[v]] = static_cast<double>(values[v]);
  const JobSpec job = FixtureJob("vertex_faults");
  for (const int threads : {1, 2, 5}) {
    const auto ids = static_cast<std::uint64_t>(threads);
    EXPECT_EQ(Scores(job, pairs_, threads, ids), expected) << threads << " threads; " << why_;
  }
}

TEST_F(VertexProgramTest, WhatGoesWrongFailsTheRunWithTheReason) {
  const std::string title = "plug-in vertex_faults 1.0: ";
  EXPECT_EQ(WhyOf("none"), "");
  EXPECT_EQ(WhyOf("never_halts"), title + "it has not ended after 50 supersteps (kMostSupersteps)");
  EXPECT_THAT(WhyOf("nan"), HasSubstr(" is NaN"));
  EXPECT_EQ(WhyOf("far"), title + "it sends to a place that no vertex has");
  EXPECT_EQ(WhyOf("floods"),
            title + "a vertex sends more letters in a superstep than it has neighbours, and one");
  EXPECT_EQ(WhyOf("constructor"), title + "it was told to fail before it began");
  for (const int threads : {1, 5}) {  // the first in the order of the vertices
    EXPECT_EQ(WhyOf("throws", threads), title + "place 3");
    EXPECT_EQ(WhyOf("fails", threads), title + "place 3");
  }
}

}  // namespace
}  // namespace sash
