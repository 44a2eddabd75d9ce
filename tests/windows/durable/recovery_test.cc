// An engine that continues from the checkpoint of another one: cases that once were faults,
// or that are too rare for random scripts (recovery_oracle_test.cc).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/checkpointed_life.h"

namespace sash {
namespace {

using testing::CheckpointedEngine;
using testing::CheckpointedLife;
using testing::EngineHarness;
using testing::ExpectToRecall;
using testing::MemoryFolder;
using testing::Said;
using testing::Script;
using testing::ScriptRecord;

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

// A checkpoint keeps the places of the events in open slices, because exports of slices need them.
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
