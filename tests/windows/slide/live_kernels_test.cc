// Kernels on live windows: on the view itself, which the API reads, and on its copy, which live
// jobs read, they give what they give on the last window that a replay of the records so far
// publishes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/pagerank.h"
#include "windows/kernels/triangles.h"
#include "windows/kernels/wcc.h"
#include "windows/store/live_copy.h"
#include "windows/store/live_view.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::Script;
using testing::ScriptRecord;
using testing::ScriptWriter;

struct KernelValues {
  std::int32_t depth = kUnreached;
  std::int64_t component = 0;  // the least key of the vertices in it
  std::uint64_t triangles = 0;
  double rank = 0;
};
using ValuesByKey = std::map<std::int64_t, KernelValues>;

template <BulkGraphView Graph>
ValuesByKey RunKernels(const Graph& graph, const VertexDictionary& keys, std::int64_t root,
                       int threads = 0) {
  const std::vector<VertexId> roots = {keys.Find(VertexKey(root)).value_or(kNoVertex)};
  const BfsResult reached = Bfs(graph, roots, {.threads = threads});
  const WccResult components = Wcc(graph, {.threads = threads});
  const TrianglesResult triangles = Triangles(graph, {.threads = threads});
  const PageRankResult ranks = PageRank(graph, {.tolerance = 1e-12, .threads = threads});
  std::map<VertexId, std::int64_t> least;  // by label
  for (const VertexId v : graph.vertices()) {
    const std::int64_t key = testing::NumberOf(keys, v);
    const auto [known, is_new] = least.try_emplace(components.labels[v], key);
    known->second = std::min(known->second, key);
  }
  ValuesByKey values;
  for (const VertexId v : graph.vertices()) {
    values[testing::NumberOf(keys, v)] = {reached.depths[v], least[components.labels[v]],
                                          triangles.counts[v], ranks.ranks[v]};
  }
  return values;
}

void ExpectSameValues(const ValuesByKey& found, const ValuesByKey& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [key, values] : expected) {
    const auto same = found.find(key);
    ASSERT_NE(same, found.end()) << key;
    EXPECT_EQ(same->second.depth, values.depth) << key;
    EXPECT_EQ(same->second.component, values.component) << key;
    EXPECT_EQ(same->second.triangles, values.triangles) << key;
    EXPECT_NEAR(same->second.rank, values.rank, 1e-9) << key;
  }
}

// Returns whether any live window had an edge.
bool ExpectKernelsAgree(const Script& script, std::mt19937_64& random) {
  std::vector<ScriptRecord> records = testing::ReadingOrder(script, random);
  records.resize(testing::WholeRecords(records, 1 + random() % records.size()));
  const std::int64_t root = records[random() % records.size()].source;
  std::vector<WindowSpec> windows = script.windows;
  EngineHarness replay(windows, script.policy, script.partitions);
  replay.Start();
  replay.Feed(records);
  replay.End();
  for (WindowSpec& spec : windows) spec.live = true;
  EngineHarness harness(windows, script.policy, script.partitions);
  harness.Start();
  harness.FeedInBatches(records, 60, random);
  bool has_edges = false;
  for (const WindowSpec& spec : windows) {
    SCOPED_TRACE(spec.name);
    const LiveWindowPtr live = harness.engine().Find(spec.name)->live;
    if (live == nullptr) continue;
    const auto published = std::ranges::find_if(replay.advances, [&](const AdvancePtr& advance) {
      return advance->provenance.window == spec.name && advance->end == live->end;
    });
    ValuesByKey expected;  // without such an advance: an empty window, which is not published
    if (published != replay.advances.end()) {
      expected = VisitView((*published)->view,
                           [&](const auto& graph) { return RunKernels(graph, replay.keys, root); });
    }
    const LiveView view(live->parts);
    constexpr int kOneThread = 1;  // a live view belongs to one
    ExpectSameValues(RunKernels(view, harness.keys, root, kOneThread), expected);
    ExpectSameValues(RunKernels(*CopyOf(view), harness.keys, root), expected);
    has_edges = has_edges || !expected.empty();
  }
  return has_edges;
}

TEST(LiveKernelsTest, TheyGiveWhatTheyGiveOnTheLastWindowOfAReplayUpToTheCut) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({340'000, 60});
  std::uint64_t compared = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    if (seed % 3 == 0) writer.AddFilters(script);
    for (WindowSpec& spec : script.windows) spec.implementation = StoreKind::kMultiversioned;
    std::mt19937_64 random(seed);
    compared += ExpectKernelsAgree(script, random) ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, seeds.count / 2);
}

}  // namespace
}  // namespace sash
