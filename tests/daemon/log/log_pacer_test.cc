#include "daemon/log/log_pacer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::DoubleEq;

constexpr LogEvent kLost{"test.lost", LogSeverity::kWarning};
constexpr LogEvent kBack{"test.back", LogSeverity::kInfo};
constexpr LogEvent kChanged{"test.changed", LogSeverity::kInfo, LogPace::kAlways};
constexpr LogRate kRate{.burst = 3, .every = seconds(5)};

class LogPacerTest : public ::testing::Test {
 protected:
  // The number of these lines that pass.
  int Passed(const LogEvent& event, int lines) {
    int passed = 0;
    for (int i = 1; i <= lines; ++i) {
      const std::string message = "line " + std::to_string(++said_);
      passed += pacer_.Pass({event, message}) ? 1 : 0;
    }
    return passed;
  }
  std::optional<HeldLines> Pass(const LogEvent& event) { return pacer_.Pass({event, "another"}); }

  std::uint64_t HeldBack(const LogEvent& event) const {
    for (const LogCounts& counts : pacer_.counts()) {
      if (counts.event == event.id) return counts.held_back;
    }
    return 0;
  }

  ManualClock clock_;
  LogPacer pacer_{kRate, clock_};
  int said_ = 0;
};

TEST_F(LogPacerTest, ABurstPassesAndThenOneInATime) {
  EXPECT_EQ(Passed(kLost, 10), 3);
  clock_.Advance(milliseconds(4999));
  EXPECT_EQ(Passed(kLost, 1), 0);
  clock_.Advance(milliseconds(2));
  EXPECT_EQ(Passed(kLost, 10), 1);
  clock_.Advance(seconds(10));
  EXPECT_EQ(Passed(kLost, 10), 2);
  clock_.Advance(seconds(1000));
  EXPECT_EQ(Passed(kLost, 10), 3) << "no more lines than the burst";
}

TEST_F(LogPacerTest, KindsDoNotTouchEachOther) {
  EXPECT_EQ(Passed(kLost, 10), 3);
  EXPECT_EQ(Passed(kBack, 10), 3);
}

TEST_F(LogPacerTest, WhatNobodyMayMissAlwaysPasses) {
  EXPECT_EQ(Passed(kChanged, 1000), 1000);
  EXPECT_EQ(HeldBack(kChanged), 0u);
}

TEST_F(LogPacerTest, TheNextOfItsKindTellsHowManyWereHeldBack) {
  EXPECT_EQ(Passed(kLost, 4), 3);
  clock_.Advance(seconds(2));
  EXPECT_EQ(Passed(kLost, 6), 0);
  clock_.Advance(seconds(4));
  const std::optional<HeldLines> held = Pass(kLost);
  ASSERT_TRUE(held.has_value());
  EXPECT_EQ(held->lines, 7u);
  EXPECT_THAT(held->span.count(), DoubleEq(6));
  EXPECT_THAT(held->last_ago.count(), DoubleEq(4));
  clock_.Advance(seconds(5));
  EXPECT_EQ(Pass(kLost)->lines, 0u) << "reported once";
  EXPECT_EQ(HeldBack(kLost), 7u);
}

TEST_F(LogPacerTest, WithoutANextOneTheyAreToldWhenOneMayPassAgain) {
  EXPECT_EQ(Passed(kLost, 5), 3);
  clock_.Advance(seconds(4));
  EXPECT_TRUE(pacer_.TakeDue().empty());
  clock_.Advance(seconds(2));
  const std::vector<LogPacer::Summary> summaries = pacer_.TakeDue();
  ASSERT_EQ(summaries.size(), 1u);
  EXPECT_EQ(summaries[0].event, kLost);
  EXPECT_EQ(summaries[0].held.lines, 2u);
  EXPECT_THAT(summaries[0].held.last_ago.count(), DoubleEq(6));
  EXPECT_EQ(summaries[0].last, "line 5");
  EXPECT_TRUE(pacer_.TakeDue().empty());
  EXPECT_EQ(Passed(kLost, 1), 0) << "the summary counts as a line";
}

TEST_F(LogPacerTest, AtTheEndAllAreToldInTheOrderInWhichTheyEnded) {
  EXPECT_EQ(Passed(kLost, 5), 3);
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(Passed(kBack, 4), 3);
  const std::vector<LogPacer::Summary> summaries = pacer_.TakeAll();
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].event, kLost);
  EXPECT_EQ(summaries[1].event, kBack);
  EXPECT_TRUE(pacer_.TakeAll().empty());
}

TEST_F(LogPacerTest, AnotherRateHoldsFromNowOn) {
  EXPECT_EQ(Passed(kLost, 4), 3);
  pacer_.SetRate({.burst = 100, .every = milliseconds(10)});
  clock_.Advance(seconds(1));
  EXPECT_EQ(Passed(kLost, 200), 100);
}

TEST_F(LogPacerTest, TheLongestAndTheShortestTimesAreSafe) {
  pacer_.SetRate({.burst = LogRate::kMostBurst, .every = std::chrono::days(7300)});
  EXPECT_EQ(Passed(kLost, 10), 10);
  pacer_.SetRate({.burst = 1, .every = Duration(1)});
  clock_.Advance(std::chrono::days(7300));
  EXPECT_EQ(Passed(kBack, 2), 1);
}

TEST_F(LogPacerTest, ManyThreadsLoseNoLine) {
  constexpr int kThreads = 4;
  constexpr int kLines = 2000;
  std::atomic<std::uint64_t> passed = 0;
  std::atomic<std::uint64_t> reported = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int line = 0; line < kLines; ++line) {
          clock_.Advance(milliseconds(line % 7));
          if (const std::optional<HeldLines> held = pacer_.Pass({kLost, "lost"})) {
            ++passed;
            reported += held->lines;
          }
          for (const LogPacer::Summary& due : pacer_.TakeDue()) reported += due.held.lines;
        }
      });
    }
  }
  for (const LogPacer::Summary& due : pacer_.TakeAll()) reported += due.held.lines;
  EXPECT_EQ(passed + reported, std::uint64_t{kThreads} * kLines);
  EXPECT_EQ(reported, HeldBack(kLost));
  EXPECT_GT(reported, 0u);
}

}  // namespace
}  // namespace sash
