// Records that give several edges. Random scripts with such records are in engine_oracle_test.cc,
// rewind_test.cc and the tests of recovery.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::InOrder;
using testing::kSecond;
using testing::ListedEdge;
using testing::ScriptRecord;
using testing::SpanningWindow;

// The edges of one record, by their seconds. Edge i goes from 100 * offset + i to the next number.
std::vector<ScriptRecord> RecordOf(std::int64_t offset, const std::vector<std::int64_t>& seconds,
                                   std::uint32_t partition = 0) {
  std::vector<ScriptRecord> edges;
  for (const std::int64_t second : seconds) {
    const auto place = static_cast<std::uint32_t>(edges.size());
    edges.push_back({.partition = partition,
                     .offset = offset,
                     .place = place,
                     .time = second * kSecond,
                     .source = 100 * offset + place,
                     .target = 100 * offset + place + 1,
                     .weight = {}});
  }
  return edges;
}

std::vector<ScriptRecord> operator+(std::vector<ScriptRecord> a,
                                    const std::vector<ScriptRecord>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<std::uint64_t> EdgeCounts(const EngineHarness& harness) {
  std::vector<std::uint64_t> edges;
  for (const AdvancePtr& advance : harness.advances) edges.push_back(advance->provenance.edges);
  return edges;
}

// The first edge would make the second one late, and would close its pane.
TEST(SeveralEdgesTest, EdgesOfARecordDoNotMakeEachOtherLate) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  harness.Feed(RecordOf(0, {10}) + RecordOf(1, {30, 11, 20}));
  harness.End();
  EXPECT_EQ(harness.stats.late, 0u);
  EXPECT_EQ(harness.stats.accepted, 4u);
  ASSERT_GE(harness.advances.size(), 1u);
  EXPECT_EQ(harness.advances.front()->provenance.edges, 2u) << "10 and 11";
}

TEST(SeveralEdgesTest, TheNextRecordIsJudgedByTheNewestOfThem) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  harness.Feed(RecordOf(0, {30, 11}) + RecordOf(1, {29, 31, 12}));
  harness.End();
  EXPECT_EQ(harness.stats.late, 2u) << "29 and 12";
  EXPECT_EQ(harness.stats.accepted, 3u);
}

std::vector<std::uint64_t> LateCounts(const std::vector<AdvancePtr>& advances) {
  std::vector<std::uint64_t> late;
  for (const AdvancePtr& advance : advances) late.push_back(advance->provenance.late);
  return late;
}

TEST(SeveralEdgesTest, LateEdgesCountInThePaneOfTheNewestEdgeOfTheirRecord) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  harness.Feed(RecordOf(0, {20}) + RecordOf(1, {22, 3, 24}) + RecordOf(2, {4, 3}) +
               RecordOf(3, {40}));
  harness.End();
  EXPECT_EQ(LateCounts(harness.advances), (std::vector<std::uint64_t>{0, 0, 3, 0, 0}))
      << "20, 22, 24, an empty window, 40";
}

// When the pane of record 0 has left the window, the pane of record 1 is read again without it.
TEST(SeveralEdgesTest, LateEdgesCountInTheSamePaneWhenTheirRecordIsReadAgain) {
  const std::vector<ScriptRecord> first = RecordOf(0, {20});
  const std::vector<ScriptRecord> rest =
      RecordOf(1, {3, 22}) + RecordOf(2, {24}) + RecordOf(3, {26});
  EngineHarness whole({SpanningWindow(4, 2)}, InOrder());
  whole.Start();
  whole.Feed(first + rest);
  whole.End();
  ASSERT_EQ(LateCounts(whole.advances), (std::vector<std::uint64_t>{0, 1, 1, 0}));
  const RewindPoint& from = whole.advances[2]->rewind;
  ASSERT_EQ(from.positions.size(), 1u);
  ASSERT_EQ(from.positions[0].offset, 1);
  EngineHarness again({SpanningWindow(4, 2)}, InOrder(), 1, KeyKind::kInteger, {}, {{"time", {1}}});
  std::vector<AdvancePtr> recalled;
  again.on_recalled = [&](const AdvancePtr& advance) { recalled.push_back(advance); };
  again.Start(from);
  again.Feed(rest);
  again.End();
  EXPECT_EQ(LateCounts(recalled), std::vector<std::uint64_t>{1});
  EXPECT_EQ(LateCounts(again.advances), std::vector<std::uint64_t>{0});
}

// What the decoder refused of a record counts like its late edges: with the last of its edges.
TEST(SeveralEdgesTest, RefusedEdgesCountInThePaneOfTheNewestEdgeOfTheirRecord) {
  for (const WindowAxis axis : {WindowAxis::kEventTime, WindowAxis::kEvents}) {
    for (const std::vector<std::int64_t>& seconds :
         {std::vector<std::int64_t>{1, 2}, std::vector<std::int64_t>{2}}) {
      EngineHarness harness({SpanningWindow(1, 1, axis)}, InOrder());
      harness.Start();
      EventBatch batch;
      harness.Append(RecordOf(0, {0}).front(), batch);
      batch.AddRefused(1, 0, 1, batch.events().size());
      batch.AddRefused(2, 0, 2, batch.events().size());
      for (const ScriptRecord& edge : RecordOf(2, seconds)) harness.Append(edge, batch);
      for (const ScriptRecord& edge : RecordOf(3, {3})) harness.Append(edge, batch);
      harness.engine().Process(batch);
      harness.End();
      std::vector<std::uint64_t> refused;
      for (const AdvancePtr& advance : harness.advances) {
        if (!advance->provenance.empty) refused.push_back(advance->provenance.refused);
      }
      std::vector<std::uint64_t> expected = {1, 2, 0};
      if (seconds.size() == 2) expected.insert(expected.begin() + 1, 0);
      EXPECT_EQ(refused, expected);
    }
  }
}

TEST(SeveralEdgesTest, WhatIsRefusedOfARecordIsOneDeadLetter) {
  TimePolicy policy = InOrder();
  policy.late = LatePolicy::kDeadLetter;
  EngineHarness harness({SpanningWindow(2, 2)}, policy);
  harness.Start();
  harness.Feed(RecordOf(0, {20}) + RecordOf(1, {4, 21, 3}) + RecordOf(2, {5}));
  ASSERT_EQ(harness.refusals.entries.size(), 2u);
  EXPECT_EQ(harness.refusals.entries[0].offset, 1);
  EXPECT_EQ(harness.refusals.entries[0].payload, "record 1");
  EXPECT_EQ(harness.refusals.entries[0].reason, RefusalReason::kLate);
  EXPECT_EQ(harness.refusals.entries[0].detail,
            "2 of its 3 edges: its slice had closed when it came");
  EXPECT_EQ(harness.refusals.entries[1].offset, 2);
  EXPECT_EQ(harness.stats.late, 3u);
  EXPECT_EQ(harness.stats.accepted, 2u);
}

// The places in the letters about `batch`, when its first record, at second 20, has made some of
// the others late.
std::vector<std::string> PlacesInLetters(std::vector<std::string> mappings,
                                         const std::function<void(EventBatch&)>& note) {
  TimePolicy policy = InOrder();
  policy.late = LatePolicy::kDeadLetter;
  EngineHarness harness({SpanningWindow(2, 2)}, policy, 1, KeyKind::kInteger, {}, {},
                        std::move(mappings));
  harness.Start();
  EventBatch batch;
  for (const ScriptRecord& edge :
       RecordOf(0, {20}) + RecordOf(1, {4, 21, 3, 2, 900'000}) + RecordOf(2, {5})) {
    harness.Append(edge, batch);
    if (edge.time == 900'000 * kSecond) batch.RefuseLastAsAhead();
  }
  note(batch);
  harness.engine().Process(batch);
  std::vector<std::string> places;
  for (const auto& entry : harness.refusals.entries) places.push_back(entry.places);
  return places;
}

TEST(SeveralEdgesTest, ALetterNamesThePlacesOfLateEdgesAndOfThoseAhead) {
  const auto note = [](EventBatch& batch) {
    EXPECT_EQ(batch.events().size(), 7u);
    EventBatch noted;
    constexpr EdgePlace kPlaces[] = {{0, 0}, {1, 0}, {1, 1}, {4, 0}, {4, 1}};
    for (std::size_t i = 0; i < 7; ++i) {
      noted.AddCopy(batch, i, KeyKind::kInteger);
      if (i >= 1 && i <= 5) noted.NotePlace(i, kPlaces[i - 1]);
    }
    batch = std::move(noted);
  };
  EXPECT_EQ(PlacesInLetters({}, note), (std::vector<std::string>{"0/0,1/1,4/0,4/1", ""}));
  EXPECT_EQ(PlacesInLetters({"paid"}, note),
            (std::vector<std::string>{"paid:0/0,paid:1/1,paid:4/0,paid:4/1", "paid"}));
}

// Edges without a place are all edges of their mapping; the two directions of an edge are one.
TEST(SeveralEdgesTest, ALetterNamesTheMappingsOfWhatIsLate) {
  const auto note = [](EventBatch& batch) {
    batch.NotePlace(3, {7, 1});
    batch.SetMapping(2, 1);
    batch.SetMapping(6, 0);
  };
  EXPECT_EQ(PlacesInLetters({"paid", "login"}, note),
            (std::vector<std::string>{"paid,login:7/1", "paid:7/1"}));
}

TEST(SeveralEdgesTest, OnlyTheEdgesAheadAreRefusedAndMoveNothing) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  EventBatch batch;
  for (const ScriptRecord& edge : RecordOf(0, {10, 1'000'000})) harness.Append(edge, batch);
  batch.RefuseLastAsAhead();
  for (const ScriptRecord& edge : RecordOf(1, {11, 11})) harness.Append(edge, batch);
  harness.engine().Process(batch);
  harness.End();
  EXPECT_EQ(EdgeCounts(harness), (std::vector<std::uint64_t>{3}));
  EXPECT_EQ(harness.stats.ahead, 1u);
  EXPECT_EQ(harness.advances.front()->provenance.refused, 1u);
  ASSERT_EQ(harness.refusals.entries.size(), 1u);
  EXPECT_EQ(harness.refusals.entries[0].reason, RefusalReason::kAhead);
}

// If times are equal, the place in the record decides: the removal comes after its edge.
TEST(SeveralEdgesTest, OfEqualTimesThePlaceInTheRecordDecides) {
  for (const bool removes_last : {true, false}) {
    WindowSpec spec = SpanningWindow(2, 2);
    spec.removals = true;
    EngineHarness harness({spec}, InOrder());
    harness.Start();
    std::vector<ScriptRecord> edges = RecordOf(0, {10, 10});
    edges[1].source = edges[0].source;
    edges[1].target = edges[0].target;
    edges[removes_last ? 1 : 0].operation = Operation::kRemove;
    harness.Feed(edges);
    harness.End();
    ASSERT_EQ(harness.advances.size(), 1u);
    EXPECT_EQ(harness.advances[0]->provenance.edges, removes_last ? 0u : 1u);
  }
}

TEST(SeveralEdgesTest, TheOffsetsOfAResultAreThoseOfRecords) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  harness.Feed(RecordOf(7, {10, 11, 10}) + RecordOf(8, {11, 13}));
  harness.End();
  ASSERT_EQ(harness.advances.size(), 2u);
  const auto& first = harness.advances[0]->provenance.offsets.begin()->second;
  EXPECT_EQ(first.least, 7);
  EXPECT_EQ(first.greatest, 8);
  const auto& second = harness.advances[1]->provenance.offsets.begin()->second;
  EXPECT_EQ(second.least, 8);
  EXPECT_EQ(second.greatest, 8);
}

// Panes by events end within records: every edge has a number.
TEST(SeveralEdgesTest, ByEventsARewindPointWithinARecordBeginsAtThatRecord) {
  EngineHarness harness({SpanningWindow(2, 2, WindowAxis::kEvents)}, InOrder());
  harness.Start();
  harness.Feed(RecordOf(0, {10}) + RecordOf(1, {11, 11, 11, 11, 11}) + RecordOf(2, {12}));
  ASSERT_EQ(EdgeCounts(harness), (std::vector<std::uint64_t>{2, 2, 2}));
  std::vector<std::pair<std::int64_t, std::int64_t>> begins;  // offset, accepted before
  for (const AdvancePtr& advance : harness.advances) {
    ASSERT_EQ(advance->rewind.positions.size(), 1u);
    begins.emplace_back(advance->rewind.positions[0].offset, *advance->rewind.accepted_before);
  }
  // The oldest slices have the edges 0 and 1, 2 and 3, 4 and 5.
  EXPECT_EQ(begins, (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {1, 1}, {1, 1}}));
}

TEST(SeveralEdgesTest, ByEventsNumbersGoOnFromSuchARewindPoint) {
  const std::vector<ScriptRecord> records =
      RecordOf(0, {10}) + RecordOf(1, {11, 11, 11, 11, 11}) + RecordOf(2, {12, 12, 12});
  EngineHarness whole({SpanningWindow(4, 2, WindowAxis::kEvents)}, InOrder());
  whole.Start();
  whole.Feed(records);
  whole.End();
  ASSERT_EQ(whole.advances.size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    const RewindPoint& from = whole.advances[i]->rewind;
    EngineHarness again({SpanningWindow(4, 2, WindowAxis::kEvents)}, InOrder());
    again.Start(from);
    std::vector<ScriptRecord> rest = records;
    std::erase_if(rest, [&](const ScriptRecord& edge) {
      return edge.offset < from.positions.front().offset;
    });
    again.Feed(rest);
    again.End();
    ASSERT_EQ(again.advances.size(), 4 - i);
    for (std::size_t k = 0; k < again.advances.size(); ++k) {
      const Provenance& expected = whole.advances[i + 1 + k]->provenance;
      EXPECT_EQ(again.advances[k]->provenance.accepted, expected.accepted);
      EXPECT_EQ(testing::ListOut(again.advances[k]->view, again.keys),
                testing::ListOut(whole.advances[i + 1 + k]->view, whole.keys));
    }
  }
}

// A window by events advances before the event behind its last one enters. A rewind point of that
// advance begins at the record of that event if no slice has a record of its partition.
TEST(SeveralEdgesTest, ARewindPointBeforeARecordHasEnteredBeginsAtIt) {
  for (const std::vector<std::int64_t>& edges : {std::vector<std::int64_t>{10}, {10, 10}}) {
    EngineHarness harness({SpanningWindow(2, 2, WindowAxis::kEvents)}, InOrder(), 2);
    harness.Start();
    harness.Feed(RecordOf(0, {10, 10}, 0) + RecordOf(5, edges, 1));
    ASSERT_EQ(harness.advances.size(), 1u);
    std::optional<std::int64_t> position;
    for (const RewindPosition& one : harness.advances[0]->rewind.positions) {
      if (one.partition == 1) position = one.offset;
    }
    EXPECT_EQ(position, 5);
  }
}

TEST(SeveralEdgesTest, AGapBeforeARecordIsAGapBeforeAllItsEdges) {
  EngineHarness harness({SpanningWindow(2, 2)}, InOrder());
  harness.Start();
  EventBatch batch;
  for (const ScriptRecord& edge : RecordOf(0, {10})) harness.Append(edge, batch);
  batch.AddMark(Mark::Kind::kGap, 0);
  for (const ScriptRecord& edge : RecordOf(5, {13, 11})) harness.Append(edge, batch);
  for (const ScriptRecord& edge : RecordOf(6, {14})) harness.Append(edge, batch);
  harness.engine().Process(batch);
  harness.End();
  std::vector<bool> gaps;
  for (const AdvancePtr& advance : harness.advances) gaps.push_back(advance->provenance.gap);
  EXPECT_EQ(gaps, (std::vector<bool>{true, true, false}));
}

TEST(SeveralEdgesTest, ACopyKeepsARecordTogetherAndItsPayloadOnce) {
  EventBatch from;
  const TextRef payload = from.Store(std::string(1000, 'p'));
  for (std::uint32_t i = 0; i < 10; ++i) {
    from.Add({.offset = 3,
              .source = KeyRef::Integer(i),
              .target = KeyRef::Integer(i),
              .payload = payload,
              .further = i > 0});
  }
  from.AddOrigins(10, EventTime(), "key", true);
  EventBatch to;
  for (std::size_t i = 0; i < 10; ++i) to.AddCopy(from, i, KeyKind::kInteger);
  EXPECT_EQ(to.RecordEnd(0), 10u);
  EXPECT_LT(to.text_bytes(), 1010u);
  EXPECT_EQ(to.Text(to.events()[9].payload), std::string(1000, 'p'));
  EXPECT_EQ(to.Text(to.OriginOf(to.events()[9])->key), "key");
  // Without the first edge, the next one begins the record.
  EventBatch part;
  part.AddCopy(from, 4, KeyKind::kInteger);
  part.AddCopy(from, 5, KeyKind::kInteger);
  EXPECT_FALSE(part.events()[0].further);
  EXPECT_TRUE(part.events()[1].further);
  EXPECT_EQ(part.Text(part.events()[0].payload).size(), 1000u);
}

}  // namespace
}  // namespace sash
