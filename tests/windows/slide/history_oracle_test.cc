// Random scripts of windows that can be read again: after every advance, some earlier windows are
// read, and must be what was published, edge by edge and weight by weight.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/reference_stream.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::ListedEdge;
using testing::Script;
using testing::ScriptWriter;

struct PastWindow {
  Provenance provenance{};
  std::int64_t end = 0;
  std::vector<ListedEdge> edges;
};

class HistoryReader {
 public:
  HistoryReader(const Script& script, std::mt19937_64& random) : script_(script), random_(random) {}

  // Returns the number of windows that were read.
  std::uint64_t Run(KeyKind kind) {
    EngineHarness harness(script_.windows, script_.policy, script_.partitions, kind);
    harness.on_advance = [&](const AdvancePtr& advance) { Take(*advance, harness); };
    harness.Start();
    harness.FeedInBatches(testing::ReadingOrder(script_, random_), 40, random_);
    harness.End();
    return read_;
  }

 private:
  void Take(const Advance& advance, EngineHarness& harness) {
    std::vector<PastWindow>& all = published_[advance.provenance.window];
    all.push_back({advance.provenance, advance.end, testing::ListOut(advance.view, harness.keys)});
    if (held_.size() > 3) {
      Compare(*held_.front().advance, *held_.front().published, harness);
      held_.erase(held_.begin());
    }
    const auto spec =
        std::ranges::find(script_.windows, advance.provenance.window, &WindowSpec::name);
    if (spec->retain == 0) return;
    ExpectDates(advance);
    ReadOne(*spec, harness);
  }

  // The slices in which edges came are those of the edges of the window.
  static void ExpectDates(const Advance& advance) {
    ASSERT_TRUE(advance.history.has_value());
    const PastSlices& history = *advance.history;
    ASSERT_EQ(history.hold != nullptr, history.archive->size() >= advance.slices);
    const auto dated = history.archive->DatedWindowOf(history.newest, advance.slices,
                                                      history.id_limit, std::nullopt);
    ASSERT_EQ(dated.has_value(), history.hold != nullptr);
    if (!dated) return;
    std::set<std::pair<VertexId, VertexId>> found;
    for (const DatedEdge& edge : dated->edges) {
      ASSERT_LT(edge.slice, dated->ends.size());
      found.emplace(edge.source, edge.target);
    }
    std::set<std::pair<VertexId, VertexId>> expected;
    VisitView(advance.view, [&](const auto& graph) {
      for (const VertexId v : graph.vertices()) {
        for (const VertexId u : graph.out(v)) expected.emplace(v, u);
      }
    });
    ASSERT_EQ(found, expected);
    if (!dated->ends.empty()) {
      EXPECT_LE(dated->ends.back(), advance.end);
    }
  }

  void ReadOne(const WindowSpec& spec, EngineHarness& harness) {
    const std::vector<PastWindow>& all = published_[spec.name];
    const WindowStatus window = harness.engine().Find(spec.name).value();
    const std::vector<WindowHistory::Past> listed = window.history->List();
    const auto first = std::ranges::find_if(all, [&](const PastWindow& published) {
      return published.end >= all.back().end - spec.retain;
    });
    ASSERT_EQ(listed.size(), static_cast<std::size_t>(all.end() - first));
    const std::size_t at = random_() % listed.size();
    const PastWindow& published = first[static_cast<std::ptrdiff_t>(at)];
    const auto past = window.history->Find(published.provenance.snapshot);
    ASSERT_TRUE(past.has_value());
    EXPECT_EQ(past->end, published.end);
    const AdvancePtr advance = harness.engine().Read(window, *past);
    ASSERT_NE(advance, nullptr);
    Compare(*advance, published, harness);
    ++read_;
    if (random_() % 4 == 0) held_.push_back({advance, std::make_shared<PastWindow>(published)});
    if (first != all.begin()) {
      EXPECT_FALSE(window.history->Find((first - 1)->provenance.snapshot).has_value());
    }
    if (spec.by == WindowAxis::kEvents) return;
    const PastWindow& some = first[static_cast<std::ptrdiff_t>(random_() % listed.size())];
    const auto found = window.history->FindAt(some.provenance.window_end + Duration(random_() % 2));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->provenance.snapshot, some.provenance.snapshot);
  }

  static void Compare(const Advance& advance, const PastWindow& published, EngineHarness& harness) {
    EXPECT_EQ(testing::ListOut(advance.view, harness.keys), published.edges)
        << advance.provenance.window << " " << published.end;
    testing::ExpectConsistent(advance.view, harness.keys);
    EXPECT_EQ(advance.provenance.snapshot, published.provenance.snapshot);
    EXPECT_EQ(advance.provenance.window_end, published.provenance.window_end);
    EXPECT_EQ(advance.provenance.edges, published.provenance.edges);
    VisitView(advance.view, [&](const auto& graph) {
      EXPECT_EQ(graph.vertices().size(), published.provenance.vertices);
    });
  }

  struct Held {
    AdvancePtr advance;
    std::shared_ptr<const PastWindow> published;
  };

  const Script& script_;
  std::mt19937_64& random_;
  std::map<std::string, std::vector<PastWindow>> published_;
  std::vector<Held> held_;
  std::uint64_t read_ = 0;
};

TEST(HistoryOracleTest, EveryReadableWindowIsWhatWasPublished) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({80'000, 200});
  std::uint64_t read = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    if (seed % 3 == 0) writer.AddFilters(script);
    if (seed % 5 == 0) writer.AddIds(script, seed % 10 == 0);
    if (seed % 4 == 0) writer.AddTypes(script);
    writer.AddHistory(script);
    std::mt19937_64 random(seed);
    read += HistoryReader(script, random).Run(seed % 2 == 0 ? KeyKind::kInteger : KeyKind::kString);
    if (HasFailure()) return;
  }
  EXPECT_GT(read, 10 * seeds.count);
}

std::vector<RewindPoint> RewindsOf(const Script& script) {
  std::vector<RewindPoint> rewinds;
  EngineHarness harness(script.windows, script.policy, script.partitions);
  harness.on_advance = [&](const AdvancePtr& advance) { rewinds.push_back(advance->rewind); };
  harness.Start();
  harness.Feed(script.records);
  harness.End();
  return rewinds;
}

TEST(HistoryOracleTest, TheRewindPointIsThatOfAnEngineWithoutHistory) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({90'000, 40});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    if (seed % 3 == 0) writer.AddIds(script, seed % 2 == 0);
    const std::vector<RewindPoint> without = RewindsOf(script);
    writer.AddHistory(script);
    ASSERT_EQ(RewindsOf(script), without);
  }
}

}  // namespace
}  // namespace sash
