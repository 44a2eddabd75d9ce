#include "connectors/kafka/start_offsets.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

constexpr LogBounds kLog{.low = 10, .high = 50};
constexpr LogBounds kWhole{.low = 0, .high = 50};

TEST(StartOffsetsTest, CommitWithinTheLogGoesOnWithoutAGap) {
  for (const std::int64_t offset : {10, 30, 50}) {
    const StartDecision start = DecideStart(StartCommitted{}, offset, kLog);
    EXPECT_EQ(start.offset, offset);
    EXPECT_FALSE(start.gap);
    EXPECT_TRUE(start.resumed);
    EXPECT_TRUE(start.remark.empty());
  }
}

TEST(StartOffsetsTest, CommitBelowTheLogLosesTheRangeBetween) {
  const StartDecision start = DecideStart(StartCommitted{}, 3, kLog);
  EXPECT_EQ(start.offset, 10);
  EXPECT_EQ(start.lost, 7);
  EXPECT_TRUE(start.gap);
  EXPECT_TRUE(start.resumed);
  EXPECT_NE(start.remark.find("7 records (3 to 9) are lost"), std::string::npos) << start.remark;
}

TEST(StartOffsetsTest, CommitBeyondTheEndStartsAtTheBeginning) {
  const StartDecision start = DecideStart(StartCommitted{}, 51, kWhole);
  EXPECT_EQ(start.offset, 0);
  EXPECT_TRUE(start.gap);
  EXPECT_FALSE(start.resumed);
  EXPECT_NE(start.remark.find("recreated"), std::string::npos) << start.remark;
}

TEST(StartOffsetsTest, NoCommitStartsAtTheBeginning) {
  EXPECT_EQ(DecideStart(StartCommitted{}, std::nullopt, kLog).offset, 10);
  EXPECT_TRUE(DecideStart(StartCommitted{}, std::nullopt, kLog).gap);
  EXPECT_FALSE(DecideStart(StartCommitted{}, std::nullopt, kWhole).gap);
}

TEST(StartOffsetsTest, EarliestLeavesAGapOnlyWhenRetentionTookRecords) {
  EXPECT_FALSE(DecideStart(StartEarliest{}, std::nullopt, kWhole).gap);
  EXPECT_TRUE(DecideStart(StartEarliest{}, std::nullopt, kLog).gap);
  EXPECT_EQ(DecideStart(StartEarliest{}, std::nullopt, kLog).lost, 0);
}

TEST(StartOffsetsTest, LatestLeavesAGapUnlessTheLogWasAlwaysEmpty) {
  EXPECT_EQ(DecideStart(StartLatest{}, std::nullopt, kWhole).offset, 50);
  EXPECT_TRUE(DecideStart(StartLatest{}, std::nullopt, kWhole).gap);
  EXPECT_FALSE(DecideStart(StartLatest{}, std::nullopt, {.low = 0, .high = 0}).gap);
}

TEST(StartOffsetsTest, TimestampWithoutRecordStartsAtTheEnd) {
  EXPECT_EQ(DecideStart(StartTimestamp{}, 20, kLog).offset, 20);
  EXPECT_TRUE(DecideStart(StartTimestamp{}, 20, kLog).gap);
  EXPECT_FALSE(DecideStart(StartTimestamp{}, 0, kWhole).gap);
  EXPECT_EQ(DecideStart(StartTimestamp{}, std::nullopt, kLog).offset, 50);
}

TEST(StartOffsetsTest, ExplicitOffsetOutsideTheLogMovesToItsNearerBound) {
  EXPECT_EQ(DecideStart(StartExplicit{}, 20, kLog).offset, 20);
  EXPECT_TRUE(DecideStart(StartExplicit{}, 20, kLog).gap);
  EXPECT_EQ(DecideStart(StartExplicit{}, 3, kLog).offset, 10);
  EXPECT_EQ(DecideStart(StartExplicit{}, 3, kLog).lost, 7);
  EXPECT_EQ(DecideStart(StartExplicit{}, 60, kLog).offset, 50);
  EXPECT_FALSE(DecideStart(StartExplicit{}, 60, kLog).remark.empty());
  EXPECT_EQ(DecideStart(StartExplicit{}, std::nullopt, kLog).offset, 10);
  EXPECT_FALSE(DecideStart(StartExplicit{}, 0, kWhole).gap);
}

TEST(StartOffsetsTest, ContinuationSkipsWhatRetentionTook) {
  const StartDecision decision = DecideContinuation(4, kLog);
  EXPECT_EQ(decision.offset, 10);
  EXPECT_EQ(decision.lost, 6);
  EXPECT_TRUE(decision.gap);
}

TEST(StartOffsetsTest, ContinuationMayLeaveHeadroomUpToTheEnd) {
  const StartDecision decision = DecideContinuation(4, kLog, 5);
  EXPECT_EQ(decision.offset, 15);
  EXPECT_EQ(decision.lost, 11);
  EXPECT_TRUE(decision.gap);
  EXPECT_EQ(DecideContinuation(4, kLog, 100).offset, 50);
  EXPECT_EQ(DecideContinuation(10, kLog, 100).offset, 10) << "offset 10 is still retained";
}

// A log that loses `speed` records during each question for its beginning and each fetch.
TEST(StartOffsetsTest, WhoIsOvertakenAgainAndAgainCatchesUp) {
  for (const std::int64_t speed : {1, 1'000, 1'000'000}) {
    LogBounds log{.low = 0, .high = 20 * speed};
    std::int64_t headroom = 0;
    std::int64_t position = 0;
    int questions = 0;
    do {
      log.low += speed;
      log.high += speed;
      if (questions > 0) headroom = NextHeadroom(headroom, log.low - position);
      position = DecideContinuation(position, log, headroom).offset;
      log.low += speed;
      log.high += speed;
      ASSERT_LT(++questions, 10) << speed;
    } while (position < log.low);
    EXPECT_LT(position, log.high) << speed << ": no more is skipped than must be";
  }
}

TEST(StartOffsetsTest, ContinuationBeyondTheEndGoesOnAtTheEndWithAGap) {
  const StartDecision decision = DecideContinuation(60, kWhole);
  EXPECT_EQ(decision.offset, 50);
  EXPECT_TRUE(decision.gap);
}

TEST(StartOffsetsTest, ContinuationWithinTheLogIsNoGap) {
  const StartDecision decision = DecideContinuation(30, kLog);
  EXPECT_EQ(decision.offset, 30);
  EXPECT_FALSE(decision.gap);
  EXPECT_TRUE(decision.remark.empty());
}

}  // namespace
}  // namespace sash
