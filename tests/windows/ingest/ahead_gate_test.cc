#include "windows/ingest/ahead_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sash {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// Now() is the true time; the clock of the machine may show another time.
const EventTime kStart = EventTime(hours(24 * 365 * 50));

// A stream that is read in rounds, and the records that the gate passes.
class Gated {
 public:
  explicit Gated(std::size_t partitions = 1, Duration limit = minutes(1))
      : gate_({.ahead_limit = limit, .check_ahead = true}, KeyKind::kString),
        offsets_(partitions),
        live_(partitions, true),
        passed(partitions) {}

  void ClockIsWrongBy(Duration by) { wrong_ = by; }
  void SetLive(PartitionIndex partition, bool live) { live_[partition] = live; }
  void Await(PartitionIndex partition, std::int64_t until) { awaited_ = {partition, until}; }

  // Adds a record to the next round. Its time is the true time plus `after`.
  void Say(Duration after = {}, PartitionIndex partition = 0) { SayRecord({after}, partition); }
  // The same with several events.
  void SayRecord(const std::vector<Duration>& after, PartitionIndex partition = 0) {
    EventBatch& batch = batches_.front();
    const std::string key = std::to_string(offsets_[partition]);
    const TextRef payload = batch.Store(key);
    for (std::size_t i = 0; i < after.size(); ++i) {
      batch.Add({.time = Now() + after[i],
                 .offset = offsets_[partition],
                 .source = KeyRef::Text(batch.Store(key)),
                 .target = KeyRef::Text(batch.Store(key)),
                 .payload = payload,
                 .partition = partition,
                 .further = i > 0});
    }
    batch.AddOrigins(after.size(), Now(), key, true);
    ++offsets_[partition];
  }
  void Refused(PartitionIndex partition = 0) {
    batches_.front().AddMark(Mark::Kind::kRefused, partition, offsets_[partition]++);
  }
  void Leave(PartitionIndex partition) {
    batches_.front().AddMark(Mark::Kind::kLeaves, partition);
    left_.insert(partition);
  }
  // Adds an anchor, by which the partition is recognised.
  void NoteAnchor(PartitionIndex partition, std::int64_t offset) {
    batches_.front().NoteAnchor(partition, {.offset = offset});
  }

  // Does a round. Returns the offsets of partition 0 that passed in it.
  std::vector<std::int64_t> Round(Duration later = milliseconds(20), bool in_need = false) {
    elapsed_ += later;
    const std::size_t before = passed[0].size();
    for (PartitionIndex p = 0; p < offsets_.size(); ++p) {
      if (left_.contains(p)) continue;
      gate_.Know(p, {.live = live_[p],
                     .at_end = live_[p],
                     .awaited_until = p == awaited_.first ? awaited_.second : 0});
    }
    gate_.Begin(Now() + wrong_, SteadyTime(elapsed_), in_need);
    const bool any_ahead = std::ranges::any_of(
        batches_[0].events(), [&](const EdgeEvent& event) { return gate_.IsAhead(event.time); });
    gate_.Pass(batches_, any_ahead);
    for (const EventBatch& batch : batches_) Note(batch);
    batches_ = {};
    return {passed[0].begin() + static_cast<std::ptrdiff_t>(before), passed[0].end()};
  }
  std::vector<std::int64_t> RoundOf(std::size_t records) {
    for (std::size_t i = 0; i < records; ++i) Say();
    return Round();
  }

  EventTime Now() const { return kStart + elapsed_; }
  const AheadGate& gate() const { return gate_; }

 private:
  void Note(const EventBatch& batch) {
    for (const PartitionAnchor& known : batch.anchors) anchors.push_back(known.anchor.offset);
    auto mark = batch.marks().begin();
    for (std::size_t i = 0; i <= batch.events().size(); ++i) {
      for (; mark != batch.marks().end() && mark->before_event == i; ++mark) {
        if (mark->kind == Mark::Kind::kRefused) passed[mark->partition].push_back(mark->offset);
        if (mark->kind == Mark::Kind::kBehind) ++behind;
        if (mark->kind == Mark::Kind::kLeaves) left.push_back(mark->partition);
      }
      if (i == batch.events().size()) break;
      const EdgeEvent& event = batch.events()[i];
      passed[event.partition].push_back(event.offset);
      if (gate_.IsAhead(event.time)) refused.push_back(event.offset);
      EXPECT_EQ(batch.Text(event.source.text()), std::to_string(event.offset));
      EXPECT_EQ(batch.Text(batch.OriginOf(event)->key), std::to_string(event.offset));
    }
  }

  AheadGate gate_;
  std::vector<std::int64_t> offsets_;
  std::vector<bool> live_;
  std::set<PartitionIndex> left_;
  std::pair<PartitionIndex, std::int64_t> awaited_{};
  Duration wrong_{};
  Duration elapsed_ = seconds(1);
  std::array<EventBatch, 1> batches_;

 public:
  std::vector<std::vector<std::int64_t>> passed;
  std::vector<std::int64_t> refused;  // passed, but the engine will refuse them by the same clock
  int behind = 0;
  std::vector<PartitionIndex> left;
  std::vector<std::int64_t> anchors;
};

std::vector<std::int64_t> Offsets(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> offsets;
  for (; from < to; ++from) offsets.push_back(from);
  return offsets;
}

TEST(AheadGateTest, WithTheClockTwoHoursBehindNothingIsRefusedAndAllGoesOnWhenItIsRight) {
  Gated stream(3);
  stream.ClockIsWrongBy(-hours(2));
  for (int i = 0; i < 3000; ++i) {
    stream.Say({}, static_cast<PartitionIndex>(i % 3));
    if (i % 10 == 0) stream.Round();
  }
  for (int i = 0; i < 500; ++i) stream.Round(seconds(1));
  for (PartitionIndex p = 0; p < 3; ++p) {
    EXPECT_TRUE(stream.passed[p].empty());
    EXPECT_TRUE(stream.gate().IsFull(p));
    EXPECT_EQ(stream.gate().HeadOf(p)->offset, 0);
  }
  EXPECT_EQ(stream.behind, 3) << "the engine must not take a partition that waits for an idle one";
  stream.ClockIsWrongBy({});
  stream.Round();
  for (PartitionIndex p = 0; p < 3; ++p) EXPECT_EQ(stream.passed[p], Offsets(0, 1000));
  EXPECT_TRUE(stream.refused.empty());
  EXPECT_FALSE(stream.gate().holding());
}

TEST(AheadGateTest, ARecordAheadIsRefusedByTheNextOneThatIsNot) {
  Gated stream;
  stream.RoundOf(1);
  stream.Say(minutes(50));
  EXPECT_TRUE(stream.Round().empty());
  EXPECT_EQ(stream.gate().HeadOf(0)->offset, 1);
  EXPECT_EQ(stream.RoundOf(1), Offsets(1, 3)) << "records pass in the order of their offsets";
  EXPECT_EQ(stream.refused, Offsets(1, 2));
}

TEST(AheadGateTest, AClockThatIsSetBackWhileTheStreamRunsRefusesNothing) {
  Gated stream;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(stream.RoundOf(50).size(), 50u);
  stream.ClockIsWrongBy(-hours(2));
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(stream.RoundOf(1).empty());
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(stream.Round(seconds(1)).empty());
  stream.ClockIsWrongBy({});
  EXPECT_EQ(stream.Round().size(), 200u);
  EXPECT_TRUE(stream.refused.empty());
}

// Without that, a third of the newest 1,000 would be in time and early enough to decide.
TEST(AheadGateTest, RecordsFromBeforeTheClockWasSetBackDoNotDecide) {
  Gated stream;
  for (int i = 0; i < 100; ++i) {
    for (int record = 0; record < 10; ++record) stream.Say();
    EXPECT_EQ(stream.Round(seconds(1)).size(), 10u);
  }
  stream.ClockIsWrongBy(-hours(2));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(stream.RoundOf(1).empty());
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(stream.Round(seconds(1)).empty());
  stream.ClockIsWrongBy({});
  EXPECT_EQ(stream.Round().size(), 20u);
  EXPECT_TRUE(stream.refused.empty());
}

// The clock is a second too far behind, and reaches an event while earlier records are in time.
TEST(AheadGateTest, ARecordNearlyAsFarAheadDoesNotDecide) {
  Gated stream;
  stream.ClockIsWrongBy(-seconds(61));
  EXPECT_TRUE(stream.RoundOf(1).empty());
  for (int i = 0; i < 5; ++i) {
    stream.Say(-milliseconds(1100));
    EXPECT_TRUE(stream.Round(milliseconds(100)).empty());
  }
  EXPECT_EQ(stream.Round(seconds(2)).size(), 6u);
  EXPECT_TRUE(stream.refused.empty());
}

// A backlog whose times are partly before and partly after the time that the wrong clock shows.
TEST(AheadGateTest, ABacklogThatCrossesTheWrongClockIsNotRefusedWhereItDoes) {
  Gated stream(2);
  stream.ClockIsWrongBy(-hours(2));
  stream.SetLive(0, false);
  stream.SetLive(1, false);
  constexpr int kRecords = 20'000;  // spread over four hours
  for (int i = 0; i < kRecords; ++i) {
    // Disorder of up to 2 s; one record in a hundred is late by three minutes.
    const seconds before(14'400 - 14'400 * i / kRecords + i * 7 % 2 + (i % 100 == 0 ? 180 : 0));
    stream.Say(-before, 0);
    if (i % 2 == 0) stream.Say(-before - seconds(30), 1);
    if (i % 500 != 0) continue;
    stream.Round();
    if (stream.gate().IsFull(0)) break;  // the source would stop reading here
  }
  EXPECT_TRUE(stream.gate().IsFull(0));
  for (int i = 0; i < 20; ++i) stream.Round(seconds(1));
  EXPECT_TRUE(stream.refused.empty());
  EXPECT_GT(stream.passed[0].size(), 9'000u);
}

TEST(AheadGateTest, OneOfABacklogIsRefusedByThoseBehindItInItsPartition) {
  Gated stream;
  stream.SetLive(0, false);
  stream.Say(-hours(3));
  stream.Say(hours(3));
  for (int i = 0; i < 100; ++i) stream.Say(-hours(2));
  EXPECT_EQ(stream.Round(), Offsets(0, 1)) << "100 of 1,000 records could be late";
  stream.Say(-hours(2));
  EXPECT_EQ(stream.Round(), Offsets(1, 103));
  EXPECT_EQ(stream.refused, Offsets(1, 2));
}

TEST(AheadGateTest, TheEndOfABacklogDecidesWithFewer) {
  Gated stream;
  stream.SetLive(0, false);
  stream.Say(hours(3));
  for (int i = 0; i < 5; ++i) stream.Say(-hours(2));
  EXPECT_TRUE(stream.Round().empty());
  stream.SetLive(0, true);
  EXPECT_EQ(stream.Round(), Offsets(0, 6));
  EXPECT_EQ(stream.refused, Offsets(0, 1));
}

// A producer with a wrong clock writes to its own partition; the other partitions show that it is
// wrong.
TEST(AheadGateTest, APartitionOfWhichAllIsAheadIsRefusedByTheOthers) {
  Gated stream(4);
  for (int round = 0; round < 50; ++round) {
    for (PartitionIndex p = 0; p < 4; ++p) stream.Say(p == 0 ? hours(1) : seconds(0), p);
    stream.Round();
  }
  stream.Say({}, 1);
  stream.Round();
  EXPECT_EQ(stream.passed[0], Offsets(0, 50));
  EXPECT_EQ(stream.refused.size(), 50u);
}

TEST(AheadGateTest, NineInTenAheadAreTheClocksFaultAndLessAreTheRecords) {
  for (const int of_ten : {8, 9}) {
    Gated stream;
    for (int i = 0; i < 500; ++i) stream.Say(i % 10 < of_ten ? hours(2) : seconds(0));
    stream.Round();
    stream.Round(seconds(1));
    EXPECT_EQ(stream.refused.empty(), of_ten == 9) << of_ten;
  }
}

TEST(AheadGateTest, WhenNothingMoreComesTheRecordsBeforeDecide) {
  Gated stream;
  stream.RoundOf(100);
  stream.Say(hours(1));
  EXPECT_TRUE(stream.Round().empty());
  EXPECT_TRUE(stream.Round(seconds(1)).empty());
  EXPECT_EQ(stream.Round(seconds(1)), Offsets(100, 101));
  EXPECT_EQ(stream.refused.size(), 1u);
}

TEST(AheadGateTest, TheFirstRecordOfAllWaitsForTheSecond) {
  Gated stream;
  stream.Say(hours(1));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(stream.Round(seconds(1)).empty());
  EXPECT_EQ(stream.RoundOf(1), Offsets(0, 2));
  EXPECT_EQ(stream.refused, Offsets(0, 1));
}

TEST(AheadGateTest, OneThatTheClockReachesIsNotRefused) {
  Gated stream;
  stream.Say(seconds(63));
  stream.Round();
  stream.Say(seconds(62));
  EXPECT_TRUE(stream.Round().empty())
      << "a record that is earlier by less than the limit decides nothing";
  EXPECT_TRUE(stream.Round(seconds(2)).empty());
  EXPECT_EQ(stream.Round(seconds(2)), Offsets(0, 2));
  EXPECT_TRUE(stream.refused.empty());
}

TEST(AheadGateTest, AStreamThatIsAlwaysAheadGoesOnAsTheClockDoes) {
  Gated stream(1, seconds(1));
  for (int i = 0; i < 500; ++i) {
    stream.Say(seconds(8));
    stream.Round();
  }
  for (int i = 0; i < 80; ++i) stream.Round(milliseconds(100));
  EXPECT_EQ(stream.passed[0], Offsets(0, 500));
  EXPECT_TRUE(stream.refused.empty()) << "earlier records were also ahead when they came";
}

TEST(AheadGateTest, WhatIsBehindItKeepsItsOrderMarksIncluded) {
  Gated stream(2);
  stream.Say(hours(1));
  stream.Refused();
  stream.Say({}, 1);
  stream.Refused(1);
  stream.Refused();
  EXPECT_EQ(stream.Round(), Offsets(0, 3)) << "partition 1 is in time";
  EXPECT_EQ(stream.passed[1], Offsets(0, 2));
  stream.Say(hours(1));
  stream.Round();
  stream.Refused();
  stream.Say(hours(2));
  stream.Say();
  EXPECT_EQ(stream.Round(), Offsets(3, 7));
  EXPECT_EQ(stream.refused, (std::vector<std::int64_t>{0, 3, 5}));
}

TEST(AheadGateTest, ARecordWithOneEdgeAheadWaitsWholeAndGoesOnWhole) {
  Gated stream;
  stream.RoundOf(10);
  stream.SayRecord({hours(-1), hours(2), seconds(0)});
  stream.Say();
  EXPECT_EQ(stream.Round(), (std::vector<std::int64_t>{10, 10, 10, 11}));
  EXPECT_EQ(stream.refused, (std::vector<std::int64_t>{10})) << "only the edge that is ahead";
}

TEST(AheadGateTest, TheEdgesOfARecordSpeakOnce) {
  Gated stream;
  stream.SayRecord(std::vector<Duration>(500, hours(2)));
  stream.SayRecord(std::vector<Duration>(500, hours(2)));
  EXPECT_TRUE(stream.Round().empty());
  stream.Say();  // one record of three is in time
  EXPECT_EQ(stream.Round().size(), 1001u);
  EXPECT_EQ(stream.refused.size(), 1000u);
}

TEST(AheadGateTest, RecordsThatARecoveryNeedsPass) {
  Gated stream;
  stream.Await(0, 2);
  for (int i = 0; i < 3; ++i) stream.Say(hours(1));
  EXPECT_EQ(stream.Round(), Offsets(0, 2));
  EXPECT_EQ(stream.gate().HeadOf(0)->offset, 2);
}

// Otherwise memory that other partitions have filled would never be freed: no window moves while
// this partition waits.
TEST(AheadGateTest, WhileMemoryIsShortOldRecordsCountToo) {
  Gated stream(2);
  stream.SetLive(1, false);
  stream.Say(hours(1));
  stream.Round();
  for (int i = 0; i < 10; ++i) stream.Say(-hours(1), 1);
  EXPECT_TRUE(stream.Round().empty());
  EXPECT_EQ(stream.Round(milliseconds(20), true), Offsets(0, 1));
}

TEST(AheadGateTest, OfAPartitionThatLeavesNothingIsHeld) {
  Gated stream(2);
  stream.Say(hours(1));
  stream.Say();
  stream.Round(milliseconds(20));
  stream.Say(hours(1), 1);
  stream.Round();
  stream.ClockIsWrongBy(-hours(2));
  for (int i = 0; i < 3; ++i) stream.Say();
  stream.Round();
  ASSERT_EQ(stream.gate().HeadOf(0)->events, 3u);
  // This record is read in the round in which the partition leaves.
  stream.Say();
  stream.Leave(0);
  stream.Round();
  EXPECT_EQ(stream.left, (std::vector<PartitionIndex>{0})) << "the engine must be told";
  EXPECT_FALSE(stream.gate().HeadOf(0));
  EXPECT_EQ(stream.gate().dropped(), 4u);
  ASSERT_TRUE(stream.gate().holding()) << "the other partition is held";
  stream.ClockIsWrongBy(hours(2));
  stream.Round();
  EXPECT_EQ(stream.passed[0], Offsets(0, 2));
  EXPECT_EQ(stream.passed[1], Offsets(0, 1));
  EXPECT_FALSE(stream.gate().holding());
}

TEST(AheadGateTest, NobodyWaitsForTheEndOfAPartitionThatHasLeft) {
  Gated stream(2);
  stream.SetLive(1, false);
  stream.RoundOf(20);
  stream.Leave(1);
  stream.Round();
  stream.Say(hours(1));
  EXPECT_TRUE(stream.Round().empty());
  EXPECT_EQ(stream.Round(AheadGate::kPatience), Offsets(20, 21));
}

TEST(AheadGateTest, WhatIsSortedKeepsItsAnchors) {
  Gated stream;
  stream.Say(hours(1));
  stream.NoteAnchor(0, 7);
  stream.Round();
  EXPECT_TRUE(stream.gate().holding());
  EXPECT_EQ(stream.anchors, (std::vector<std::int64_t>{7}));
}

TEST(AheadGateTest, TheRoomOfWhatHasGoneIsGivenBack) {
  Gated stream;
  for (int i = 0; i < 10'000; ++i) {
    stream.Say(hours(1));
    stream.Say();
    stream.Round();
  }
  EXPECT_EQ(stream.passed[0].size(), 20'000u);
  EXPECT_EQ(stream.refused.size(), 10'000u);
}

}  // namespace
}  // namespace sash
