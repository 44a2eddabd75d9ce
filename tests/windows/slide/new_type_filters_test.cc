// Windows whose filter is new while the stream runs and judges by types alone: it judges what came
// before it too. Case by case, and at random against a window that was there from the start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"
#include "tests/support/published_windows.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using testing::Batches;
using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::Published;
using testing::Script;
using testing::ScriptRecord;
using testing::ScriptWriter;

WindowSpec TypedOf(std::string name, std::vector<std::string> types = {}) {
  return {.name = std::move(name),
          .length = 10 * kSecond,
          .slide = 5 * kSecond,
          .types = std::move(types)};
}

// Types t0 to t2 take turns; t0 stands for none.
std::vector<ScriptRecord> TakingTurns(std::int64_t first, std::int64_t last) {
  std::vector<ScriptRecord> records = testing::Seconds(first, last);
  for (ScriptRecord& record : records) {
    record.type = static_cast<std::uint64_t>(record.time / kSecond % 3);
  }
  return records;
}

// The published windows of `joining`, which joins a stream of `base` after the second 17. Batches
// are judged by its filter from then on, or from the second 24 on.
std::vector<std::string> SeenOfJoining(WindowSpec base, const WindowSpec& joining,
                                       bool judged_soon = true) {
  EngineHarness harness({std::move(base)}, InOrder());
  harness.Start();
  harness.Feed(TakingTurns(0, 17));
  EXPECT_TRUE(harness.PutFiltered({joining}));
  if (!judged_soon) harness.Feed(TakingTurns(18, 23));
  harness.JudgeByNewest();
  harness.Feed(TakingTurns(judged_soon ? 18 : 24, 32));
  return testing::SeenOf(harness, joining.name);
}

using Seen = std::vector<std::string>;
const Seen kAllOfType1{"20: 4", "25: 3", "30: 3"};

TEST(NewTypeFiltersTest, AWindowHasTheSlicesThatAWindowOfAllEdgesHolds) {
  EXPECT_EQ(SeenOfJoining(TypedOf("all"), TypedOf("w", {"t1"})), kAllOfType1);
  WindowSpec rebuilt = TypedOf("all");
  rebuilt.implementation = StoreKind::kRebuild;
  EXPECT_EQ(SeenOfJoining(rebuilt, TypedOf("w", {"t1"})), kAllOfType1);
  WindowSpec without_removals = TypedOf("all");
  without_removals.removals = false;
  WindowSpec joining = TypedOf("w", {"t1"});
  joining.removals = false;
  EXPECT_EQ(SeenOfJoining(without_removals, joining), kAllOfType1);
}

TEST(NewTypeFiltersTest, ItJudgesBatchesThatWereOnTheirWay) {
  EXPECT_EQ(SeenOfJoining(TypedOf("all"), TypedOf("w", {"t1"}), false), kAllOfType1);
}

TEST(NewTypeFiltersTest, AnExpressionBesideTheTypesCannotJudgeWhatCameBefore) {
  WindowSpec joining = TypedOf("w", {"t1"});
  joining.where = "f0";
  EXPECT_EQ(SeenOfJoining(TypedOf("all"), joining).front(), "20: 2 gap");
}

// A store in which copies of different types became one does not know what a type alone was.
TEST(NewTypeFiltersTest, WhereTypesWereFoldedTogetherTheWindowHasAGap) {
  for (const DuplicatesPolicy duplicates : {DuplicatesPolicy::kDrop, DuplicatesPolicy::kWeigh}) {
    WindowSpec all = TypedOf("all");
    all.duplicates = duplicates;
    WindowSpec joining = TypedOf("w", {"t1"});
    joining.duplicates = duplicates;
    // The events of the open slice are known.
    EXPECT_EQ(SeenOfJoining(all, joining), (Seen{"20: 2 gap", "25: 3", "30: 3"}));
  }
}

TEST(NewTypeFiltersTest, HistoryTellsTheSlicesOfWeigh) {
  WindowSpec all = TypedOf("all");
  all.duplicates = DuplicatesPolicy::kWeigh;
  all.identity = EdgeIdentity::kPairAndType;
  WindowSpec joining = all;
  joining.name = "w";
  joining.types = {"t1"};
  EXPECT_EQ(SeenOfJoining(all, joining).front(), "20: 2 gap");
  all.retain = 5 * kSecond;
  EXPECT_EQ(SeenOfJoining(all, joining), kAllOfType1);
}

TEST(NewTypeFiltersTest, AWindowThatGetsTypesShowsThemAtOnce) {
  EXPECT_EQ(SeenOfJoining(TypedOf("w"), TypedOf("w", {"t1"})),
            (Seen{"5: 5", "10: 10", "15: 10", "20: 4", "25: 3", "30: 3"}));
}

TEST(NewTypeFiltersTest, ANumberThatIsUsedAgainMeansTheNewTypes) {
  EngineHarness harness({TypedOf("all"), TypedOf("w", {"t2"})}, InOrder());
  harness.Start();
  harness.Feed(TakingTurns(0, 17));
  ASSERT_TRUE(harness.RemoveWindow("w"));
  ASSERT_TRUE(harness.PutFiltered({TypedOf("v", {"t1"})}));
  EXPECT_EQ(harness.engine().filters().size(), 1u);
  harness.Feed(TakingTurns(18, 20));
  const Provenance& about = harness.advances.back()->provenance;
  EXPECT_EQ(about.window, "v");
  EXPECT_EQ(about.edges, 4u);
  EXPECT_FALSE(about.gap);
}

// A window of some types that joins after some batches.
struct JoiningWindow {
  WindowSpec spec;
  bool has_copies = false;  // a store of all edges provides its slices
};

JoiningWindow JoiningAtRandom(const Script& script, std::size_t number, std::mt19937_64& random) {
  const WindowSpec& base = script.windows.front();
  JoiningWindow joining{.spec = base};
  WindowSpec& spec = joining.spec;
  spec.name = "added " + std::to_string(number);
  spec.types = {testing::ScriptType(1 + random() % 2)};
  if (random() % 2 == 0) spec.types.push_back(testing::ScriptType(3));
  if (random() % 3 == 0) spec.duplicates = static_cast<DuplicatesPolicy>(random() % 3);
  if (random() % 3 == 0) spec.implementation = static_cast<StoreKind>(random() % 2);
  spec.retain = 0;
  const bool folds_alike = spec.store().removes_by_type() && spec.duplicates == base.duplicates;
  joining.has_copies =
      base.implementation == StoreKind::kRebuild ||
      (folds_alike && (base.retain > 0 || spec.duplicates != DuplicatesPolicy::kWeigh));
  return joining;
}

std::vector<Published> PublishedFromTheStart(const WindowSpec& spec, const Script& script,
                                             const Batches& batches) {
  std::vector<WindowSpec> windows = script.windows;
  windows.push_back(spec);
  EngineHarness harness(windows, script.policy, script.partitions);
  std::map<std::string, std::vector<Published>> published;
  testing::KeepPublished(harness, published);
  harness.Start();
  for (const std::vector<ScriptRecord>& records : batches) harness.Feed(records);
  harness.End();
  return published[spec.name];
}

std::map<std::string, std::vector<Published>> PublishedBy(const Script& script,
                                                          const Batches& batches,
                                                          std::vector<JoiningWindow>& joined,
                                                          std::mt19937_64& random) {
  std::map<std::string, std::vector<Published>> published;
  EngineHarness harness(script.windows, script.policy, script.partitions);
  testing::KeepPublished(harness, published);
  harness.Start();
  for (const std::vector<ScriptRecord>& records : batches) {
    if (random() % 8 == 0) {
      joined.push_back(JoiningAtRandom(script, joined.size(), random));
      EXPECT_TRUE(harness.PutFiltered({joined.back().spec}));
    }
    if (random() % 3 == 0) harness.JudgeByNewest();
    harness.Feed(records);
  }
  harness.End();
  return published;
}

TEST(NewTypeFiltersTest, AtRandomAWindowIsAsIfItHadAlwaysBeenWhereItHasNoGap) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({61'000, 100});
  std::size_t compared = 0;
  std::size_t gaps = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    writer.AddTypes(script);
    if (seed % 3 == 0) writer.AddHistory(script);
    if (script.windows.front().by == WindowAxis::kEvents) continue;
    std::mt19937_64 random(seed);
    const Batches batches = testing::Cut(script, random);
    std::vector<JoiningWindow> joined;
    auto published = PublishedBy(script, batches, joined, random);
    for (const JoiningWindow& window : joined) {
      SCOPED_TRACE("window " + window.spec.name);
      const std::vector<Published> expected = PublishedFromTheStart(window.spec, script, batches);
      const std::vector<Published>& seen = published[window.spec.name];
      std::size_t next = 0;
      for (const Published& shown : seen) {
        gaps += shown.gap ? 1 : 0;
        if (window.has_copies) {
          EXPECT_FALSE(shown.gap) << "until " << shown.end;
        }
        // The window that joined may begin with a late event, the expected one only with an event
        // in time.
        if (expected.empty() || shown.end < expected.front().end) continue;
        while (next < expected.size() && expected[next].end < shown.end) {
          if (&shown != seen.data()) {
            EXPECT_TRUE(shown.gap) << expected[next].end << " is missing before " << shown.end;
          }
          ++next;
        }
        const bool is_expected = next < expected.size() && expected[next].end == shown.end;
        if (!shown.gap) {
          ASSERT_TRUE(is_expected) << "window until " << shown.end;
          EXPECT_EQ(shown.edges, expected[next].edges) << "window until " << shown.end;
          ++compared;
        }
        if (is_expected) ++next;
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 10 * seeds.count);
  EXPECT_GT(gaps, seeds.count / 4);
}

}  // namespace
}  // namespace sash
