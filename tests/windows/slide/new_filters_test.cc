// Windows whose filter is new while the stream runs, case by case and at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
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
using testing::SeenOf;

WindowSpec NewOf(std::string name, std::int64_t length, std::int64_t slide, std::string where) {
  return {.name = std::move(name),
          .length = length * kSecond,
          .slide = slide * kSecond,
          .where = std::move(where)};
}

std::vector<ScriptRecord> Passing(std::int64_t first, std::int64_t last) {
  return testing::Seconds(first, last);  // they pass every filter
}

using Seen = std::vector<std::string>;

TEST(NewFiltersTest, AWindowShowsWhatComesAfterItsFilterAndHasAGapUntilThen) {
  EngineHarness harness({NewOf("all", 10, 5, "")}, InOrder());
  harness.Start();
  harness.Feed(Passing(0, 7));  // those from 5 on are in an open slice
  ASSERT_TRUE(harness.PutFiltered({NewOf("w", 10, 5, "f0")}));
  harness.JudgeByNewest();
  harness.Feed(Passing(8, 22));
  EXPECT_EQ(SeenOf(harness, "w"), (Seen{"10: 2 gap", "15: 7 gap", "20: 10"}));
  EXPECT_EQ(SeenOf(harness, "all"), (Seen{"5: 5", "10: 10", "15: 10", "20: 10"}));
}

TEST(NewFiltersTest, WhatWasJudgedBeforeIsInNoWindowOfTheFilterButItsGapReachesBehindIt) {
  EngineHarness harness({NewOf("all", 5, 5, "f1")}, InOrder());
  harness.Start();
  harness.Feed(Passing(0, 7));
  ASSERT_TRUE(harness.PutFiltered({NewOf("w", 5, 5, "f0")}));
  EXPECT_TRUE(harness.engine().awaits_filters());
  harness.Feed(Passing(8, 22));  // batches of the set before
  EXPECT_TRUE(harness.engine().awaits_filters());
  harness.JudgeByNewest();
  harness.Feed(Passing(23, 33));
  EXPECT_FALSE(harness.engine().awaits_filters());
  EXPECT_EQ(SeenOf(harness, "w"), (Seen{"25: 2 gap", "30: 5"}));
  EXPECT_EQ(SeenOf(harness, "all"), (Seen{"5: 5", "10: 5", "15: 5", "20: 5", "25: 5", "30: 5"}));
}

TEST(NewFiltersTest, ABatchOfALaterSetCountsByTheFiltersThatWindowsHave) {
  EngineHarness harness({NewOf("all", 5, 5, "f1")}, InOrder());
  harness.Start();
  EventBatch batch;
  batch.filters = std::make_shared<const FilterSet>(FilterSet{7, {"f0", "f1"}});
  for (ScriptRecord record : Passing(0, 12)) {
    EventBatch own;
    harness.Append(record, own);
    own.filters = batch.filters;
    own.NotePasses(0, record.time < 3 * kSecond ? 1 : 2);
    batch.AddCopy(own, 0, KeyKind::kInteger);
  }
  harness.engine().Process(batch);
  EXPECT_EQ(SeenOf(harness, "all"), (Seen{"5: 2", "10: 5"}));
}

TEST(NewFiltersTest, AnotherWindowOfTheFilterLacksAsMuch) {
  EngineHarness harness({NewOf("all", 10, 10, "")}, InOrder());
  harness.Start();
  harness.Feed(Passing(0, 4));
  ASSERT_TRUE(harness.PutFiltered({NewOf("w", 10, 10, "f0")}));
  harness.JudgeByNewest();
  harness.Feed(Passing(5, 6));
  WindowSpec drop = NewOf("drop", 10, 10, "f0");
  drop.duplicates = DuplicatesPolicy::kDrop;
  ASSERT_TRUE(harness.PutWindows({NewOf("shares", 10, 10, "f0"), drop}));
  harness.Feed(Passing(7, 20));
  for (const char* window : {"w", "shares", "drop"}) {
    EXPECT_EQ(SeenOf(harness, window), (Seen{"10: 5 gap", "20: 10"})) << window;
  }
  ASSERT_TRUE(harness.PutWindows({NewOf("late", 30, 10, "f0")}));
  harness.Feed(Passing(21, 40));
  EXPECT_EQ(SeenOf(harness, "late"), (Seen{"30: 20 gap", "40: 30"}));
}

TEST(NewFiltersTest, AWindowThatGetsANewFilterGoesOnWithItsNumbers) {
  EngineHarness harness({NewOf("all", 10, 5, ""), NewOf("w", 5, 5, "f0")}, InOrder());
  harness.Start();
  harness.Feed(Passing(0, 11));
  ASSERT_TRUE(harness.PutFiltered({NewOf("w", 5, 5, "f1")}));
  harness.JudgeByNewest();
  harness.Feed(Passing(12, 21));
  EXPECT_EQ(SeenOf(harness, "w"), (Seen{"5: 5", "10: 5", "15: 3 gap", "20: 5"}));
  EXPECT_EQ(harness.advances.back()->provenance.snapshot.value, 4u);
}

TEST(NewFiltersTest, AFreeNumberIsUsedAgainAndMeansNothingOfBefore) {
  EngineHarness harness({NewOf("all", 10, 5, ""), NewOf("w", 10, 5, "f0")}, InOrder());
  harness.Start();
  harness.Feed(Passing(0, 7));
  ASSERT_TRUE(harness.RemoveWindow("w"));
  ASSERT_TRUE(harness.PutFiltered({NewOf("v", 10, 5, "f1")}));
  EXPECT_EQ(harness.engine().filters(), FilterTexts{"f1"});
  harness.JudgeByNewest();
  harness.Feed(Passing(8, 22));
  EXPECT_EQ(SeenOf(harness, "v"), (Seen{"10: 2 gap", "15: 7 gap", "20: 10"}));
}

TEST(FilterSetTest, FiltersThatAreHeldKeepTheirNumbersAndThereAreAtMost64) {
  const FilterSet now{.generation = 3, .texts = {"a", "b", "c"}};
  EXPECT_EQ(NextSet(now, {"a", "c"}, {"d"})->texts, (FilterTexts{"a", "d", "c"}));
  EXPECT_EQ(NextSet(now, {"a", "c"}, {"d", "b"})->texts, (FilterTexts{"a", "b", "c", "d"}));
  EXPECT_EQ(NextSet(now, {"a", "c"}, {"d"})->generation, 4u);
  FilterTexts held;
  for (std::size_t i = 0; i < kMostFilters; ++i) held.push_back("x" + std::to_string(i));
  const FilterSet full{.generation = 0, .texts = held};
  EXPECT_FALSE(NextSet(full, held, {"d"}));
  held.erase(held.begin() + 7);
  EXPECT_EQ(NextSet(full, held, {"d"})->texts[7], "d");
  EXPECT_FALSE(NextSet(full, held, {"d", "e"}));
}

// A window that was added before batch `from`, when its filter was new.
struct AddedWindow {
  WindowSpec spec;
  std::size_t from = 0;                // the first batch that its filter judges
  std::optional<std::int64_t> behind;  // the newest event that its filter did not judge
  bool removed = false;
};
// The same stream for an engine that has the window from the start: nothing before `added.from`
// passes its filter.
std::vector<Published> ExpectedOf(const AddedWindow& added, const Script& script,
                                  const Batches& batches) {
  std::vector<WindowSpec> windows = script.windows;
  windows.push_back(added.spec);
  EngineHarness harness(windows, script.policy, script.partitions);
  std::map<std::string, std::vector<Published>> published;
  testing::KeepPublished(harness, published);
  harness.Start();
  for (std::size_t i = 0; i < batches.size(); ++i) {
    std::vector<ScriptRecord> records = batches[i];
    for (ScriptRecord& record : records) {
      if (i >= added.from) break;
      record.passes = 0;
      record.typed = true;
      if (record.operation == Operation::kRemoveVertex) record.operation = Operation::kRemove;
    }
    harness.Feed(records);
  }
  harness.End();
  return published[added.spec.name];
}

// Adds and removes windows at random, mostly of filters that are new.
class AddingLife {
 public:
  AddingLife(const Script& script, std::mt19937_64& random)
      : script_(script),
        random_(random),
        harness_(script.windows, script.policy, script.partitions) {
    testing::KeepPublished(harness_, published);
  }

  void Run(const Batches& batches) {
    harness_.Start();
    for (std::size_t i = 0; i < batches.size(); ++i) {
      if (random_() % 6 == 0) Change();
      const bool is_judged = stale_ == 0;
      if (is_judged) harness_.JudgeByNewest();
      for (AddedWindow& window : added) {
        if (window.from != kNotYet) continue;
        if (is_judged) {
          window.from = i;
        } else {
          NoteUnjudged(window, batches[i]);
        }
      }
      if (!is_judged) --stale_;
      harness_.Feed(batches[i]);
      Note(batches[i]);
    }
    harness_.End();
  }

  std::size_t reused = 0;  // numbers of filters that had another one before
  std::vector<AddedWindow> added;
  std::map<std::string, std::vector<Published>> published;

 private:
  static constexpr std::size_t kNotYet = std::numeric_limits<std::size_t>::max();

  void Change() {
    const auto present = std::ranges::find_if(added, [](const auto& w) { return !w.removed; });
    if (present != added.end() && random_() % 2 == 0) {
      ASSERT_TRUE(harness_.RemoveWindow(present->spec.name));
      present->removed = true;
      return;
    }
    WindowSpec spec = script_.windows.front();
    spec.name = "added " + std::to_string(added.size());
    spec.where = testing::FilterName(random_() % testing::kScriptFilters);
    spec.types = {"added " + std::to_string(random_() % 2)};  // the bits of events are the same
    spec.duplicates = static_cast<DuplicatesPolicy>(random_() % 3);
    spec.implementation = static_cast<StoreKind>(random_() % 2);
    const FilterTexts known = harness_.engine().filters();
    if (std::ranges::find(known, spec.filter()) != known.end()) return;
    ASSERT_TRUE(harness_.PutFiltered({spec}));
    if (harness_.engine().filters().size() == known.size()) ++reused;
    added.push_back({.spec = spec, .from = kNotYet, .behind = newest_, .removed = false});
    if (random_() % 3 == 0) stale_ = random_() % 4;  // batches that were judged before
  }

  void Note(const std::vector<ScriptRecord>& records) {
    for (const ScriptRecord& record : records) {
      if (!record.refused) newest_ = std::max(newest_, std::optional(record.time));
    }
  }
  void NoteUnjudged(AddedWindow& window, const std::vector<ScriptRecord>& records) const {
    for (const ScriptRecord& record : records) {
      if (record.refused) continue;
      window.behind = std::max(window.behind, newest_);
      if (!record.filtered) window.behind = std::max(window.behind, std::optional(record.time));
    }
  }

  const Script& script_;
  std::mt19937_64& random_;
  EngineHarness harness_;
  std::optional<std::int64_t> newest_;
  std::size_t stale_ = 0;
};

void ExpectAsIfItHadAlwaysBeen(const AddedWindow& window, const std::vector<Published>& expected,
                               const std::vector<Published>& published, std::size_t& compared,
                               std::size_t& gaps) {
  std::size_t next = 0;
  for (const Published& shown : published) {
    const bool gap = window.behind && (!window.spec.length || shown.start <= *window.behind);
    EXPECT_EQ(shown.gap, gap) << "window from " << shown.start << " to " << shown.end << ", behind "
                              << window.behind.value_or(-1);
    if (gap) ++gaps;
    // The window that was added may begin with a late event, the expected one only with an event in
    // time.
    if (next == 0 && (expected.empty() || shown.end < expected.front().end)) continue;
    ASSERT_LT(next, expected.size());
    EXPECT_EQ(shown.end, expected[next].end);
    EXPECT_EQ(shown.edges, expected[next].edges) << "window until " << shown.end;
    ++next;
    ++compared;
  }
  if (!window.removed) {
    EXPECT_EQ(next, expected.size());
  }
}

TEST(NewFiltersTest, AtRandomTheyShowWhatPassesOfWhatCameAfterThem) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({60'000, 100});
  std::size_t compared = 0;
  std::size_t gaps = 0;
  std::size_t reused = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ScriptWriter writer(seed);
    Script script = seed % 2 == 0 ? writer.Write() : writer.WriteRestless();
    writer.AddFilters(script);
    if (script.windows.front().by == WindowAxis::kEvents) continue;
    std::mt19937_64 random(seed);
    const Batches batches = testing::Cut(script, random);
    AddingLife life(script, random);
    life.Run(batches);
    reused += life.reused;
    for (const AddedWindow& window : life.added) {
      SCOPED_TRACE("window " + window.spec.name + " from batch " + std::to_string(window.from));
      ExpectAsIfItHadAlwaysBeen(window, ExpectedOf(window, script, batches),
                                life.published[window.spec.name], compared, gaps);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 10 * seeds.count);
  EXPECT_GT(gaps, seeds.count);
  EXPECT_GT(reused, seeds.count / 5);
}

}  // namespace
}  // namespace sash
