// The example plug-ins: `reciprocity` equals the kernel that sashd has, and `colouring` is a proper
// colouring that depends on the graph alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "tests/daemon/plugins/plugin_runs.h"
#include "tests/support/named_seed.h"
#include "tests/support/random_graph.h"
#include "tests/support/sliding_view.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::Pairs;
using testing::RandomPairs;
using testing::SlidingView;

using ExamplePluginTest = testing::PluginRuns;

class ReciprocityPluginTest : public ExamplePluginTest,
                              public ::testing::WithParamInterface<StoreSpec> {};

TEST_P(ReciprocityPluginTest, ItEqualsTheKernelOnEveryWindow) {
  const JobSpec plugin = ExampleJob("reciprocity");
  JobSpec kernel;
  kernel.parameters = ReciprocityParameters();
  VertexDictionary keys(KeyKind::kInteger);
  for (VertexId v = 0; v < SlidingView::kIds; ++v) {
    VertexDictionary::Writer(keys).Intern(std::int64_t{v});
  }
  const testing::NamedSeed seed;
  SlidingView window(GetParam(), seed.value(), 6, 3'000);
  for (int advance = 0; advance < 8; ++advance) {
    const auto mine = Run(plugin, window.view(), keys);
    const auto theirs = Run(kernel, window.view(), keys);
    ASSERT_TRUE(mine && theirs) << why_;
    const auto& scores = mine->whole->scores;
    const auto& expected = theirs->whole->scores;
    ASSERT_EQ(scores.size(), expected.size());
    for (std::size_t v = 0; v < scores.size(); ++v) {
      const bool same = scores[v] == expected[v] || std::isnan(expected[v]);
      EXPECT_TRUE(same && std::isnan(scores[v]) == std::isnan(expected[v])) << "vertex " << v;
    }
    const ResultTable table = DescribeResult(*mine->result);
    const ResultTable wanted = DescribeResult(*theirs->result);
    EXPECT_EQ(std::get<std::optional<double>>(table.figures.at(0).value),
              std::get<std::optional<double>>(wanted.figures.at(0).value));
    EXPECT_EQ(std::get<ScoreOutput>(mine->result->output).scored,
              std::get<ScoreOutput>(theirs->result->output).scored);
    window.Advance();
  }
}

INSTANTIATE_TEST_SUITE_P(AllPolicies, ReciprocityPluginTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

// The set of each vertex, by key. Keys are numbers; ids are given in a random order.
std::map<std::int64_t, std::int64_t> ColoursOf(
    const JobSpec& job, const Pairs& pairs, VertexId ids, std::uint64_t seed,
    std::optional<CompletedRun> (*run_on)(const JobSpec&, const WindowView&,
                                          const VertexDictionary&)) {
  std::vector<VertexId> order(ids);
  std::iota(order.begin(), order.end(), VertexId{0});
  std::ranges::shuffle(order, std::mt19937_64(seed));
  VertexDictionary keys(KeyKind::kInteger);
  std::vector<VertexId> id_of(ids);
  for (const VertexId v : order) id_of[v] = VertexDictionary::Writer(keys).Intern(std::int64_t{v});
  Pairs named;
  for (const auto& [source, target] : pairs) named.emplace_back(id_of[source], id_of[target]);
  const auto graph = std::make_shared<const CsrGraph>(MakeCsr(named, ids));
  const auto run = run_on(job, graph, keys);
  std::map<std::int64_t, std::int64_t> colours;
  if (!run) return colours;
  for (const VertexId v : graph->vertices()) {
    colours[keys.IntegerOf(v)] = keys.IntegerOf(run->whole->groups[v]);
  }
  return colours;
}

using ColouringPluginTest = ExamplePluginTest;

TEST_F(ColouringPluginTest, NeighboursDifferWhateverTheIdsAndThreadsAre) {
  constexpr VertexId kIds = 2'000;
  const Pairs pairs = RandomPairs(11, kIds, 9'000);
  JobSpec job = ExampleJob("colouring");
  const auto colours = ColoursOf(job, pairs, kIds, 1, Run);
  ASSERT_FALSE(colours.empty());
  for (const auto& [source, target] : pairs) {
    if (source == target) continue;
    EXPECT_NE(colours.at(source), colours.at(target)) << source << " and " << target;
  }
  for (const int threads : {1, 2, 5}) {
    job.threads = threads;
    EXPECT_EQ(ColoursOf(job, pairs, kIds, static_cast<std::uint64_t>(threads) + 7, Run), colours);
  }
}

TEST_F(ColouringPluginTest, ItIsGreedyByDegreeThenKey) {
  // A star with centre 9, and a triangle 1, 2, 3 whose vertex 3 is a leaf of the star: 9 has the
  // most neighbours, then 3. The least key of each colour names it.
  const Pairs pairs = {{9, 4}, {9, 5}, {9, 6}, {9, 3}, {1, 2}, {2, 3}, {3, 1}};
  const auto colours = ColoursOf(ExampleJob("colouring"), pairs, 10, 3, Run);
  const std::map<std::int64_t, std::int64_t> expected = {{1, 1}, {2, 2}, {3, 3}, {4, 3},
                                                         {5, 3}, {6, 3}, {9, 1}};
  EXPECT_EQ(colours, expected);
}

TEST_F(ColouringPluginTest, APaletteThatIsTooSmallFailsTheRunWithTheReason) {
  const JobSpec job = ExampleJob("colouring", {{"palette", std::int64_t{2}}});
  EXPECT_TRUE(ColoursOf(job, {{0, 1}, {1, 2}, {2, 0}}, 3, 1, Run).empty());
  EXPECT_EQ(why_, "plug-in colouring 1.0: it needs 3 colours, more than `palette` (2)");
}

}  // namespace
}  // namespace sash
