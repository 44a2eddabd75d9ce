// Random scripts of live windows: at random cuts, a live window must be the last window of a replay
// of the records so far, edge by edge and weight by weight; its slices, open ones included, must
// make the same window; and published windows must be the same as without live windows.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/reference_stream.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"
#include "windows/kernels/graph_view.h"
#include "windows/slide/live_advance.h"
#include "windows/slide/live_slices.h"
#include "windows/store/live_copy.h"
#include "windows/store/live_view.h"
#include "windows/store/visible_edges.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::ExpectedWindow;
using testing::ListedEdge;
using testing::Script;
using testing::ScriptRecord;
using testing::ScriptWriter;

static_assert(BulkGraphView<LiveView>);

std::uint64_t TypeInScript(const VertexDictionary& keys, TypeNumber type) {
  return type == kNoType ? 0 : std::stoull(std::string(keys.types().WordOf(type).substr(1)));
}

std::vector<ListedEdge> ListLive(const LiveView& view, const VertexDictionary& keys, bool is_out) {
  std::vector<ListedEdge> edges;
  for (const VertexId v : view.vertices()) {
    for (const Neighbor& neighbour : is_out ? view.weighted_out(v) : view.weighted_in(v)) {
      const VertexId source = is_out ? v : neighbour.vertex;
      const VertexId target = is_out ? neighbour.vertex : v;
      edges.push_back({testing::NumberOf(keys, source), testing::NumberOf(keys, target),
                       neighbour.weight, TypeInScript(keys, neighbour.type)});
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

// Edges, degrees, counts and the list of vertices.
void ExpectShows(const LiveWindow& live, const std::vector<ListedEdge>& edges,
                 const VertexDictionary& keys) {
  const LiveView view(live.parts);
  ASSERT_EQ(ListLive(view, keys, true), edges);
  ASSERT_EQ(ListLive(view, keys, false), edges);
  EXPECT_EQ(view.edge_count(), edges.size());
  std::uint64_t out = 0;
  std::uint64_t in = 0;
  for (const VertexId v : view.vertices()) {
    EXPECT_GT(view.out_degree(v) + view.in_degree(v), 0u);
    out += view.out_degree(v);
    in += view.in_degree(v);
  }
  EXPECT_EQ(out, edges.size());
  EXPECT_EQ(in, edges.size());
  // The copy that a live job runs on.
  std::vector<ListedEdge> copied = testing::ListOut(WindowView(CopyOf(view)), keys);
  std::sort(copied.begin(), copied.end());
  EXPECT_EQ(copied, edges);
  // A view of its own, which has not counted before.
  const LiveView fresh(live.parts);
  for (const VertexId v : view.vertices()) EXPECT_EQ(fresh.out_degree(v), view.out_degree(v));
}

// The slices that entered a live window make the same window, also if some have closed since.
// Returns whether the window has a history that still has its slices.
bool ExpectSlicesMake(const LiveWindow& live, const WindowStatus& window,
                      const std::vector<ListedEdge>& edges, const VertexDictionary& keys) {
  if (!window.history) return false;
  const auto archived = LiveSlices(*window.history, live, std::numeric_limits<Position>::min(),
                                   std::numeric_limits<Position>::max());
  if (!archived) return false;
  std::vector<std::shared_ptr<const Slice>> slices;
  for (const auto& slice : *archived) {
    EXPECT_EQ(slice->end() - slice->begin(), live.pane);
    if (!slices.empty()) {
      EXPECT_LE(slices.back()->end, slice->begin());
    }
    slices.push_back(slice->Unpack());
  }
  const EdgeList made =
      VisibleEdges(slices, live.parts.duplicates, live.parts.id_limit, live.parts.identity);
  std::vector<ListedEdge> listed;
  for (std::size_t i = 0; i < made.size(); ++i) {
    listed.push_back({testing::NumberOf(keys, made.sources[i]),
                      testing::NumberOf(keys, made.targets[i]), made.weights[i],
                      TypeInScript(keys, made.types[i])});
  }
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(listed, edges);
  return true;
}

class LiveReader {
 public:
  LiveReader(const Script& script, std::mt19937_64& random) : script_(script), random_(random) {}

  // The number of windows that were read, and of those whose slices were.
  std::uint64_t read() const { return read_; }
  std::uint64_t listed() const { return listed_; }

  void Run(KeyKind kind) {
    std::vector<WindowSpec> windows = script_.windows;
    for (WindowSpec& spec : windows) spec.live = true;
    EngineHarness harness(windows, script_.policy, script_.partitions, kind);
    harness.on_advance = [&](const AdvancePtr& advance) {
      published_.push_back(testing::ListOut(advance->view, harness.keys));
      newest_[advance->provenance.window] = {advance->end, published_.back()};
    };
    harness.Start();
    records_ = testing::ReadingOrder(script_, random_);
    for (std::size_t begin = 0; begin < records_.size() && !::testing::Test::HasFailure();) {
      const std::size_t end =
          testing::WholeRecords(records_, std::min(records_.size(), begin + 1 + random_() % 40));
      harness.Feed({At(begin), At(end)});
      begin = end;
      ends_.push_back(end);
      if (random_() % 2 == 0 || end == records_.size()) ReadAll(end, harness);
    }
    harness.End();
    if (!::testing::Test::HasFailure()) ExpectPublished(windows, kind);
  }

 private:
  std::vector<ScriptRecord>::const_iterator At(std::size_t i) const {
    return records_.begin() + static_cast<std::ptrdiff_t>(i);
  }

  void ReadAll(std::size_t fed, EngineHarness& harness) {
    const std::vector<ScriptRecord> prefix(At(0), At(fed));
    for (const WindowSpec& spec : script_.windows) {
      SCOPED_TRACE(spec.name + " after " + std::to_string(fed) + " records");
      Read(spec, prefix, harness);
    }
    if (held_.size() > 6) {
      const auto& [window, live, edges] = held_.front();
      ExpectShows(*live, edges, harness.keys);
      if (ExpectSlicesMake(*live, *harness.engine().Find(window), edges, harness.keys)) ++listed_;
      held_.erase(held_.begin());
    }
  }

  void Read(const WindowSpec& spec, const std::vector<ScriptRecord>& prefix,
            EngineHarness& harness) {
    const std::optional<WindowStatus> status = harness.engine().Find(spec.name);
    const LiveWindowPtr live = status->live;
    const std::vector<ExpectedWindow> expected =
        ExpectedWindows(prefix, spec, script_.pane(spec.by), script_.policy);
    if (live == nullptr) {
      EXPECT_TRUE(expected.empty());
      return;
    }
    EXPECT_FALSE(live->is_rebuilding);
    const std::int64_t newest_end = expected.empty() ? -1 : expected.back().axis_end;
    SCOPED_TRACE("expected end " + std::to_string(newest_end) + ", live " +
                 std::to_string(live->end));
    // Windows after the last published one are suppressed, because they are empty. A filtered
    // record may have moved the clock, so that windows behind the last event are published already.
    std::vector<ListedEdge> edges;
    const auto newest = newest_.find(spec.name);
    if (!expected.empty() && expected.back().axis_end == live->end) {
      edges = expected.back().edges;
    } else if (newest != newest_.end() && newest->second.end == live->end) {
      edges = newest->second.edges;
    }
    if (!expected.empty()) {
      EXPECT_LE(expected.back().axis_end, live->end);
    }
    std::sort(edges.begin(), edges.end());
    ExpectShows(*live, edges, harness.keys);
    if (ExpectSlicesMake(*live, *status, edges, harness.keys)) ++listed_;
    ++read_;
    ExpectDescribed(harness, *status, expected);
    if (random_() % 8 == 0) held_.push_back({spec.name, live, edges});
  }

  // What the result of a live job says about its window.
  static void ExpectDescribed(EngineHarness& harness, const WindowStatus& status,
                              const std::vector<ExpectedWindow>& expected) {
    if (expected.empty() || expected.back().axis_end != status.live->end) return;
    const AdvancePtr advance = LiveAdvance(harness.engine(), status, harness.clock);
    ASSERT_NE(advance, nullptr);
    const Provenance& about = advance->provenance;
    const auto in_nanoseconds = [](EventTime time) { return time.time_since_epoch().count(); };
    if (status.spec.by == WindowAxis::kEvents) {
      EXPECT_EQ(about.accepted, expected.back().accepted);
      EXPECT_EQ(in_nanoseconds(about.window_start), expected.back().start);
      EXPECT_EQ(in_nanoseconds(about.window_end), expected.back().end);
    }
    EXPECT_EQ(about.edges, expected.back().edges.size());
    EXPECT_EQ(about.late, expected.back().late);
    EXPECT_EQ(about.refused, expected.back().refused);
  }

  // The same script without live windows publishes the same.
  void ExpectPublished(std::vector<WindowSpec> windows, KeyKind kind) {
    for (WindowSpec& spec : windows) spec.live = false;
    EngineHarness harness(std::move(windows), script_.policy, script_.partitions, kind);
    std::size_t next = 0;
    harness.on_advance = [&](const AdvancePtr& advance) {
      ASSERT_LT(next, published_.size());
      ASSERT_EQ(testing::ListOut(advance->view, harness.keys), published_[next++]);
    };
    harness.Start();
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      harness.Feed({At(begin), At(end)});
      begin = end;
    }
    harness.End();
    EXPECT_EQ(next, published_.size());
  }

  struct Newest {
    std::int64_t end = 0;
    std::vector<ListedEdge> edges{};
  };

  struct Held {
    std::string window;
    LiveWindowPtr live;
    std::vector<ListedEdge> edges;
  };

  const Script& script_;
  std::mt19937_64& random_;
  std::map<std::string, Newest> newest_;  // published, by window
  std::vector<ScriptRecord> records_;
  std::vector<std::vector<ListedEdge>> published_;  // in the order of the advances
  std::vector<Held> held_;
  std::vector<std::size_t> ends_;  // of the batches
  std::uint64_t read_ = 0;
  std::uint64_t listed_ = 0;
};

// Compares the live windows of random scripts with replays of their prefixes.
void ReadRandomScripts(const testing::SeedRange& seeds, bool with_ids) {
  std::uint64_t read = 0;
  std::uint64_t listed = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    if (seed % 3 == 0) writer.AddFilters(script);
    if (seed % 4 < 2) writer.AddTypes(script);
    if (with_ids) writer.AddIds(script, seed % 5 < 3);
    for (WindowSpec& spec : script.windows) spec.implementation = StoreKind::kMultiversioned;
    std::mt19937_64 random(seed);
    if (seed % 3 < 2) writer.AddHistory(script);
    LiveReader reader(script, random);
    reader.Run(seed % 2 == 0 ? KeyKind::kInteger : KeyKind::kString);
    read += reader.read();
    listed += reader.listed();
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(read, 10 * seeds.count);
  EXPECT_GT(listed, seeds.count);
}

// Whether an edge counts may change with every event that enters an open slice before it, and with
// every slice that closes.
TEST(LiveOracleTest, ALiveWindowLeavesOutTheDuplicatesThatTheReplayLeavesOut) {
  ReadRandomScripts(testing::SeedsFromEnvironment({130'000, 150}), true);
}

TEST(LiveOracleTest, ALiveWindowIsTheLastWindowOfAReplayUpToTheCut) {
  ReadRandomScripts(testing::SeedsFromEnvironment({120'000, 200}), false);
}

}  // namespace
}  // namespace sash
