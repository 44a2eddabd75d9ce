// Random scripts, and engines that are killed repeatedly. Each engine starts at the rewind point of
// some earlier advance and reads the records in its own order. Together they must publish the same
// as one engine that reads everything once.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/said.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::Said;
using testing::Script;
using testing::ScriptRecord;
using testing::ScriptWriter;

// What was published, by window and Advance::ordinal.
using Told = std::map<std::pair<std::string, std::int64_t>, Said>;

// Without the members that differ between runs: numbers of snapshots, how far the watermark was
// when a window that it had passed was published, and the retained slices.
Said WithoutItsLife(const Advance& advance, const VertexDictionary& keys) {
  Said said = testing::WhatItSays(advance, keys);
  said.snapshot = 0;
  said.watermark.reset();
  said.slices = 0;
  said.rewind = {};
  return said;
}

void Note(const Advance& advance, const VertexDictionary& keys, Told& told) {
  Said said = WithoutItsLife(advance, keys);
  const std::pair place(said.window, said.ordinal);
  const auto later = told.lower_bound(place);
  EXPECT_TRUE(later == told.end() || later->first.first != said.window)
      << place.first << " " << place.second << " twice in one run, or after a newer one";
  told.emplace(place, std::move(said));
}

std::optional<std::int64_t> FirstOf(const Told& told, const std::string& window) {
  const auto first = told.lower_bound({window, std::numeric_limits<std::int64_t>::min()});
  if (first == told.end() || first->first.first != window) return std::nullopt;
  return first->first.second;
}

// The windows that the next results are compared with, by window and `every`.
using Recalled = std::map<std::pair<std::string, std::uint32_t>, Said>;

// Chooses, for each window, after how many slides jobs compare results.
EngineHarness::Compared ComparedIn(const Script& script, std::uint64_t seed) {
  EngineHarness::Compared compared;
  for (const WindowSpec& spec : script.windows) {
    for (const std::uint32_t every : {1u, 2u, 5u}) {
      if (seed++ % 3 != 0) compared[spec.name].insert(every);
    }
  }
  return compared;
}

// The newest window that was published and is due for `every`.
std::optional<Said> LastDue(const Told& whole, const WindowSpec& spec, std::int64_t published,
                            std::uint32_t every) {
  std::optional<Said> last;
  for (const auto& [place, said] : whole) {
    if (place.first != spec.name || place.second > OrdinalOf(spec, published)) continue;
    if (place.second % every == 0) last = said;
  }
  return last;
}

// A recalled window must be the one that preceded the next window in an uninterrupted run.
void ExpectToRecall(const Recalled& recalled, const Told& now, const Told& whole,
                    const Script& script, const EngineHarness::Compared& compared,
                    const RewindPoint& from) {
  std::size_t known = 0;
  for (const WindowSpec& spec : script.windows) {
    const auto published = from.published.find(spec.name);
    if (!compared.contains(spec.name) || published == from.published.end()) continue;
    for (const std::uint32_t every : compared.at(spec.name)) {
      SCOPED_TRACE(spec.name + ", every " + std::to_string(every));
      const auto found = recalled.find({spec.name, every});
      known += found == recalled.end() ? 0 : 1;
      const std::optional<Said> last = LastDue(whole, spec, published->second, every);
      if (!last || FirstOf(now, spec.name)) {
        ASSERT_EQ(found != recalled.end(), last.has_value());
      }
      if (found == recalled.end()) continue;
      EXPECT_EQ(last->edges, found->second.edges);
      EXPECT_EQ(last->end, found->second.end);
      EXPECT_EQ(last->ordinal, found->second.ordinal);
      // For an empty window, the start of a landmark window and its late count are unknown.
      if (last->edges.empty()) continue;
      EXPECT_EQ(testing::WhatDiffers(*last, found->second), "");
    }
  }
  EXPECT_EQ(recalled.size(), known);
}

// A run must not publish again what was published, and must not skip a window.
void ExpectToFollow(const Told& now, const Told& whole, const Script& script,
                    const RewindPoint& from) {
  for (const WindowSpec& spec : script.windows) {
    std::int64_t before = std::numeric_limits<std::int64_t>::min();
    if (const auto published = from.published.find(spec.name); published != from.published.end()) {
      before = OrdinalOf(spec, published->second);
    }
    auto next = whole.upper_bound({spec.name, before});
    for (const auto& [place, said] : now) {
      if (place.first != spec.name) continue;
      ASSERT_TRUE(next != whole.end() && next->first == place)
          << place.first << " " << place.second;
      ASSERT_EQ(testing::WhatDiffers(said, next->second), "") << place.first << " " << place.second;
      ++next;
    }
  }
}

class Life {
 public:
  Life(const Script& script, const RewindPoint& resumed, EngineHarness::Compared compared)
      : harness_(script.windows, script.policy, script.partitions, KeyKind::kInteger, {},
                 std::move(compared)) {
    harness_.on_advance = [this](const AdvancePtr& advance) {
      Note(*advance, harness_.keys, told);
      rewinds.push_back(advance->rewind);
    };
    harness_.on_recalled = [this](const AdvancePtr& advance) {
      const std::string& window = advance->provenance.window;
      EXPECT_FALSE(FirstOf(told, window)) << "too late";
      const std::pair place(window, advance->recalled_for);
      EXPECT_TRUE(recalled.emplace(place, WithoutItsLife(*advance, harness_.keys)).second);
    };
    harness_.Start(resumed);
    std::map<std::uint32_t, std::int64_t> from;
    for (const RewindPosition& position : resumed.positions) {
      from[position.partition] = position.offset;
    }
    rest_ = script;
    std::erase_if(rest_.records, [&](const ScriptRecord& record) {
      return from.contains(record.partition) && record.offset < from[record.partition];
    });
  }

  // Reads this number of batches, or all records.
  void Read(std::mt19937_64& random, std::size_t batches) {
    const std::vector<ScriptRecord> records = testing::ReadingOrder(rest_, random);
    std::size_t begin = 0;
    for (; begin < records.size() && batches > 0; --batches) {
      const std::size_t end =
          testing::WholeRecords(records, std::min(records.size(), begin + 1 + random() % 40));
      harness_.Feed({records.begin() + static_cast<std::ptrdiff_t>(begin),
                     records.begin() + static_cast<std::ptrdiff_t>(end)});
      begin = end;
    }
    if (begin == records.size()) harness_.End();
  }

  Told told;
  Recalled recalled;
  std::vector<RewindPoint> rewinds;

 private:
  EngineHarness harness_;
  Script rest_;
};

constexpr std::size_t kAll = 1'000'000;

// Each run starts at the rewind point of any advance of the previous run, or where that run
// started.
void Live(std::uint64_t seed, std::uint64_t& again, bool compares = true, bool filters = false,
          bool ids = false) {
  ScriptWriter writer(seed);
  Script script = writer.Write();
  if (filters) writer.AddFilters(script);
  if (ids) writer.AddIds(script, false);
  if (seed % 3 == 1) writer.AddTypes(script);
  std::mt19937_64 random(seed);
  EngineHarness::Compared compared;
  if (compares) compared = ComparedIn(script, seed);
  Life whole(script, {}, {});
  whole.Read(random, kAll);
  Told told;
  RewindPoint from;
  for (int life = 0; life < 8; ++life) {
    SCOPED_TRACE("life " + std::to_string(life));
    Life now(script, from, compared);
    now.Read(random, life == 7 ? kAll : random() % 12);
    ExpectToFollow(now.told, whole.told, script, from);
    ExpectToRecall(now.recalled, now.told, whole.told, script, compared, from);
    if (::testing::Test::HasFailure()) return;
    for (const auto& [place, said] : now.told) again += told.emplace(place, said).second ? 0 : 1;
    if (!now.rewinds.empty() && random() % 3 != 0) {
      from = now.rewinds[random() % now.rewinds.size()];
    }
  }
  EXPECT_EQ(told.size(), whole.told.size()) << "some windows are missing";
}

TEST(RewindTest, LivesThatAreKilledTellWhatOneLifeTells) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1000, 150});
  std::uint64_t again = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Live(seed, again);
    if (HasFailure()) return;
  }
  EXPECT_GT(again, seeds.count) << "too few windows were published again";
}

TEST(RewindTest, FilteredWindowsTellTheSameAfterARestart) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({30'000, 150});
  std::uint64_t again = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Live(seed, again, true, true);
    if (HasFailure()) return;
  }
}

TEST(RewindTest, EdgesThatCameBeforeTheWindowsAreReadAgainForTheirIds) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({50'000, 150});
  std::uint64_t again = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Live(seed, again, true, seed % 3 == 0, true);
    if (HasFailure()) return;
  }
}

// Reading starts after the last published window, which was empty.
TEST(RewindTest, SilenceIsNotToldASecondTime) {
  std::uint64_t again = 0;
  for (const std::uint64_t seed : {101038, 102335, 104494, 106592}) Live(seed, again, false);
}

// Reading starts after a filtered record; late events come before the first on-time one.
TEST(RewindTest, AWindowBeginsWithTheSameEventThoughFilteredRecordsCameBefore) {
  std::uint64_t again = 0;
  for (const std::uint64_t seed : {2457, 2919, 3978}) Live(seed, again);
}

// All earlier records that are read again were late for their own slice and moved to the next.
TEST(RewindTest, WhatCameLateWakesAWindowOfAStreamThatHadBegun) {
  std::uint64_t again = 0;
  Live(701483, again, false);
}

}  // namespace
}  // namespace sash
