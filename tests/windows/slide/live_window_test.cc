// Live windows of a small stream: what a cut has, when there is none, and readers in other threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "tests/support/engine_harness.h"
#include "windows/slide/live_slices.h"
#include "windows/store/live_view.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::ScriptRecord;

constexpr std::int64_t kTimeUnit = 1'000'000'000;

std::vector<WindowSpec> LiveSpecs(DuplicatesPolicy duplicates = DuplicatesPolicy::kKeep) {
  return {{.name = "w",
           .length = 3 * kTimeUnit,
           .slide = kTimeUnit,
           .duplicates = duplicates,
           .live = true}};
}

TimePolicy Disordered() {
  TimePolicy policy;
  policy.disorder = Duration(10 * kTimeUnit);
  policy.check_ahead = false;
  return policy;
}

ScriptRecord EdgeOf(std::int64_t second, std::int64_t source, std::int64_t target,
                    std::int64_t offset, Operation operation = Operation::kAdd) {
  ScriptRecord record;
  record.time = second * kTimeUnit;
  record.offset = offset;
  record.operation = operation;
  record.source = source;
  record.target = target;
  return record;
}

LiveWindowPtr LiveOf(EngineHarness& harness) { return harness.engine().Find("w")->live; }

std::uint64_t LiveEdges(EngineHarness& harness) {
  return LiveView(LiveOf(harness)->parts).edge_count();
}

TEST(LiveWindowTest, AnEventIsThereAfterItsBatchHoweverLongItsSliceStaysOpen) {
  EngineHarness harness(LiveSpecs(), Disordered());
  harness.Start();
  EXPECT_EQ(LiveOf(harness), nullptr);
  harness.Feed({EdgeOf(1, 1, 2, 0)});
  EXPECT_TRUE(harness.advances.empty());
  EXPECT_EQ(LiveEdges(harness), 1u);
  const LiveWindowPtr live = LiveOf(harness);
  EXPECT_EQ(live->end, 2 * kTimeUnit);
  EXPECT_EQ(live->begin, -kTimeUnit);
  EXPECT_EQ(live->snapshot.value, 0u);
  ASSERT_EQ(live->cut->partitions.size(), 1u);
  EXPECT_EQ(live->cut->partitions[0].next_offset, 1);
  EXPECT_EQ(live->cut->partitions[0].newest, EventTime(Duration(kTimeUnit)));
}

TEST(LiveWindowTest, ARemovalUndoesOnlyTheEdgesBeforeItInTheOrderOfTime) {
  for (const DuplicatesPolicy policy :
       {DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop, DuplicatesPolicy::kWeigh}) {
    EngineHarness harness(LiveSpecs(policy), Disordered());
    harness.Start();
    harness.Feed({EdgeOf(5, 1, 2, 0), EdgeOf(4, 1, 2, 1, Operation::kRemove)});
    EXPECT_EQ(LiveEdges(harness), 1u);
    harness.Feed({EdgeOf(6, 2, 2, 2, Operation::kRemoveVertex)});
    EXPECT_EQ(LiveEdges(harness), 0u);
    harness.Feed({EdgeOf(7, 3, 2, 3)});
    EXPECT_EQ(LiveEdges(harness), 1u);
  }
}

TEST(LiveWindowTest, SlicesLeaveTheLiveWindowBeforeTheyLeaveThePublishedOne) {
  TimePolicy policy = Disordered();
  policy.disorder = Duration(2 * kTimeUnit);
  EngineHarness harness(LiveSpecs(), policy);
  harness.Start();
  for (std::int64_t second = 0; second < 6; ++second) {
    harness.Feed({EdgeOf(second, second, 100, second)});
  }
  // The published window ends at 3, and holds 0 to 2; the live one ends at 6, and holds 3 to 5.
  ASSERT_EQ(harness.advances.size(), 3u);
  const LiveWindowPtr live = LiveOf(harness);
  EXPECT_EQ(live->snapshot, harness.advances.back()->provenance.snapshot);
  const LiveView view(live->parts);
  EXPECT_EQ(view.edge_count(), 3u);
  EXPECT_EQ(view.in_degree(*harness.keys.Find(VertexKey(std::int64_t{100}))), 3u);
  EXPECT_EQ(view.out_degree(*harness.keys.Find(VertexKey(std::int64_t{2}))), 0u);
}

TEST(LiveWindowTest, LiveCanBeSwitchedOnAndOffWhileTheStreamRuns) {
  std::vector<WindowSpec> windows = LiveSpecs();
  windows[0].live = false;
  EngineHarness harness(windows, Disordered());
  harness.Start();
  harness.Feed({EdgeOf(1, 1, 2, 0), EdgeOf(20, 1, 3, 1)});
  EXPECT_EQ(LiveOf(harness), nullptr);
  windows[0].live = true;
  ASSERT_TRUE(harness.PutWindows(windows));
  EXPECT_EQ(LiveEdges(harness), 1u);
  const std::uint64_t advances = harness.advances.size();
  windows[0].live = false;
  ASSERT_TRUE(harness.PutWindows(windows));
  EXPECT_EQ(LiveOf(harness), nullptr);
  EXPECT_EQ(harness.advances.size(), advances);
}

TEST(LiveWindowTest, WindowsThatCannotBeLiveAreRefused) {
  EngineHarness harness(LiveSpecs(), Disordered());
  harness.Start();
  WindowSpec spec = LiveSpecs()[0];
  spec.name = "rebuilt";
  spec.implementation = StoreKind::kRebuild;
  const Status refused = harness.AddWindow(spec);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("implementation: rebuild"), std::string::npos);
}

TEST(LiveWindowTest, AWindowThatIsRebuiltAfterARestartCannotBeReadUntilItHasPassedItsNewestEnd) {
  TimePolicy policy = Disordered();
  policy.disorder = Duration(0);
  RewindPoint rewind;
  {
    EngineHarness harness(LiveSpecs(), policy);
    harness.Start();
    for (std::int64_t second = 0; second < 6; ++second) {
      harness.Feed({EdgeOf(second, second, 100, second)});
    }
    rewind = harness.advances.back()->rewind;
    ASSERT_EQ(harness.advances.back()->end, 5 * kTimeUnit);
  }
  EngineHarness harness(LiveSpecs(), policy);
  harness.Start(rewind);
  EXPECT_TRUE(LiveOf(harness)->is_rebuilding);
  const std::int64_t first = rewind.positions.front().offset;
  ASSERT_GT(first, 0);
  ASSERT_LT(first, 5);
  for (std::int64_t second = first; second < 5; ++second) {
    harness.Feed({EdgeOf(second, second, 100, second)});
    EXPECT_TRUE(LiveOf(harness)->is_rebuilding) << second;
  }
  harness.Feed({EdgeOf(5, 5, 100, 5)});
  ASSERT_FALSE(LiveOf(harness)->is_rebuilding);
  EXPECT_EQ(LiveEdges(harness), 3u);
}

ScriptRecord Identified(ScriptRecord record, std::uint64_t id) {
  record.id = id;
  return record;
}

TimePolicy Deduplicating(std::int64_t seconds, std::int64_t disorder = 10) {
  TimePolicy policy = Disordered();
  policy.disorder = Duration(disorder * kTimeUnit);
  policy.dedupe_within = Duration(seconds * kTimeUnit);
  return policy;
}

// The numbers of the targets of 1, ascending.
std::vector<std::int64_t> TargetsOfOne(const EngineHarness& harness, const LiveWindow& live) {
  std::vector<std::int64_t> targets;
  const LiveView view(live.parts);
  for (const VertexId v : view.out(*harness.keys.Find(VertexKey(std::int64_t{1})))) {
    targets.push_back(testing::NumberOf(harness.keys, v));
  }
  std::ranges::sort(targets);
  return targets;
}

TEST(LiveWindowTest, AnEdgeThatComesLateDecidesAnewWhichOnesCount) {
  std::vector<WindowSpec> windows = LiveSpecs();
  windows[0].length = 100 * kTimeUnit;
  EngineHarness harness(windows, Deduplicating(4));
  harness.Start();
  harness.Feed({Identified(EdgeOf(5, 1, 5, 0), 7), Identified(EdgeOf(8, 1, 8, 1), 7),
                Identified(EdgeOf(11, 1, 11, 2), 7), EdgeOf(8, 1, 9, 3)});
  const LiveWindowPtr before = LiveOf(harness);
  EXPECT_EQ(TargetsOfOne(harness, *before), (std::vector<std::int64_t>{5, 9, 11}));
  // 5 is a duplicate of 2 now, so 8 counts, and 11 does not.
  harness.Feed({Identified(EdgeOf(2, 1, 2, 4), 7)});
  EXPECT_EQ(TargetsOfOne(harness, *LiveOf(harness)), (std::vector<std::int64_t>{2, 8, 9}));
  EXPECT_EQ(TargetsOfOne(harness, *before), (std::vector<std::int64_t>{5, 9, 11}));
}

TEST(LiveWindowTest, AClosedSliceDecidesWhetherOpenEdgesCountAlsoForLiveThatCameLater) {
  for (const bool is_live_at_first : {true, false}) {
    std::vector<WindowSpec> windows = LiveSpecs();
    windows[0].length = 100 * kTimeUnit;
    windows[0].live = is_live_at_first;
    EngineHarness harness(windows, Deduplicating(8, 2));
    harness.Start();
    harness.Feed({Identified(EdgeOf(1, 1, 1, 0), 7), EdgeOf(9, 1, 9, 1)});  // slice 1 closes
    windows[0].live = true;
    ASSERT_TRUE(harness.PutWindows(windows));
    harness.Feed({Identified(EdgeOf(8, 1, 8, 2), 7)});
    EXPECT_EQ(TargetsOfOne(harness, *LiveOf(harness)), (std::vector<std::int64_t>{1, 9}));
    // The edge at 10 counts, because that at 8 does not. So the one at 18 is a duplicate.
    harness.Feed({Identified(EdgeOf(10, 1, 10, 3), 7), Identified(EdgeOf(18, 1, 18, 4), 7)});
    EXPECT_EQ(TargetsOfOne(harness, *LiveOf(harness)), (std::vector<std::int64_t>{1, 9, 10}));
    harness.Feed({Identified(EdgeOf(19, 1, 19, 5), 7)});
    EXPECT_EQ(TargetsOfOne(harness, *LiveOf(harness)), (std::vector<std::int64_t>{1, 9, 10, 19}));
  }
}

TEST(LiveWindowTest, WhatClosesAfterACutDoesNotChangeWhatCountedThere) {
  EngineHarness harness(LiveSpecs(), Deduplicating(8, 2));
  harness.Start();
  // Slice 5 closes. A cut before the first closed slice has ids that no later slice enters.
  harness.Feed({EdgeOf(5, 1, 5, 0), Identified(EdgeOf(8, 1, 8, 1), 7)});
  const LiveWindowPtr before = LiveOf(harness);                           // not read yet
  harness.Feed({Identified(EdgeOf(6, 1, 6, 2), 7), EdgeOf(9, 1, 9, 3)});  // slice 6 closes
  EXPECT_EQ(TargetsOfOne(harness, *LiveOf(harness)), (std::vector<std::int64_t>{9}));
  EXPECT_EQ(TargetsOfOne(harness, *before), (std::vector<std::int64_t>{8}));
}

TEST(LiveWindowTest, ARemovalThatIsADuplicateRemovesNothing) {
  for (const Operation removal : {Operation::kRemove, Operation::kRemoveVertex}) {
    EngineHarness harness(LiveSpecs(), Deduplicating(4));
    harness.Start();
    harness.Feed({Identified(EdgeOf(5, 2, 3, 0), 7), EdgeOf(6, 1, 2, 1),
                  Identified(EdgeOf(7, 1, 2, 2, removal), 7)});
    EXPECT_EQ(LiveEdges(harness), 2u);
    harness.Feed({Identified(EdgeOf(7, 1, 2, 3, removal), 8)});
    EXPECT_EQ(LiveEdges(harness), 1u);
  }
}

// The late edge is in a slice of its own, before the first one with an event that is on time, and
// makes that event a duplicate: no window would be published.
TEST(LiveWindowTest, DuplicatesOfALateEdgeDoNotBeginAWindow) {
  TimePolicy policy = Deduplicating(6, 3);
  policy.late = LatePolicy::kNextSlice;
  std::vector<WindowSpec> windows = LiveSpecs();
  windows[0].length = 9 * kTimeUnit;
  windows[0].retain = 9 * kTimeUnit;
  EngineHarness harness(windows, policy);
  harness.Start();
  harness.Feed({Identified(EdgeOf(11, 1, 11, 0), 7), Identified(EdgeOf(7, 1, 7, 1), 7)});
  EXPECT_EQ(LiveEdges(harness), 0u);
  const std::optional<WindowStatus> window = harness.engine().Find("w");
  const auto entered = LiveSlices(*window->history, *window->live, 0, 20 * kTimeUnit);
  ASSERT_TRUE(entered);
  EXPECT_TRUE(entered->empty());
  // An event that counts makes the window begin, and then the late edge is in it.
  harness.Feed({EdgeOf(10, 1, 10, 2)});
  EXPECT_EQ(TargetsOfOne(harness, *LiveOf(harness)), (std::vector<std::int64_t>{7, 10}));
}

// Every view that a reader gets is whole, and no event goes back.
void ReadWhileTheStreamRuns(const TimePolicy& policy) {
  constexpr std::int64_t kSeconds = 60;
  constexpr std::int64_t kEdges = 40;
  EngineHarness harness(LiveSpecs(DuplicatesPolicy::kWeigh), policy);
  harness.Start();
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> readers;
  for (int reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&] {
      std::int64_t newest = 0;
      while (!is_over) {
        const LiveWindowPtr live = LiveOf(harness);
        if (live == nullptr) continue;
        const std::int64_t next = live->cut->partitions.at(0).next_offset.value_or(0);
        ASSERT_GE(next, newest);
        newest = next;
        const LiveView view(live->parts);
        std::uint64_t in = 0;
        for (const VertexId v : view.vertices()) {
          in += view.in_degree(v);
          ASSERT_GE(testing::NumberOf(harness.keys, v), 0);
        }
        ASSERT_EQ(in, view.edge_count());
      }
    });
  }
  for (std::int64_t second = 0; second < kSeconds; ++second) {
    std::vector<ScriptRecord> records;
    for (std::int64_t i = 0; i < kEdges; ++i) {
      records.push_back(EdgeOf(second, second + i % 7, second + i % 11, second * kEdges + i));
      if (i % 4 == 0) records.back().id = static_cast<std::uint64_t>(1 + i / 8);
    }
    harness.Feed(records);
  }
  is_over = true;
  readers.clear();
  EXPECT_GT(LiveEdges(harness), kEdges);
}

TEST(LiveWindowTest, OtherThreadsReadWhileTheStreamRuns) { ReadWhileTheStreamRuns(Disordered()); }

TEST(LiveWindowTest, OtherThreadsReadWhileIdsOfEdgesAreJudged) {
  ReadWhileTheStreamRuns(Deduplicating(5, 2));
}

}  // namespace
}  // namespace sash
