// Random scripts: an engine is killed and another one continues from its checkpoint. Together they
// must publish the same as an engine that was never killed.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/support/said.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

using testing::CheckpointedEngine;
using testing::EngineHarness;
using testing::MemoryFolder;
using testing::Said;
using testing::Script;
using testing::ScriptRecord;
using testing::ScriptWriter;

class CheckpointedLife {
 public:
  CheckpointedLife(const Script& script, KeyKind kind, Folder& folder,
                   EngineHarness::Compared compared = {})
      : script_(script),
        engine_(script.windows, script.policy, script.partitions, kind, folder,
                std::move(compared)) {
    engine_.harness().on_advance = [this](AdvancePtr advance) { Note(*advance); };
    engine_.harness().on_recalled = [this](const AdvancePtr& advance) {
      recalled[{advance->provenance.window, advance->recalled_for}] =
          testing::WhatItSays(*advance, engine_.harness().keys);
    };
  }

  // Feeds the batches [begin, end). The clock advances before each batch, in every engine alike.
  void Feed(const std::vector<std::vector<ScriptRecord>>& batches, std::size_t begin,
            std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      engine_.harness().clock.Advance(std::chrono::milliseconds(700));
      engine_.harness().Feed(batches[i]);
    }
  }

  // After each advance, an earlier window is read and compared with what an engine said of it that
  // was never killed.
  void CompareHistory(const std::vector<Said>& said) { expected_ = &said; }

  CheckpointedEngine& engine() { return engine_; }
  std::vector<Said> said;
  std::uint64_t histories_read = 0;
  std::map<std::pair<std::string, std::uint32_t>, Said> recalled;  // by window and `every`

 private:
  void Note(const Advance& advance) {
    said.push_back(testing::WhatItSays(advance, engine_.harness().keys));
    testing::ExpectConsistent(advance.view, engine_.harness().keys);
    if (expected_ != nullptr) ReadEarlier(advance);
  }

  void ReadEarlier(const Advance& newest) {
    EngineHarness& harness = engine_.harness();
    const WindowStatus window = harness.engine().Find(newest.provenance.window).value();
    if (window.history == nullptr) return;
    std::vector<const Said*> readable;
    for (const Said& said : *expected_) {
      if (said.window == window.spec.name && said.snapshot <= newest.provenance.snapshot.value &&
          (newest.ordinal - said.ordinal) * window.spec.slide <= window.spec.retain) {
        readable.push_back(&said);
      }
    }
    ASSERT_EQ(window.history->List().size(), readable.size());
    const Said& said = *readable[random_() % readable.size()];
    const auto past = window.history->Find(SnapshotId{said.snapshot});
    ASSERT_TRUE(past.has_value());
    const AdvancePtr read = harness.engine().Read(window, *past);
    ASSERT_NE(read, nullptr);
    Said again = testing::WhatItSays(*read, harness.keys);
    again.rewind = said.rewind;
    EXPECT_EQ(testing::WhatDiffers(again, said), "");
    ++histories_read;
  }

  const Script& script_;
  const std::vector<Said>* expected_ = nullptr;
  std::mt19937_64 random_{7};
  CheckpointedEngine engine_;
};

// Chooses, for each window, after how many slides jobs compare results.
EngineHarness::Compared ComparedIn(const Script& script, std::mt19937_64& random) {
  EngineHarness::Compared compared;
  for (const WindowSpec& spec : script.windows) {
    for (const std::uint32_t every : {1u, 3u}) {
      if (random() % 2 == 0) compared[spec.name].insert(every);
    }
  }
  return compared;
}

// Expects that a restarted engine recalls the newest published window of each kind. With
// `not_always`, windows of followers may be missing.
void ExpectToRecall(CheckpointedLife& life, const std::vector<Said>& told, const Script& script,
                    const EngineHarness::Compared& compared, bool not_always) {
  std::size_t known = 0;
  for (const WindowSpec& spec : script.windows) {
    if (!compared.contains(spec.name)) continue;
    for (const std::uint32_t every : compared.at(spec.name)) {
      SCOPED_TRACE(spec.name + ", every " + std::to_string(every));
      const auto is_due = [&](const Said& said) {
        return said.window == spec.name && said.ordinal % every == 0;
      };
      const auto last = std::ranges::find_if(told.rbegin(), told.rend(), is_due);
      const auto recalled = life.recalled.find({spec.name, every});
      known += recalled == life.recalled.end() ? 0 : 1;
      const bool has_follower =
          every > 1 || spec.empty_windows == EmptyWindows::kSkip || spec.by == WindowAxis::kEvents;
      if (has_follower && not_always && recalled == life.recalled.end()) continue;
      ASSERT_EQ(recalled != life.recalled.end(), last != told.rend());
      if (recalled == life.recalled.end()) continue;
      EXPECT_EQ(recalled->second.snapshot, last->snapshot);
      EXPECT_EQ(recalled->second.ordinal, last->ordinal);
      EXPECT_EQ(recalled->second.end, last->end);
      EXPECT_EQ(recalled->second.edges, last->edges);
      if (last->edges.empty()) continue;
      EXPECT_EQ(recalled->second.start, last->start);
      EXPECT_EQ(recalled->second.offsets, last->offsets);
      EXPECT_EQ(recalled->second.late, last->late);
    }
  }
  EXPECT_EQ(life.recalled.size(), known);
}

// Windows of every axis; several partitions and a clock decide.
Script WriteScript(std::uint64_t seed) {
  Script script = seed % 2 == 0 ? ScriptWriter(seed).Write() : ScriptWriter(seed).WriteRestless();
  std::mt19937_64 random(seed);
  const auto add = [&](const std::string& name, WindowAxis by, std::int64_t slide,
                       std::uint64_t most_slides = 5) {
    script.windows.push_back(
        {.name = name,
         .by = by,
         .length = slide * static_cast<std::int64_t>(1 + random() % most_slides),
         .slide = slide,
         .duplicates = static_cast<DuplicatesPolicy>(random() % 3),
         .implementation = static_cast<StoreKind>(random() % 2)});
  };
  if (random() % 2 == 0)
    add("numbered", WindowAxis::kEvents, 1 + static_cast<std::int64_t>(random() % 20));
  // A window of more slices than stores take in one by one during recovery.
  if (random() % 3 == 0) {
    add("many slices", WindowAxis::kEvents, 1 + static_cast<std::int64_t>(random() % 3), 100);
  }
  if (random() % 2 == 0) add("clock", WindowAxis::kProcessingTime, 1'000'000'000);
  if (random() % 4 == 0) add("clock too", WindowAxis::kProcessingTime, 2'000'000'000);
  if (seed % 5 < 2) ScriptWriter(seed).AddFilters(script);
  if (seed % 7 < 2) ScriptWriter(seed).AddIds(script, true);
  if (seed % 3 == 1) ScriptWriter(seed).AddTypes(script);
  if (seed % 4 != 3) ScriptWriter(seed).AddHistory(script);
  return script;
}

std::vector<std::vector<ScriptRecord>> InBatches(const Script& script, std::mt19937_64& random) {
  std::vector<std::vector<ScriptRecord>> batches;
  for (const ScriptRecord& record : testing::Interleave(script, random)) {
    const bool begins = record.place == 0;  // the edges of a record stay in one batch
    if (batches.empty() || (begins && random() % 15 == 0)) batches.emplace_back();
    batches.back().push_back(record);
  }
  return batches;
}

TEST(RecoveryTest, AKilledEngineGoesOnAsIfItHadNeverBeenKilled) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, kSanitized ? 30 : 150});
  std::uint64_t recoveries = 0;
  std::uint64_t recalled = 0;
  std::uint64_t recycled = 0;
  std::uint64_t most_retained = 0;
  std::uint64_t histories_read = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Script script = WriteScript(seed);
    const KeyKind kind = seed % 3 == 0 ? KeyKind::kString : KeyKind::kInteger;
    std::mt19937_64 random(seed);
    const auto batches = InBatches(script, random);

    EngineHarness::Compared compared = ComparedIn(script, random);
    const bool jobs_change = seed % 4 == 0;  // so the retained slices change too
    MemoryFolder unused;
    CheckpointedLife whole(script, kind, unused, compared);
    whole.engine().harness().Start();
    whole.Feed(batches, 0, batches.size());
    whole.engine().harness().End();

    MemoryFolder folder;
    auto life = std::make_unique<CheckpointedLife>(script, kind, folder, compared);
    ASSERT_TRUE(life->engine().Begin());
    life->engine().harness().Start();
    std::vector<Said> said;
    std::size_t fed = 0;
    for (std::uint64_t kills = 1 + random() % 3; kills > 0; --kills) {
      const std::size_t checkpoint = fed + random() % (batches.size() - fed + 1);
      life->Feed(batches, fed, checkpoint);
      ASSERT_TRUE(life->engine().Checkpoint().ok());
      const auto told = life->said.size();
      // Everything after the checkpoint is lost with the process.
      life->Feed(batches, checkpoint, std::min(batches.size(), checkpoint + random() % 10));
      said.insert(said.end(), life->said.begin(),
                  life->said.begin() + static_cast<std::ptrdiff_t>(told));
      const auto clock = std::chrono::milliseconds(700) * checkpoint;
      recycled += life->engine().harness().stats.ids_recycled;
      if (jobs_change) compared = ComparedIn(script, random);
      life = std::make_unique<CheckpointedLife>(script, kind, folder, compared);
      life->engine().harness().clock.Advance(clock);
      const Status recovered = life->engine().Recover(folder, script.windows);
      ASSERT_TRUE(recovered.ok()) << recovered.error().message;
      for (const LaneState& lane : life->engine().harness().engine().Capture().lanes) {
        most_retained = std::max(most_retained, lane.retained);
      }
      life->CompareHistory(whole.said);
      life->engine().harness().Start();
      recalled += life->recalled.size();
      ExpectToRecall(*life, said, script, compared, jobs_change);
      if (HasFailure()) return;
      fed = checkpoint;
      ++recoveries;
    }
    life->Feed(batches, fed, batches.size());
    life->engine().harness().End();
    histories_read += life->histories_read;
    said.insert(said.end(), life->said.begin(), life->said.end());
    ASSERT_EQ(said.size(), whole.said.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (jobs_change) said[i].rewind = whole.said[i].rewind;
      ASSERT_TRUE(said[i] == whole.said[i])
          << "advance " << i << " of window " << whole.said[i].window;
    }
  }
  EXPECT_GT(recoveries, seeds.count);
  EXPECT_GT(recalled, seeds.count);
  EXPECT_GT(recycled, seeds.count);
  EXPECT_GT(most_retained, 60);
  EXPECT_GT(histories_read, 10 * seeds.count);
}

// A window whose filter is new while the stream runs; the restarted engine has it from the start,
// with another number. Its next results are compared with those of before the restart.
TEST(RecoveryTest, AWindowOfANewFilterGoesOnAsIfItHadNeverBeenKilled) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, kSanitized ? 15 : 60});
  std::size_t gaps = 0;
  std::size_t compared = 0;
  std::size_t recalled = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Script script = WriteScript(seed);
    if (script.windows.front().by == WindowAxis::kEvents) continue;
    ScriptWriter(seed).AddFilters(script);
    WindowSpec added = script.windows.front();
    added.name = "added";
    added.types = {"new"};  // so no other window has its filter
    added.where = testing::FilterName(seed % testing::kScriptFilters);
    Script with_it = script;
    with_it.windows.insert(with_it.windows.begin(), added);
    std::mt19937_64 random(seed);
    const auto batches = InBatches(script, random);
    const std::size_t from = random() % batches.size();
    const std::size_t checkpoint = from + random() % (batches.size() - from + 1);
    const EngineHarness::Compared diffs = {{added.name, {1, 3}}};

    const auto until_checkpoint = [&](CheckpointedLife& life) {
      life.engine().harness().Start();
      life.Feed(batches, 0, from);
      ASSERT_TRUE(life.engine().harness().PutFiltered({added}));
      ASSERT_TRUE(life.engine().harness().Compare(diffs));
      life.engine().harness().JudgeByNewest();
      life.Feed(batches, from, checkpoint);
    };
    MemoryFolder unused;
    CheckpointedLife whole(script, KeyKind::kInteger, unused);
    until_checkpoint(whole);
    whole.Feed(batches, checkpoint, batches.size());
    whole.engine().harness().End();

    MemoryFolder folder;
    CheckpointedLife first(script, KeyKind::kInteger, folder);
    ASSERT_TRUE(first.engine().Begin());
    until_checkpoint(first);
    ASSERT_TRUE(first.engine().Checkpoint().ok());
    CheckpointedLife second(with_it, KeyKind::kInteger, folder, diffs);
    second.engine().harness().clock.Advance(std::chrono::milliseconds(700) * checkpoint);
    const Status recovered = second.engine().Recover(folder, with_it.windows);
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
    second.engine().harness().Start();
    ExpectToRecall(second, first.said, with_it, diffs, false);
    recalled += second.recalled.size();
    if (HasFailure()) return;
    second.Feed(batches, checkpoint, batches.size());
    second.engine().harness().End();

    // Windows of the same end move in the order in which they were added, which is another one now.
    const auto of = [](const std::vector<Said>& said, const std::string& window) {
      std::vector<Said> of_it;
      std::ranges::copy_if(said, std::back_inserter(of_it),
                           [&](const Said& one) { return one.window == window; });
      return of_it;
    };
    std::vector<Said> said = first.said;
    said.insert(said.end(), second.said.begin(), second.said.end());
    for (const WindowSpec& spec : with_it.windows) {
      SCOPED_TRACE("window " + spec.name);
      std::vector<Said> found = of(said, spec.name);
      const std::vector<Said> expected = of(whole.said, spec.name);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        found[i].rewind = expected[i].rewind;  // it says what the windows before had published
        ASSERT_TRUE(found[i] == expected[i]) << "advance " << i;
        if (spec.name == added.name && found[i].gap) ++gaps;
      }
      if (spec.name == added.name) compared += found.size();
    }
  }
  EXPECT_GT(gaps, seeds.count);
  EXPECT_GT(compared, 10 * seeds.count);
  EXPECT_GT(recalled, seeds.count / 2) << "too few results to compare the next ones with";
}

// The window joined late, and so lacks slices; a job compares every third of its results.
TEST(RecoveryTest, AResultWithAGapIsComparedWithTheNextOneAfterARestart) {
  const WindowSpec added = {.name = "added", .length = 60, .slide = 10};
  Script script;
  script.windows = {{.name = "w", .length = 10, .slide = 10}};
  script.policy = testing::SmallPolicy();
  Script with_it = script;
  with_it.windows.push_back(added);
  const EngineHarness::Compared diffs = {{added.name, {3}}};
  std::vector<std::vector<ScriptRecord>> batches;
  for (std::int64_t i = 0; i < 9; ++i) {
    batches.push_back({{.offset = i, .time = 10 * i + 5, .source = i, .target = i + 1}});
  }
  MemoryFolder folder;
  CheckpointedLife first(script, KeyKind::kInteger, folder);
  ASSERT_TRUE(first.engine().Begin());
  first.engine().harness().Start();
  first.Feed(batches, 0, 4);
  ASSERT_TRUE(first.engine().harness().AddWindow(added));
  ASSERT_TRUE(first.engine().harness().Compare(diffs));
  first.Feed(batches, 4, batches.size());
  ASSERT_TRUE(first.engine().Checkpoint().ok());
  const auto compared = std::ranges::find_if(
      first.said, [&](const Said& said) { return said.window == added.name && said.ordinal == 6; });
  ASSERT_TRUE(compared != first.said.end() && compared->gap);
  CheckpointedLife second(with_it, KeyKind::kInteger, folder, diffs);
  ASSERT_TRUE(second.engine().Recover(folder, with_it.windows).ok());
  second.engine().harness().Start();
  ExpectToRecall(second, first.said, with_it, diffs, false);
}

TEST(RecoveryTest, AfterTheLastWindowHasGoneNoKeyIsKnownAnyMore) {
  const std::vector<WindowSpec> windows = {{.name = "w", .length = 10, .slide = 10}};
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  MemoryFolder folder;
  {
    CheckpointedEngine engine(windows, policy, 1, KeyKind::kString, folder);
    ASSERT_TRUE(engine.Begin());
    engine.harness().Start();
    engine.harness().Feed({{.offset = 0, .time = 5, .source = 1, .target = 2},
                           {.offset = 1, .time = 15, .source = 3, .target = 4}});
    ASSERT_TRUE(engine.Checkpoint().ok());
  }
  CheckpointedEngine engine(windows, policy, 1, KeyKind::kString, folder);
  ASSERT_TRUE(engine.Recover(folder, windows).ok());
  EXPECT_EQ(engine.harness().keys.size(), 4u);
  engine.harness().on_advance = [](const AdvancePtr&) {};
  engine.harness().Start();
  engine.harness().Feed({{.offset = 2, .time = 105, .source = 5, .target = 5}});
  ASSERT_TRUE(engine.Checkpoint().ok());  // slices that wait to be written keep their keys
  engine.harness().engine().Tick();
  EXPECT_EQ(engine.harness().keys.size(), 1u);
}

TEST(RecoveryTest, AWindowThatIsConfiguredNoMoreLeavesAndTheOthersGoOn) {
  const WindowSpec shorter{.name = "short", .length = 20, .slide = 10};
  const WindowSpec longer{
      .name = "long", .length = 80, .slide = 20, .duplicates = DuplicatesPolicy::kDrop};
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  const auto events = [](std::int64_t from, std::int64_t to) {
    std::vector<ScriptRecord> records;
    for (std::int64_t i = from; i < to; ++i) {
      records.push_back({.offset = i, .time = 3 * i, .source = i % 7, .target = i % 5});
    }
    return records;
  };
  // What is published of window "short", by whether the engine was killed and restarted without the
  // other window.
  std::map<bool, std::vector<Said>> told;
  for (const bool killed : {false, true}) {
    MemoryFolder folder;
    const Script script{
        .windows = {shorter, longer}, .policy = policy, .partitions = 1, .records = {}};
    auto life = std::make_unique<CheckpointedLife>(script, KeyKind::kString, folder);
    ASSERT_TRUE(life->engine().Begin());
    life->engine().harness().Start();
    life->engine().harness().Feed(events(0, 60));
    const Script other{.windows = {shorter}, .policy = policy, .partitions = 1, .records = {}};
    if (killed) {
      ASSERT_TRUE(life->engine().Checkpoint().ok());
      life = std::make_unique<CheckpointedLife>(other, KeyKind::kString, folder);
      ASSERT_TRUE(life->engine().Recover(folder, other.windows).ok());
      life->engine().harness().Start();
    }
    life->said.clear();
    life->engine().harness().Feed(events(60, 100));
    for (const Said& said : life->said) {
      if (said.window != "short") continue;
      Said own = said;  // without members that depend on all windows
      own.rewind = {};
      own.ordinal = 0;
      told[killed].push_back(std::move(own));
    }
    if (!killed) continue;
    // Slices that only the other window held are released.
    ASSERT_TRUE(life->engine().Checkpoint().ok());
    EXPECT_LE(life->engine().harness().engine().Capture().lanes.front().retained, 3u);
  }
  EXPECT_GT(told[true].size(), 8u);
  EXPECT_EQ(told[true], told[false]);
}

// Lanes are created in the order in which windows use their axes. A restart may change that order.
TEST(RecoveryTest, SlicesOfAxesInAnotherOrderAreStillTheirLanes) {
  const WindowSpec times{.name = "times", .length = 20, .slide = 10};
  const WindowSpec numbers{.name = "numbers", .by = WindowAxis::kEvents, .length = 4, .slide = 2};
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  MemoryFolder folder;
  std::int64_t offset = 0;
  const auto live = [&](CheckpointedEngine& engine) {
    engine.harness().Start();
    for (int i = 0; i < 5; ++i, ++offset) {
      engine.harness().Feed(
          {{.offset = offset, .time = 7 * offset, .source = 1, .target = offset}});
    }
    EXPECT_TRUE(engine.Checkpoint().ok());
  };
  {
    CheckpointedEngine engine({times, numbers}, policy, 1, KeyKind::kInteger, folder);
    ASSERT_TRUE(engine.Begin());
    live(engine);
  }
  for (const std::vector<WindowSpec>& windows :
       {std::vector{numbers, times}, std::vector{times, numbers}}) {
    CheckpointedEngine engine(windows, policy, 1, KeyKind::kInteger, folder);
    const Status recovered = engine.Recover(folder, windows);
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
    live(engine);
  }
}

// Of the events in open slices, a checkpoint keeps the places, which exports of slices need.
TEST(RecoveryTest, TheEventsOfOpenSlicesKeepTheirPlaces) {
  const std::vector<WindowSpec> windows = {{.name = "w", .length = 20, .slide = 10}};
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  for (const bool keeps_places : {true, false}) {
    MemoryFolder folder;
    std::vector<ScriptRecord> records;
    for (std::int64_t i = 0; i < 5; ++i) {
      records.push_back({.offset = 3 * i, .time = 4, .source = 1, .target = i});
      records.push_back({.offset = 3 * i, .place = 1, .time = 4, .source = 2, .target = i});
    }
    {
      CheckpointedEngine engine(windows, policy, 1, KeyKind::kInteger, folder, {}, keeps_places);
      ASSERT_TRUE(engine.Begin());
      engine.harness().Start();
      engine.harness().Feed(records);
      ASSERT_TRUE(engine.Checkpoint().ok());
    }
    const auto found = SavedCheckpoint::Find(folder, KeyKind::kInteger);
    ASSERT_TRUE(found.ok() && found.value());
    EXPECT_EQ(found.value()->state().lacks_places, !keeps_places);
    if (!keeps_places) continue;
    std::vector<ClosedSlice> closed;
    EngineHarness engine(
        windows, policy, 1, KeyKind::kInteger,
        [&](ClosedSlice slice) { closed.push_back(std::move(slice)); }, {}, {}, true);
    Result<std::optional<SavedCheckpoint>> again = SavedCheckpoint::Find(folder, KeyKind::kInteger);
    ASSERT_TRUE(
        std::move(*again.value()).Restore(engine.engine(), engine.keys, engine.partitions).ok());
    engine.Start();
    engine.Feed({{.offset = 20, .time = 25, .source = 1, .target = 2}});
    ASSERT_EQ(closed.size(), 1u);
    std::vector<std::pair<std::int64_t, std::uint32_t>> places;
    closed[0].logs->logs.at(0).ForEachEvent(
        [&](const BufferedEvent& event) { places.emplace_back(event.offset, event.edges_before); });
    std::vector<std::pair<std::int64_t, std::uint32_t>> expected;
    for (std::int64_t i = 0; i < 5; ++i) {
      expected.emplace_back(3 * i, 0);
      expected.emplace_back(3 * i, 1);
    }
    EXPECT_EQ(places, expected);
  }
}

// The bits of events keep their meaning when the filters of the new process have other numbers.
TEST(RecoveryTest, FiltersMayBeInAnotherOrderAfterARestart) {
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  std::vector<WindowSpec> windows;
  for (std::size_t i = 0; i < testing::kScriptFilters; ++i) {
    windows.push_back({.name = testing::FilterName(i),
                       .length = 40,
                       .slide = 10,
                       .types = {"paid", std::to_string(i)},
                       .where = testing::FilterName(i)});
  }
  MemoryFolder folder;
  {
    CheckpointedEngine engine(windows, policy, 1, KeyKind::kInteger, folder);
    ASSERT_TRUE(engine.Begin());
    engine.harness().Start();
    for (std::int64_t i = 0; i < 8; ++i) {  // event i passes the filters of its bits
      engine.harness().Feed({{.offset = i,
                              .time = 4 * i,
                              .source = i,
                              .target = i,
                              .passes = static_cast<FilterBits>(i)}});
    }
    ASSERT_TRUE(engine.Checkpoint().ok());
  }
  std::ranges::reverse(windows);
  CheckpointedEngine engine(windows, policy, 1, KeyKind::kInteger, folder);
  ASSERT_TRUE(engine.Recover(folder, windows).ok());
  engine.harness().Start();
  engine.harness().End();
  ASSERT_EQ(engine.harness().advances.size(), 3u);
  for (const AdvancePtr& advance : engine.harness().advances) {
    const std::size_t filter = std::stoul(advance->provenance.window.substr(1));
    std::vector<std::int64_t> passed;
    for (const auto& edge : testing::ListOut(advance->view, engine.harness().keys)) {
      passed.push_back(edge.source);
    }
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < 8; ++i) {
      if ((i >> filter & 1) != 0) expected.push_back(i);
    }
    EXPECT_EQ(passed, expected) << "filter " << filter;
  }
}

TEST(RecoveryTest, AGapThatWasMarkedIsStillOne) {
  const std::vector<WindowSpec> windows = {{.name = "w", .length = 20, .slide = 10}};
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  MemoryFolder folder;
  {
    CheckpointedEngine engine(windows, policy, 1, KeyKind::kInteger, folder);
    ASSERT_TRUE(engine.Begin());
    engine.harness().Start();
    EventBatch batch;
    engine.harness().Append({.offset = 0, .time = 5, .source = 1, .target = 2}, batch);
    batch.AddMark(Mark::Kind::kGap, 0);
    engine.harness().engine().Process(batch);
    ASSERT_TRUE(engine.Checkpoint().ok());
  }
  CheckpointedEngine engine(windows, policy, 1, KeyKind::kInteger, folder);
  ASSERT_TRUE(engine.Recover(folder, windows).ok());
  engine.harness().Start();
  engine.harness().Feed({{.offset = 9, .time = 15, .source = 1, .target = 2}});
  engine.harness().End();
  ASSERT_EQ(engine.harness().advances.size(), 2u);
  EXPECT_TRUE(engine.harness().advances[0]->provenance.gap);
  EXPECT_TRUE(engine.harness().advances[1]->provenance.gap);
}

// A daemon may be stopped again before it gets a partition.
TEST(RecoveryTest, UntilTheStreamGoesOnHowLongPartitionsWereSilentIsKept) {
  const auto windows = testing::SmallWindows();
  constexpr auto kSilence = std::chrono::seconds(7);
  MemoryFolder folder;
  {
    CheckpointedEngine engine(windows, testing::SmallPolicy(), 2, KeyKind::kInteger, folder);
    ASSERT_TRUE(engine.Begin());
    engine.harness().Start();
    engine.harness().Feed(testing::SmallStep(0));
    EventBatch at_end;
    for (PartitionIndex p = 0; p < 2; ++p) at_end.AddMark(Mark::Kind::kCaughtUp, p);
    engine.harness().engine().Process(at_end);
    engine.harness().clock.Advance(kSilence);
    engine.harness().engine().Tick();
    ASSERT_TRUE(engine.Checkpoint(testing::Numbered(engine.harness().engine().Capture())).ok());
  }
  for (int life = 0; life < 2; ++life) {
    CheckpointedEngine engine(windows, testing::SmallPolicy(), 0, KeyKind::kInteger, folder);
    ASSERT_TRUE(engine.Recover(folder, windows).ok());
    EngineState state = engine.harness().engine().Capture();
    ASSERT_EQ(state.partitions.size(), 2u);
    for (const PartitionState& partition : state.partitions) {
      EXPECT_EQ(partition.silent, kSilence) << "life " << life;
      EXPECT_TRUE(partition.caught_up) << "life " << life;
    }
    ASSERT_TRUE(engine.Checkpoint(testing::Numbered(std::move(state))).ok());
  }
}

TEST(RecoveryTest, WhatAnotherInstancePublishedMeanwhileIsNotPublishedAgain) {
  const std::vector<WindowSpec> windows = {{.name = "w", .length = 20, .slide = 10},
                                           {.name = "v", .length = 10, .slide = 10}};
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  MemoryFolder folder;
  {
    CheckpointedEngine engine(windows, policy, 1, KeyKind::kInteger, folder);
    ASSERT_TRUE(engine.Begin());
    engine.harness().Start();
    engine.harness().Feed({{.offset = 0, .time = 5, .source = 1, .target = 2}});
    engine.harness().Feed({{.offset = 1, .time = 15, .source = 1, .target = 3}});
    ASSERT_TRUE(engine.Checkpoint().ok());
  }
  CheckpointedEngine engine(windows, policy, 1, KeyKind::kInteger, folder);
  ASSERT_TRUE(engine.Recover(folder, windows).ok());
  // The commit is newer than the checkpoint for one window, and older for the other.
  engine.harness().Start({.positions = {}, .published = {{"w", 30}, {"v", 5}}, .gap_until = {}});
  std::vector<std::string> published;
  engine.harness().on_advance = [&](const AdvancePtr& advance) {
    const Provenance& provenance = advance->provenance;
    published.push_back(provenance.window + " " +
                        std::to_string(provenance.window_end.time_since_epoch().count()));
  };
  engine.harness().Feed({{.offset = 2, .time = 25, .source = 1, .target = 4}});
  engine.harness().Feed({{.offset = 3, .time = 35, .source = 1, .target = 5}});
  engine.harness().Feed({{.offset = 4, .time = 45, .source = 1, .target = 6}});
  std::ranges::sort(published);
  EXPECT_EQ(published, (std::vector<std::string>{"v 20", "v 30", "v 40", "w 40"}));
}

}  // namespace
}  // namespace sash
