#include "daemon/memory/memory_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/daemon/memory/byte_units.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using testing::kMebibyte;

class ManualClock final : public Clock {
 public:
  EventTime Now() const override { return {}; }
  SteadyTime Steady() const override { return SteadyTime(Duration(steady_.load())); }
  void Advance(Duration by) { steady_ += by.count(); }

 private:
  std::atomic<Duration::rep> steady_ = 0;
};

class KeepingLog final : public EventLog {
 public:
  void Write(const LogLine& line) override {
    const MutexLock lock(mutex_);
    lines_.emplace_back(line.message);
  }
  std::vector<std::string> lines() const {
    const MutexLock lock(mutex_);
    return lines_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ SASH_GUARDED_BY(mutex_);
};

class MemoryWatchTest : public ::testing::Test {
 protected:
  // The process uses this number of the 100 MiB.
  std::chrono::milliseconds LookAt(std::uint64_t mebibytes,
                                   Duration later = std::chrono::minutes(1)) {
    clock_.Advance(later);
    used_ = mebibytes * kMebibyte;
    return watch_.Look();
  }

  ManualClock clock_;
  KeepingLog log_;
  StreamProgress progress_;
  std::atomic<std::uint64_t> used_ = 0;
  std::uint64_t free_but_kept_ = 0;
  std::atomic<int> releases_ = 0;
  MemoryWatch watch_{{.bytes = 100 * kMebibyte, .origin = "memory.limit", .warning = {}},
                     {.progress = progress_,
                      .clock = clock_,
                      .log = log_,
                      .used = [this] { return used_.load(); },
                      .release =
                          [this] {
                            ++releases_;
                            used_ -= free_but_kept_;
                            free_but_kept_ = 0;
                          }}};
};

TEST_F(MemoryWatchTest, TellsTheSourcesAndTheLogWhatItFinds) {
  LookAt(10);
  EXPECT_EQ(progress_.intake_pause, 0);
  EXPECT_THAT(log_.lines(), IsEmpty());
  LookAt(90);
  EXPECT_FALSE(progress_.intake_held);
  EXPECT_GT(progress_.intake_pause, 0);
  EXPECT_EQ(watch_.not_ready(), std::nullopt);
  LookAt(96);
  EXPECT_TRUE(progress_.intake_held);
  EXPECT_THAT(
      watch_.not_ready().value(),
      HasSubstr(
          "memory: 96.0 MiB of 100.0 MiB (memory.limit) are used or reserved, so nothing more is "
          "read; raise memory.limit, or shorten windows"));
  LookAt(96);
  LookAt(10);
  LookAt(10);
  LookAt(10);
  EXPECT_FALSE(progress_.intake_held);
  EXPECT_EQ(progress_.intake_pause, 0);
  EXPECT_EQ(watch_.not_ready(), std::nullopt);
  EXPECT_THAT(log_.lines(),
              ElementsAre(HasSubstr("slowed down"), HasSubstr("nothing more is read until"),
                          HasSubstr("at full speed")));
}

TEST_F(MemoryWatchTest, FullIsSaidAtOnceHoweverNewTheLineBeforeIs) {
  LookAt(85, milliseconds(20));
  LookAt(97, milliseconds(20));  // within 5 s of its line in the log
  EXPECT_THAT(log_.lines(),
              ElementsAre(HasSubstr("slowed down"), HasSubstr("nothing more is read")));
  // It lasts for less than 5 s.
  for (int i = 0; i < 10; ++i) LookAt(97, milliseconds(20));
  EXPECT_EQ(log_.lines().size(), 2u) << "said once";
  for (int i = 0; i < 80; ++i) LookAt(10, milliseconds(20));
  EXPECT_THAT(log_.lines().back(), HasSubstr("at full speed"));
}

TEST_F(MemoryWatchTest, ABetterStateIsSaidWhenItLasts) {
  LookAt(97, milliseconds(20));
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < 20; ++k) LookAt(85, milliseconds(20));
    LookAt(97, milliseconds(20));
  }
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("nothing more is read")))
      << "a short peak is not logged again";
  for (int k = 0; k < 80; ++k) LookAt(85, milliseconds(20));
  EXPECT_THAT(log_.lines().back(), HasSubstr("slowed down"));
}

TEST_F(MemoryWatchTest, AStateThatComesAndGoesIsSaidNowAndThen) {
  for (int i = 0; i < 100; ++i) LookAt(i % 4 < 2 ? 99 : 10, milliseconds(300));
  EXPECT_GE(log_.lines().size(), 2u);
  EXPECT_LE(log_.lines().size(), 13u) << "each state is logged at most once in 5 s";
}

TEST_F(MemoryWatchTest, WhatTheAllocatorKeepsFreeIsGivenBackFirst) {
  LookAt(50);
  EXPECT_EQ(releases_, 0);
  free_but_kept_ = 60 * kMebibyte;
  LookAt(98);
  EXPECT_EQ(releases_, 1);
  EXPECT_FALSE(progress_.intake_held);
  EXPECT_EQ(watch_.status().used_bytes, 38 * kMebibyte);
}

TEST_F(MemoryWatchTest, ReleasesAreRareWhileTheyAreOfNoUse) {
  LookAt(85);
  LookAt(85, milliseconds(20));
  LookAt(85, milliseconds(500));
  EXPECT_EQ(releases_, 1);
  LookAt(85, milliseconds(500));
  EXPECT_EQ(releases_, 2);
}

TEST_F(MemoryWatchTest, LooksMoreOftenNearTheLimit) {
  EXPECT_EQ(LookAt(10), MemoryWatch::kBetweenLooksWhenNear) << "70 MiB are read at once";
  MemoryWatch large({.bytes = 10'000 * kMebibyte, .origin = "", .warning = {}},
                    {.progress = progress_,
                     .clock = clock_,
                     .log = log_,
                     .used = [this] { return used_.load(); },
                     .release = [] {}});
  EXPECT_EQ(large.Look(), MemoryWatch::kBetweenLooks);
}

TEST_F(MemoryWatchTest, WatchesInAThreadOfItsOwnAndHoldsNothingAfterwards) {
  used_ = 99 * kMebibyte;
  watch_.Start();
  while (!watch_.not_ready()) std::this_thread::yield();
  EXPECT_TRUE(progress_.intake_held);
  watch_.Stop();
  EXPECT_FALSE(progress_.intake_held);
  EXPECT_EQ(progress_.intake_pause, 0);
}

}  // namespace
}  // namespace sash
