// Random scripts: compares the engine with the reference after every advance, and reads pinned
// views again later.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/engine_harness.h"
#include "tests/support/reference_stream.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::ExpectedWindow;
using testing::ListedEdge;
using testing::Script;
using testing::ScriptWriter;

class Comparison {
 public:
  Comparison(const Script& script, std::mt19937_64& random) : script_(script), random_(random) {
    for (const WindowSpec& spec : script.windows) {
      expected_.push_back(
          testing::ExpectedWindows(script.records, spec, script.pane(spec.by), script.policy));
    }
    seen_.resize(script.windows.size());
  }

  // Returns how many ids were recycled.
  std::uint64_t Run(KeyKind kind = KeyKind::kInteger) {
    EngineHarness harness(script_.windows, script_.policy, script_.partitions, kind);
    harness.on_advance = [&](AdvancePtr advance) { Check(advance, harness.keys); };
    harness.Start();
    harness.FeedInBatches(testing::ReadingOrder(script_, random_), 40, random_);
    harness.End();
    for (std::size_t w = 0; w < expected_.size(); ++w) EXPECT_EQ(seen_[w], expected_[w].size());
    duplicates_ = harness.stats.duplicates;
    return harness.stats.ids_recycled;
  }
  std::uint64_t duplicates() const { return duplicates_; }

 private:
  void Check(const AdvancePtr& advance, const VertexDictionary& keys) {
    const auto spec =
        std::ranges::find(script_.windows, advance->provenance.window, &WindowSpec::name);
    const auto w = static_cast<std::size_t>(spec - script_.windows.begin());
    ASSERT_LT(seen_[w], expected_[w].size()) << "one window too many";
    const ExpectedWindow& expected = expected_[w][seen_[w]++];
    const Provenance& about = advance->provenance;
    EXPECT_EQ(about.window_start.time_since_epoch().count(), expected.start);
    EXPECT_EQ(about.window_end.time_since_epoch().count(), expected.end);
    EXPECT_EQ(about.late, expected.late);
    EXPECT_EQ(about.refused, expected.refused);
    EXPECT_EQ(about.edges, expected.edges.size());
    EXPECT_EQ(about.empty, expected.edges.empty());
    if (spec->by == WindowAxis::kEvents) {
      EXPECT_EQ(about.accepted, expected.accepted);
    }
    std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> offsets;
    for (const auto& [place, span] : about.offsets) {
      offsets[static_cast<std::uint32_t>(place.partition)] = {span.least, span.greatest};
    }
    EXPECT_EQ(offsets, expected.offsets);
    EXPECT_EQ(testing::ListOut(advance->view, keys), expected.edges);
    testing::ExpectConsistent(advance->view, keys);
    VisitView(advance->view,
              [&](const auto& graph) { EXPECT_EQ(graph.vertices().size(), about.vertices); });
    RereadPins(keys);
    if (random_() % 3 == 0) pins_.push_back({advance, &expected, 1 + random_() % 20});
  }

  struct Pin {
    AdvancePtr advance;
    const ExpectedWindow* expected;
    std::uint64_t advances_left;
  };

  void RereadPins(const VertexDictionary& keys) {
    for (Pin& pin : pins_) {
      if (--pin.advances_left > 0) continue;
      EXPECT_EQ(testing::ListOut(pin.advance->view, keys), pin.expected->edges) << "pinned view";
      testing::ExpectConsistent(pin.advance->view, keys);
    }
    std::erase_if(pins_, [](const Pin& pin) { return pin.advances_left == 0; });
  }

  const Script& script_;
  std::mt19937_64& random_;
  std::vector<std::vector<ExpectedWindow>> expected_;
  std::vector<std::size_t> seen_;
  std::vector<Pin> pins_;
  std::uint64_t duplicates_ = 0;
};

TEST(EngineOracleTest, EveryWindowOfRandomScriptsEqualsTheReference) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 400});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Script script = ScriptWriter(seed).Write();
    std::mt19937_64 random(seed);
    Comparison(script, random).Run();
    if (HasFailure()) return;
  }
}

TEST(EngineOracleTest, AFilteredWindowShowsWhatPassesAsIfThereWereNothingElse) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({20'000, 400});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    writer.AddFilters(script);
    std::mt19937_64 random(seed);
    Comparison(script, random).Run();
    if (HasFailure()) return;
  }
}

TEST(EngineOracleTest, EdgesWithAnIdThatCameBeforeAreInNoWindow) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({40'000, 400});
  std::uint64_t duplicates = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    if (seed % 3 == 0) writer.AddFilters(script);
    writer.AddIds(script, seed % 4 != 0);
    std::mt19937_64 random(seed);
    Comparison comparison(script, random);
    comparison.Run();
    duplicates += comparison.duplicates();
    if (HasFailure()) return;
  }
  EXPECT_GT(duplicates, 20 * seeds.count);
}

TEST(EngineOracleTest, EdgesHaveTheirTypesAndARemovalWithATypeEndsItsOwn) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({60'000, 400});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    if (seed % 3 == 0) writer.AddFilters(script);
    if (seed % 5 == 0) writer.AddIds(script, seed % 10 == 0);
    writer.AddTypes(script);
    std::mt19937_64 random(seed);
    Comparison(script, random).Run();
    if (HasFailure()) return;
  }
}

TEST(EngineOracleTest, IdsThatAreRecycledAllTheTimeNeverShowOldEdges) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({7000, 300});
  std::uint64_t recycled = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Script script = ScriptWriter(seed).WriteRestless();
    std::mt19937_64 random(seed);
    recycled +=
        Comparison(script, random).Run(seed % 2 == 0 ? KeyKind::kInteger : KeyKind::kString);
    if (HasFailure()) return;
  }
  EXPECT_GT(recycled, 50 * seeds.count);
}

}  // namespace
}  // namespace sash
