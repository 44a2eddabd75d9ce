// Windows that are added, changed and removed at random moments of random scripts. They must equal
// the reference for exactly the slices that they can have, and other windows must not be affected.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/reference_stream.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"
#include "windows/base/check.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::ExpectedWindow;
using testing::Joining;
using testing::ListedEdge;
using testing::Script;
using testing::ScriptRecord;
using testing::ScriptWriter;

// The part of an advance that its slices determine.
struct Decided {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::uint64_t accepted = 0;
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  bool gap = false;
  std::vector<ListedEdge> edges;
  friend bool operator==(const Decided&, const Decided&) = default;
  friend void PrintTo(const Decided& said, std::ostream* out) {
    *out << "[" << said.start << ", " << said.end << ") accepted " << said.accepted << " late "
         << said.late << " refused " << said.refused << " gap " << said.gap << " edges "
         << ::testing::PrintToString(said.edges);
  }
};

Decided DecidedBy(const Advance& advance, const VertexDictionary& keys) {
  const Provenance& about = advance.provenance;
  return {about.window_start.time_since_epoch().count(),
          about.window_end.time_since_epoch().count(),
          about.accepted.value_or(0),
          about.late,
          about.refused,
          about.gap,
          testing::ListOut(advance.view, keys)};
}

Decided DecidedBy(const ExpectedWindow& window, WindowAxis axis) {
  return {window.start, window.end,     axis == WindowAxis::kEvents ? window.accepted : 0,
          window.late,  window.refused, window.gap,
          window.edges};
}

// A window of a run, with the time from which and until which it existed. After a change it counts
// as another window.
struct Lived {
  WindowSpec spec;
  std::optional<Joining> joining;
  std::optional<std::int64_t> left;  // everything before it had closed at removal
  std::vector<Decided> said{};
};

class LiveRun {
 public:
  LiveRun(const Script& script, std::vector<ScriptRecord> records)
      : script_(script),
        records_(std::move(records)),
        harness_(script.windows, script.policy, script.partitions) {
    for (const WindowSpec& spec : script.windows) lived_.push_back({spec, {}, {}});
    harness_.on_advance = [this](const AdvancePtr& advance) {
      testing::ExpectConsistent(advance->view, harness_.keys);
      Present(advance->provenance.window).said.push_back(DecidedBy(*advance, harness_.keys));
    };
    harness_.Start();
  }

  // Feeds the next `count` records.
  void Feed(std::size_t count) {
    const std::size_t end =
        testing::WholeRecords(records_, std::min(records_.size(), fed_ + count));
    harness_.Feed({records_.begin() + static_cast<std::ptrdiff_t>(fed_),
                   records_.begin() + static_cast<std::ptrdiff_t>(end)});
    for (; fed_ < end; ++fed_)
      numbered_ += records_[fed_].refused || records_[fed_].filtered ? 0 : 1;
    ExpectCoherent();
  }
  bool done() const { return fed_ == records_.size(); }
  void End() { harness_.End(); }

  void Add(const WindowSpec& spec) {
    const std::optional<std::int64_t> closed = Closed(spec.by);
    std::optional<Joining> joining;
    if (closed) joining = Joining{*closed, HaveFrom(spec, *closed)};
    ASSERT_TRUE(harness_.AddWindow(spec));
    ExpectCoherent();
    lived_.push_back({spec, joining, {}});
  }

  // Changes one of the windows to `spec`, except for its name.
  void Change(WindowSpec spec, std::mt19937_64& random) {
    std::vector<Lived*> present = PresentOnes();
    std::erase_if(present, [&](const Lived* one) { return one->spec.by != spec.by; });
    if (present.empty()) return;
    Lived& before = *present[random() % present.size()];
    spec.name = before.spec.name;
    if (spec == before.spec) return;
    const std::optional<std::int64_t> closed = Closed(spec.by);
    std::optional<Joining> joining;
    if (closed) {
      joining = Joining{*closed, HaveFrom(spec, *closed), StandingOf(before, *closed)};
    }
    ASSERT_TRUE(harness_.PutWindows({spec}));
    ExpectCoherent();
    before.left = closed.value_or(std::numeric_limits<std::int64_t>::min());
    lived_.push_back({spec, joining, {}});
  }

  void Remove(std::mt19937_64& random) {
    const std::vector<Lived*> present = PresentOnes();
    if (present.size() == 1) {
      EXPECT_FALSE(harness_.RemoveWindow(present.front()->spec.name));
      return;
    }
    Lived& leaving = *present[random() % present.size()];
    // The last window of an axis stays; otherwise a new lane with another pane would start.
    const auto same_axis = [&](const Lived* one) { return one->spec.by == leaving.spec.by; };
    if (std::ranges::count_if(present, same_axis) == 1) return;
    ASSERT_TRUE(harness_.RemoveWindow(leaving.spec.name));
    leaving.left = Closed(leaving.spec.by).value_or(std::numeric_limits<std::int64_t>::min());
  }

  const std::vector<Lived>& lived() const { return lived_; }
  EngineHarness& harness() { return harness_; }

 private:
  std::vector<Lived*> PresentOnes() {
    std::vector<Lived*> present;
    for (Lived& one : lived_) {
      if (!one.left) present.push_back(&one);
    }
    return present;
  }

  Lived& Present(const std::string& name) {
    const auto one = std::ranges::find_if(
        lived_, [&](const Lived& each) { return !each.left && each.spec.name == name; });
    SASH_CHECK(one != lived_.end());
    return *one;
  }

  void ExpectCoherent() {
    const Status coherent = CheckCoherent(harness_.engine().Capture());
    EXPECT_TRUE(coherent.ok()) << coherent.error().message;
  }

  // The position on this axis before which everything has closed.
  std::optional<std::int64_t> Closed(WindowAxis axis) const {
    const std::int64_t pane = script_.pane(axis);
    const auto floor = [&](std::int64_t position) { return PaneBegin(position, pane); };
    if (axis == WindowAxis::kEvents) {
      if (numbered_ == 0) return std::nullopt;
      return floor(numbered_ - 1);
    }
    const std::optional<EventTime> watermark = harness_.progress.Watermark();
    if (!watermark) return std::nullopt;
    return floor(watermark->time_since_epoch().count());
  }

  testing::Standing StandingOf(const Lived& one, std::int64_t closed) const {
    return testing::StandingAt(script_.records, one.spec, script_.pane(one.spec.by), script_.policy,
                               one.joining, closed);
  }

  // The begin of the slices that a window can have which is added now: those of the windows that
  // share its store; if there are none, those of all windows that keep slices unchanged.
  std::int64_t HaveFrom(const WindowSpec& spec, std::int64_t closed) const {
    std::optional<std::int64_t> sharing;
    std::optional<std::int64_t> any;
    for (const Lived& other : lived_) {
      const bool shares = other.spec.store() == spec.store();
      const bool has_slices = other.spec.implementation == StoreKind::kRebuild;
      if (other.left || other.spec.by != spec.by || (!shares && !has_slices)) continue;
      const std::int64_t from = StandingOf(other, closed).held_from;
      if (has_slices) any = std::min(any.value_or(from), from);
      if (shares) sharing = std::min(sharing.value_or(from), from);
    }
    return sharing.value_or(any.value_or(closed));
  }

  const Script& script_;
  const std::vector<ScriptRecord> records_;
  EngineHarness harness_;
  std::size_t fed_ = 0;
  std::int64_t numbered_ = 0;
  std::vector<Lived> lived_;
};

// The initial windows, in a run without added or removed windows.
std::vector<Lived> Undisturbed(const Script& script, const std::vector<ScriptRecord>& records) {
  LiveRun run(script, records);
  run.Feed(records.size());
  run.End();
  return run.lived();
}

class Counts {
 public:
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t changed = 0;
  std::uint64_t compared = 0;
  std::uint64_t gaps = 0;
  std::uint64_t filled = 0;  // first advances without a gap, of windows that joined
};

void CompareWithReference(const Script& script, const LiveRun& run, Counts& counts) {
  for (const Lived& one : run.lived()) {
    SCOPED_TRACE("window " + one.spec.name);
    std::vector<Decided> expected;
    for (const ExpectedWindow& window : testing::ExpectedWindows(
             script.records, one.spec, script.pane(one.spec.by), script.policy, one.joining)) {
      if (!one.left || window.axis_end <= *one.left) {
        expected.push_back(DecidedBy(window, one.spec.by));
      }
    }
    ASSERT_EQ(one.said, expected);
    if (!one.joining) continue;
    counts.changed += one.joining->before ? 1 : 0;
    for (const Decided& window : one.said) {
      ++counts.compared;
      counts.gaps += window.gap ? 1 : 0;
    }
    counts.filled += !one.said.empty() && !one.said.front().gap ? 1 : 0;
  }
}

// Every fourth script over event time has ids of edges, some of which come again.
Script WithIds(Script script, const ScriptWriter& writer, std::uint64_t seed) {
  if (seed % 4 == 2 && script.windows.front().by == WindowAxis::kEventTime) {
    writer.AddIds(script, true);
  }
  return script;
}

// Returns how many ids of vertices were recycled.
std::uint64_t CheckRun(const Script& script, ScriptWriter& writer, std::uint64_t seed,
                       Counts& counts) {
  std::mt19937_64 random(seed);
  const std::vector<ScriptRecord> records = testing::ReadingOrder(script, random);
  LiveRun run(script, records);
  std::uint32_t number = 100;
  while (!run.done()) {
    run.Feed(1 + random() % 40);
    if (random() % 4 == 0) {
      run.Add(writer.LateWindow(script, number++));
      ++counts.added;
    }
    if (random() % 6 == 0) {
      run.Remove(random);
      ++counts.removed;
    }
    if (random() % 6 == 0) run.Change(writer.LateWindow(script, number++), random);
  }
  run.End();
  CompareWithReference(script, run, counts);
  const std::vector<Lived> undisturbed = Undisturbed(script, records);
  for (std::size_t w = 0; w < undisturbed.size(); ++w) {
    if (run.lived()[w].left) continue;
    EXPECT_EQ(run.lived()[w].said, undisturbed[w].said) << undisturbed[w].spec.name;
  }
  const EngineStats& stats = run.harness().stats;
  EXPECT_EQ(stats.slices_closed, stats.slices_retained + stats.slices_released);
  return stats.ids_recycled;
}

TEST(RunTimeOracleTest, WindowsThatComeChangeAndGoEqualTheReferenceAndDisturbNoOther) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({5000, 400});
  Counts counts;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = WithIds(writer.Write(), writer, seed);
    if (seed % 3 == 1) writer.AddTypes(script);
    CheckRun(script, writer, seed, counts);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(counts.added, seeds.count / 2);
  EXPECT_GT(counts.removed, seeds.count / 2);
  EXPECT_GT(counts.changed, seeds.count / 2);
  EXPECT_GT(counts.compared, 20 * seeds.count);
  EXPECT_GT(counts.gaps, seeds.count);
  EXPECT_GT(counts.filled, seeds.count / 4);
}

TEST(RunTimeOracleTest, WindowsThatComeChangeAndGoShowNoOldEdgesOfRecycledIds) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({6000, 200});
  Counts counts;
  std::uint64_t recycled = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = WithIds(writer.WriteRestless(), writer, seed);
    if (seed % 3 == 1) writer.AddTypes(script);
    recycled += CheckRun(script, writer, seed, counts);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(counts.compared, 10 * seeds.count);
  EXPECT_GT(recycled, 20 * seeds.count);
}

}  // namespace
}  // namespace sash
