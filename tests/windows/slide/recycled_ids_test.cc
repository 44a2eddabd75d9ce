// Keys that leave the windows are forgotten and their ids are reused, while advances that are still
// held name their own vertices.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/reference_stream.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::KeyText;
using testing::ListedEdge;
using testing::NumberOf;
using testing::ScriptRecord;

constexpr std::int64_t kPane = 1'000'000'000;

TimePolicy NeverLate() {
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  return policy;
}

WindowSpec RecyclingWindow(std::string name, std::int64_t panes, StoreKind store,
                           DuplicatesPolicy duplicates, WindowAxis axis = WindowAxis::kEventTime) {
  return {.name = std::move(name),
          .by = axis,
          .length = panes * kPane,
          .slide = kPane,
          .duplicates = duplicates,
          .implementation = store};
}

WindowSpec Short(std::string name = "w") {
  return RecyclingWindow(std::move(name), 2, StoreKind::kMultiversioned, DuplicatesPolicy::kKeep);
}

// Pane `pane` of a stream in which no key repeats: a path over new vertices.
std::vector<ScriptRecord> NewKeys(std::int64_t pane, std::int64_t edges) {
  std::vector<ScriptRecord> records;
  for (std::int64_t i = 0; i < edges; ++i) {
    const std::int64_t vertex = pane * (edges + 1) + i;
    records.push_back({.offset = pane * edges + i,
                       .time = pane * kPane + i,
                       .source = vertex,
                       .target = vertex + 1});
  }
  return records;
}

// The edges of the panes [first, last].
std::vector<ListedEdge> EdgesOf(std::int64_t first, std::int64_t last, std::int64_t edges) {
  std::vector<ListedEdge> listed;
  for (std::int64_t pane = std::max<std::int64_t>(first, 0); pane <= last; ++pane) {
    for (const ScriptRecord& record : NewKeys(pane, edges)) {
      listed.push_back({record.source, record.target, Weight()});
    }
  }
  return listed;
}

// The first and last pane of a window of whole panes.
std::pair<std::int64_t, std::int64_t> PanesOf(const Advance& advance) {
  const auto pane = [](EventTime time) { return time.time_since_epoch().count() / kPane; };
  return {pane(advance.provenance.window_start), pane(advance.provenance.window_end) - 1};
}

void ExpectNamesItsPanes(const Advance& advance, const VertexDictionary& keys, std::int64_t edges) {
  const auto [first, last] = PanesOf(advance);
  EXPECT_EQ(testing::ListOut(advance.view, keys), EdgesOf(first, last, edges));
}

class NeverRepeatingKeysTest
    : public ::testing::TestWithParam<std::tuple<KeyKind, StoreKind, DuplicatesPolicy>> {};

TEST_P(NeverRepeatingKeysTest, IdsStayBoundedAndPinnedAdvancesNameTheirOwnKeys) {
  const auto [kind, store, duplicates] = GetParam();
  constexpr std::int64_t kEdges = 50;
  constexpr std::int64_t kPanes = 400;
  constexpr std::size_t kPinned = 5;
  EngineHarness harness({RecyclingWindow("short", 2, store, duplicates),
                         RecyclingWindow("long", 6, store, duplicates)},
                        NeverLate(), 1, kind);
  std::deque<AdvancePtr> pinned;
  harness.on_advance = [&](const AdvancePtr& advance) {
    pinned.push_back(advance);
    if (pinned.size() <= kPinned) return;
    ExpectNamesItsPanes(*pinned.front(), harness.keys, kEdges);
    pinned.pop_front();
  };
  harness.Start();
  for (std::int64_t pane = 0; pane < kPanes; ++pane) {
    harness.Feed(NewKeys(pane, kEdges));
    if (pane % 10 == 5) testing::ExpectConsistent(pinned.back()->view, harness.keys);
  }
  // The bound: the long window, its open pane, the keys that pinned advances held longer, and one
  // batch.
  EXPECT_LE(harness.keys.id_limit(), (kEdges + 1) * 12);
  EXPECT_GT(harness.stats.ids_recycled, (kEdges + 1) * (kPanes - 20));
  EXPECT_EQ(harness.stats.ids_referred + harness.stats.ids_waiting, harness.keys.size());
  VisitView(pinned.back()->view, [&](const auto& graph) {
    EXPECT_LE(graph.id_limit(), harness.keys.id_limit()) << "so arrays by id are bounded";
  });
}

INSTANTIATE_TEST_SUITE_P(
    Windows, NeverRepeatingKeysTest,
    ::testing::Combine(::testing::Values(KeyKind::kInteger, KeyKind::kString),
                       ::testing::Values(StoreKind::kMultiversioned, StoreKind::kRebuild),
                       ::testing::Values(DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop,
                                         DuplicatesPolicy::kWeigh)));

TEST(RecycledIdsTest, AKeyIsForgottenWhenNeitherAWindowNorAnAdvanceNamesIt) {
  EngineHarness harness({Short()}, NeverLate());
  harness.Start();
  harness.Feed(NewKeys(0, 1));
  harness.Feed(NewKeys(1, 1));  // publishes pane 0
  harness.Feed(NewKeys(2, 1));
  harness.Feed(NewKeys(3, 1));  // pane 0 has left the window
  ASSERT_EQ(harness.advances.size(), 3u);
  EXPECT_TRUE(harness.keys.Find(std::int64_t{0})) << "advances that show the key are held";
  harness.advances.clear();
  harness.engine().Tick();
  EXPECT_FALSE(harness.keys.Find(std::int64_t{0}));
  EXPECT_TRUE(harness.keys.Find(std::int64_t{2})) << "pane 1 is in the window";
  EXPECT_EQ(harness.stats.ids_waiting, 0u);
}

TEST(RecycledIdsTest, AKeyThatReturnsHasNoneOfItsOldEdges) {
  EngineHarness harness({Short()}, NeverLate());
  harness.on_advance = [&](const AdvancePtr& advance) { harness.advances = {advance}; };
  harness.Start();
  harness.Feed({{.time = 0, .source = 1, .target = 2}});
  harness.Feed(NewKeys(10, 20));  // reuses the ids
  harness.Feed(NewKeys(13, 20));
  EXPECT_FALSE(harness.keys.Find(std::int64_t{1}));
  harness.Feed({{.offset = 900, .time = 20 * kPane, .source = 1, .target = 3}});
  harness.Feed({{.offset = 901, .time = 21 * kPane, .source = 4, .target = 4}});
  EXPECT_EQ(testing::ListOut(harness.advances.back()->view, harness.keys),
            (std::vector<ListedEdge>{{1, 3, Weight()}}));
  EXPECT_GT(harness.stats.ids_recycled, 20u);
}

TEST(RecycledIdsTest, RemovedVerticesAndSelfLoopsAreReleasedAsOftenAsReferredTo) {
  for (const StoreKind store : {StoreKind::kMultiversioned, StoreKind::kRebuild}) {
    EngineHarness harness({RecyclingWindow("w", 2, store, DuplicatesPolicy::kDrop)}, NeverLate());
    harness.on_advance = [](const AdvancePtr&) {};
    harness.Start();
    for (std::int64_t pane = 0; pane < 50; ++pane) {
      const std::int64_t vertex = 3 * pane;
      const std::int64_t time = pane * kPane;
      harness.Feed({{.offset = 4 * pane, .time = time, .source = vertex, .target = vertex},
                    {.offset = 4 * pane + 1, .time = time, .source = vertex, .target = vertex + 1},
                    {.offset = 4 * pane + 2,
                     .time = time + 1,
                     .operation = Operation::kRemoveVertex,
                     .source = vertex},
                    {.offset = 4 * pane + 3,
                     .time = time + 2,
                     .operation = Operation::kRemove,
                     .source = vertex + 1,
                     .target = vertex + 2}});
    }
    EXPECT_LE(harness.keys.size(), 15u);
    EXPECT_LE(harness.keys.id_limit(), 15u);
  }
}

TEST(RecycledIdsTest, LateEventsThatMoveReferToTheirVertices) {
  TimePolicy policy = NeverLate();
  policy.late = LatePolicy::kNextSlice;
  EngineHarness harness({Short()}, policy);
  harness.on_advance = [](const AdvancePtr&) {};
  harness.Start();
  for (std::int64_t pane = 2; pane < 60; ++pane) {
    harness.Feed(NewKeys(pane, 3));
    harness.Feed({{.offset = 1000 + pane, .time = kPane, .source = -pane, .target = -pane - 100}});
  }
  EXPECT_EQ(harness.stats.moved, 58u);
  EXPECT_LE(harness.keys.id_limit(), 6u * 6u);
}

TEST(RecycledIdsTest, WhatIsDroppedAsLateIsNotInterned) {
  EngineHarness harness({Short()}, NeverLate());
  harness.Start();
  harness.Feed(NewKeys(5, 2));
  harness.Feed({{.offset = 100, .time = 0, .source = -1, .target = -2}});
  EXPECT_EQ(harness.stats.late, 1u);
  EXPECT_FALSE(harness.keys.Find(std::int64_t{-1}));
}

TEST(RecycledIdsTest, ALaneThatGoesReleasesWhatItHeldAndWhatItHadOpen) {
  WindowSpec numbers{.name = "numbers",
                     .by = WindowAxis::kEvents,
                     .length = 1000,
                     .slide = 100,
                     .implementation = StoreKind::kRebuild};
  EngineHarness harness({Short(), numbers}, NeverLate());
  harness.on_advance = [](const AdvancePtr&) {};
  harness.Start();
  for (std::int64_t pane = 0; pane < 45; ++pane) harness.Feed(NewKeys(pane, 10));
  EXPECT_EQ(harness.keys.size(), 45u * 11u) << "closed and open slices of the window by events";
  ASSERT_TRUE(harness.RemoveWindow("numbers"));
  EXPECT_EQ(harness.stats.ids_referred, 3u * 11u);
  ASSERT_TRUE(harness.AddWindow(Short("other")));
  ASSERT_TRUE(harness.RemoveWindow("w"));
  for (std::int64_t pane = 45; pane < 50; ++pane) harness.Feed(NewKeys(pane, 10));
  EXPECT_EQ(harness.stats.ids_referred, 3u * 11u);
  EXPECT_LE(harness.keys.size(), 4u * 11u)
      << "the newest advance still names the keys that have just left";
}

TEST(RecycledIdsTest, AnEmptyAdvanceHoldsNothingBack) {
  // The window by time becomes silent; the window by events continues with new keys.
  WindowSpec numbers{.name = "numbers", .by = WindowAxis::kEvents, .length = 20, .slide = 10};
  TimePolicy policy = NeverLate();
  EngineHarness harness({Short(), numbers}, policy);
  AdvancePtr empty;
  harness.on_advance = [&](const AdvancePtr& advance) {
    if (advance->provenance.empty) empty = advance;
  };
  harness.Start();
  harness.Feed(NewKeys(0, 10));
  harness.Feed({{.offset = 11,
                 .time = kPane,
                 .operation = Operation::kRemoveVertex,
                 .source = 0,
                 .target = 0}});
  harness.Feed(NewKeys(9, 1));
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->ids, nullptr);
  // All these records are late for the window by time; its newest advance is the empty one.
  for (std::int64_t i = 1; i < 100; ++i) {
    std::vector<ScriptRecord> records = NewKeys(100 + i, 10);
    for (ScriptRecord& record : records) record.time = i;
    harness.Feed(records);
  }
  EXPECT_GT(harness.stats.late, 900u);
  EXPECT_LE(harness.keys.id_limit(), 100u);
}

// Holds the newest advance for readers in other threads.
class NewestAdvance {
 public:
  void Set(AdvancePtr advance) {
    const MutexLock lock(mutex_);
    newest_.swap(advance);
  }
  AdvancePtr Get() const {
    const MutexLock lock(mutex_);
    return newest_;
  }

 private:
  mutable Mutex mutex_;
  AdvancePtr newest_ SASH_GUARDED_BY(mutex_);
};

TEST(RecycledIdsTest, ReadersNameKeysWhileTheEngineRecyclesIds) {
  constexpr std::int64_t kEdges = 20;
  constexpr std::uint64_t kReadings = 300;
  constexpr std::int64_t kMostPanes = 1'000'000;
  for (const KeyKind kind : {KeyKind::kString, KeyKind::kInteger}) {
    EngineHarness harness({Short()}, NeverLate(), 1, kind);
    NewestAdvance newest;
    harness.on_advance = [&](AdvancePtr advance) { newest.Set(std::move(advance)); };
    harness.Start();
    std::atomic<std::uint64_t> readings = 0;
    std::vector<std::jthread> readers;
    for (int i = 0; i < 2; ++i) {
      readers.emplace_back([&](std::stop_token stop) {
        std::uint64_t last = 0;
        while (!stop.stop_requested()) {
          const AdvancePtr advance = newest.Get();
          if (!advance || advance->provenance.snapshot.value == last) {
            std::this_thread::yield();
            continue;
          }
          last = advance->provenance.snapshot.value;
          ExpectNamesItsPanes(*advance, harness.keys, kEdges);
          // The first vertex of the last pane, looked up by key, is the one in the view.
          const std::int64_t number = PanesOf(*advance).second * (kEdges + 1);
          const auto found = harness.keys.Find(kind == KeyKind::kString ? VertexKey(KeyText(number))
                                                                        : VertexKey(number));
          ASSERT_TRUE(found);
          EXPECT_EQ(NumberOf(harness.keys, *found), number);
          VisitView(advance->view,
                    [&](const auto& graph) { EXPECT_EQ(graph.out_degree(*found), 1u); });
          ++readings;
        }
      });
    }
    std::int64_t pane = 0;
    for (; readings < kReadings && pane < kMostPanes; ++pane) harness.Feed(NewKeys(pane, kEdges));
    readers.clear();
    EXPECT_GE(readings, kReadings);
    EXPECT_GT(harness.stats.ids_recycled, kReadings);
    newest.Set(nullptr);
    harness.Feed(NewKeys(pane, kEdges));
    EXPECT_LT(harness.keys.size(), 5u * (kEdges + 1));
  }
}

}  // namespace
}  // namespace sash
