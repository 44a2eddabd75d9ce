#include "windows/slide/progress_board.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::EngineHarness;
using testing::kSecond;
using testing::ScriptRecord;

WindowSpec WatchedWindow(std::string name, WindowAxis by, std::int64_t length, std::int64_t slide) {
  WindowSpec spec;
  spec.name = std::move(name);
  spec.by = by;
  spec.length = length;
  spec.slide = slide;
  return spec;
}

WindowSpec ByTime(std::string name, std::int64_t length, std::int64_t slide) {
  return WatchedWindow(std::move(name), WindowAxis::kEventTime, length * kSecond, slide * kSecond);
}

TimePolicy Policy() {
  TimePolicy policy;
  policy.disorder = seconds(0);
  policy.check_ahead = false;
  return policy;
}

ScriptRecord At(std::int64_t second, std::int64_t offset, std::uint32_t partition = 0) {
  return {
      .partition = partition, .offset = offset, .time = second * kSecond, .source = 1, .target = 2};
}

std::optional<Position> NextWatchedEnd(EngineHarness& harness, const std::string& window) {
  const StreamStanding standing = harness.engine().progress_board().Read();
  const WindowStanding* const found = standing.Find(window);
  EXPECT_NE(found, nullptr) << window;
  return found == nullptr ? std::nullopt : found->next_end;
}

TEST(ProgressBoardTest, EveryPartitionHasItsOwnNewestEventAndSilence) {
  EngineHarness harness({ByTime("w", 10, 10)}, Policy(), 3);
  EXPECT_TRUE(harness.engine().progress_board().Read().partitions.empty());
  harness.Start();
  harness.clock.Advance(seconds(4));
  harness.Feed({At(7, 0), At(5, 1), At(3, 0, 1)});
  const std::vector<PartitionStanding> partitions =
      harness.engine().progress_board().Read().partitions;
  ASSERT_EQ(partitions.size(), 3u);
  EXPECT_EQ(partitions[0].newest, EventTime(seconds(7)));
  EXPECT_EQ(partitions[1].newest, EventTime(seconds(3)));
  EXPECT_EQ(partitions[2], (PartitionStanding{.assigned = true, .silent = seconds(4)}));
  EXPECT_EQ(partitions[0].silent, Duration(0));
}

TEST(ProgressBoardTest, LateAndRefusedRecordsCountSinceTheNewestEventThatWasInTime) {
  TimePolicy policy = Policy();
  policy.check_ahead = true;
  policy.ahead_limit = seconds(100);
  EngineHarness harness({ByTime("w", 10, 10)}, policy);
  harness.Start();
  ScriptRecord refused = At(0, 4);
  refused.refused = true;
  harness.Feed({At(1, 0), At(25, 1), At(3, 2), At(4, 3), refused, At(500, 5)});
  PartitionStanding partition = harness.engine().progress_board().Read().partitions[0];
  EXPECT_EQ(partition.late, 2u);
  EXPECT_EQ(partition.refused, 2u)
      << "the record that is not an event, and the event beyond ahead_limit";
  EXPECT_EQ(partition.newest, EventTime(seconds(25)));
  harness.Feed({At(24, 6)});
  partition = harness.engine().progress_board().Read().partitions[0];
  EXPECT_EQ(partition.late + partition.refused, 0u) << "in time, although out of order";
}

TEST(LatenessTest, IsHeldAgainstTheWatermarkWhereAPartitionHasPassedLess) {
  TimePolicy policy = Policy();
  policy.disorder = seconds(2);
  EngineHarness harness({ByTime("w", 10, 10)}, policy, 2);
  harness.Start();
  EventBatch silent;
  silent.AddMark(Mark::Kind::kCaughtUp, 1);
  harness.engine().Process(silent);
  harness.clock.Advance(policy.idle_after);
  harness.Feed({At(100, 0)});  // the watermark is 98
  harness.Feed({At(68, 0, 1), At(95, 1, 0)});
  EXPECT_EQ(harness.stats.late, 1u) << "the slice of 95 is open";
  EXPECT_EQ(harness.stats.lateness.seconds, 30);
  EXPECT_EQ(harness.stats.lateness.buckets[4], 1u) << "10 s to 30 s";
}

TEST(ProgressBoardTest, TheNextEndIsThatOfTheFirstOpenSliceUntilTheWindowKnows) {
  EngineHarness harness({ByTime("short", 5, 5), ByTime("long", 40, 20),
                         WatchedWindow("count", WindowAxis::kEvents, 4, 4)},
                        Policy());
  harness.Start();
  EXPECT_EQ(NextWatchedEnd(harness, "short"), std::nullopt);
  EXPECT_EQ(NextWatchedEnd(harness, "count"), 4)
      << "ends by events are known before the first event";
  harness.Feed({At(7, 0)});
  EXPECT_EQ(NextWatchedEnd(harness, "short"), 10 * kSecond);
  EXPECT_EQ(NextWatchedEnd(harness, "long"), 20 * kSecond);
  harness.Feed({At(11, 1), At(12, 2), At(13, 3), At(14, 4)});
  EXPECT_EQ(NextWatchedEnd(harness, "short"), 15 * kSecond);
  EXPECT_EQ(NextWatchedEnd(harness, "long"), 20 * kSecond);
  EXPECT_EQ(NextWatchedEnd(harness, "count"), 8);
  EXPECT_EQ(harness.engine().progress_board().Read().accepted, 5u);
}

TEST(ProgressBoardTest, WhatWasPublishedBeforeARestartIsNoNextResult) {
  EngineHarness harness({ByTime("w", 10, 10)}, Policy());
  RewindPoint resumed;
  resumed.published["w"] = 30 * kSecond;
  harness.Start(resumed);
  harness.Feed({At(1, 0)});
  const StreamStanding standing = harness.engine().progress_board().Read();
  EXPECT_EQ(standing.windows[0].next_end, 40 * kSecond);
  EXPECT_EQ(standing.windows[0].rebuilt_until, 30 * kSecond);
  harness.Feed({At(31, 1)});
  EXPECT_EQ(harness.advances.size(), 0u);
  EXPECT_EQ(NextWatchedEnd(harness, "w"), 40 * kSecond);
}

TEST(ProgressBoardTest, WindowsThatComeAndGoAreThereFromTheSameRoundOn) {
  EngineHarness harness({ByTime("w", 10, 10)}, Policy());
  harness.Start();
  harness.Feed({At(1, 0)});
  ASSERT_TRUE(harness.AddWindow(ByTime("more", 20, 20)));
  EXPECT_EQ(NextWatchedEnd(harness, "more"), 20 * kSecond);
  ASSERT_TRUE(harness.RemoveWindow("w"));
  EXPECT_EQ(harness.engine().progress_board().Read().Find("w"), nullptr);
}

TEST(ProgressBoardTest, BeforeJobsMayHoldTheEngineTheBoardKnowsTheAdvance) {
  EngineHarness harness({ByTime("w", 10, 10)}, Policy());
  std::vector<std::optional<Position>> ends;
  harness.on_advance = [&](const AdvancePtr&) { ends.push_back(NextWatchedEnd(harness, "w")); };
  harness.Start();
  harness.Feed({At(1, 0), At(11, 1), At(35, 2)});
  ASSERT_EQ(ends.size(), 3u);
  EXPECT_EQ(ends[0], 20 * kSecond);
  EXPECT_EQ(ends[1], 30 * kSecond);
}

TEST(ProgressBoardTest, ReadersInOtherThreadsSeeOneMomentOfTheEngine) {
  EngineHarness harness({ByTime("w", 10, 10)}, Policy(), 2);
  harness.Start();
  std::atomic<bool> done = false;
  std::atomic<int> reads = 0;
  std::thread reader([&] {
    std::optional<EventTime> watermark;
    while (!done) {
      const StreamStanding standing = harness.engine().progress_board().Read();
      ++reads;
      ASSERT_EQ(standing.partitions.size(), 2u);
      EXPECT_GE(standing.watermark, watermark) << "it never falls";
      watermark = standing.watermark;
      // Both partitions get the same event time before each look at the watermark.
      EXPECT_EQ(standing.partitions[0].newest, standing.partitions[1].newest);
      EXPECT_EQ(standing.partitions[0].newest, standing.watermark);
      if (standing.watermark) {
        ASSERT_EQ(standing.windows.size(), 1u);
        EXPECT_GT(standing.windows[0].next_end, standing.watermark->time_since_epoch().count());
      }
    }
  });
  std::int64_t fed = 0;
  for (; fed < 500 || reads < 500; ++fed) harness.Feed({At(fed, fed, 0), At(fed, fed, 1)});
  done = true;
  reader.join();
  EXPECT_EQ(harness.engine().progress_board().Read().watermark, EventTime(seconds(fed - 1)));
}

}  // namespace
}  // namespace sash
