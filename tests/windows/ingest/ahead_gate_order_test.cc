// What an AheadGate holds while a record waits: its order, its partitions, its memory.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "tests/windows/ingest/gated_stream.h"
#include "windows/ingest/ahead_gate.h"

namespace sash {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Gated;
using testing::Offsets;

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

TEST(AheadGateTest, ABatchWhoseEventsAreHeldKeepsItsAnchors) {
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
