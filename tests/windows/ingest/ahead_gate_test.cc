// Whether a record ahead of the clock is refused: which records speak for the clock, and which
// against it.
#include "windows/ingest/ahead_gate.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/windows/ingest/gated_stream.h"

namespace sash {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::Gated;
using testing::Offsets;

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
    // Disorder of up to 1 s; one record in a hundred is late by three minutes.
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

}  // namespace
}  // namespace sash
