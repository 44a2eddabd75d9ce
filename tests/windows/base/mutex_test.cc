#include "windows/base/mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>
#include <vector>

namespace sash {
namespace {

class Turns {
 public:
  void Take() {
    const MutexLock lock(mutex_);
    ++taken_;
    changed_.NotifyAll();
    stoppable_.NotifyAll();
  }
  int TakenAfter(int count) {
    const MutexLock lock(mutex_);
    while (taken_ < count) changed_.Wait(mutex_);
    return taken_;
  }
  bool IsTakenBefore(SteadyTime deadline) {
    const MutexLock lock(mutex_);
    while (taken_ == 0) {
      if (!changed_.WaitUntil(mutex_, deadline)) return taken_ > 0;
    }
    return true;
  }
  int TakenUntil(const std::stop_token& stop, int count) {
    const MutexLock lock(mutex_);
    while (taken_ < count && !stop.stop_requested()) stoppable_.Wait(mutex_, stop);
    return taken_;
  }
  bool IsTakenBefore(const std::stop_token& stop, SteadyTime deadline) {
    const MutexLock lock(mutex_);
    while (taken_ == 0 && stoppable_.WaitUntil(mutex_, stop, deadline)) {
      if (stop.stop_requested()) return false;
    }
    return taken_ > 0;
  }
  // Returns whether the mutex was free.
  bool TakeIfFree() {
    if (!mutex_.TryLock()) return false;
    const MutexLock lock(mutex_, AdoptLock{});
    ++taken_;
    return true;
  }
  bool IsFreeWhile(bool held) {
    const MutexLock lock(mutex_);
    if (held) return IsFreeForOthers();
    const MutexUnlock unlock(mutex_);
    return IsFreeForOthers();
  }

 private:
  bool IsFreeForOthers() {
    bool free = false;
    std::jthread([&] { free = TakeIfFree(); }).join();
    return free;
  }

  Mutex mutex_;
  CondVar changed_;
  StoppableCondVar stoppable_;
  int taken_ SASH_GUARDED_BY(mutex_) = 0;
};

TEST(MutexTest, OneThreadHoldsIt) {
  constexpr int kEach = 10'000;
  Turns turns;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int turn = 0; turn < kEach; ++turn) turns.Take();
      });
    }
  }
  EXPECT_EQ(turns.TakenAfter(4 * kEach), 4 * kEach);
}

TEST(MutexTest, AnotherThreadTriesInVainWhileItIsHeld) {
  Turns turns;
  EXPECT_FALSE(turns.IsFreeWhile(true));
  EXPECT_TRUE(turns.IsFreeWhile(false));
  EXPECT_TRUE(turns.TakeIfFree());
}

TEST(CondVarTest, ANotificationEndsAWait) {
  Turns turns;
  const std::jthread other([&] { turns.Take(); });
  EXPECT_EQ(turns.TakenAfter(1), 1);
}

TEST(CondVarTest, AWaitEndsAtItsDeadline) {
  Turns turns;
  EXPECT_FALSE(
      turns.IsTakenBefore(std::chrono::steady_clock::now() + std::chrono::milliseconds(1)));
  turns.Take();
  EXPECT_TRUE(turns.IsTakenBefore(SteadyTime::max()));
}

TEST(StoppableCondVarTest, ANotificationAStopRequestAndADeadlineEndAWait) {
  Turns turns;
  std::stop_source source;
  const std::stop_token stop = source.get_token();
  EXPECT_FALSE(
      turns.IsTakenBefore(stop, std::chrono::steady_clock::now() + std::chrono::milliseconds(1)));
  {
    const std::jthread other([&] { turns.Take(); });
    EXPECT_EQ(turns.TakenUntil(stop, 1), 1);
  }
  const std::jthread other([&] { source.request_stop(); });
  EXPECT_EQ(turns.TakenUntil(stop, 2), 1);
  EXPECT_EQ(turns.TakenUntil(stop, 2), 1);  // stopped before it waits
}

TEST(SleepForTest, EndsWhenTheTimeIsOverAndWhenStopIsRequested) {
  std::stop_source source;
  EXPECT_TRUE(SleepFor(source.get_token(), std::chrono::milliseconds(1)));
  const std::jthread other([&] { source.request_stop(); });
  EXPECT_FALSE(SleepFor(source.get_token(), std::chrono::hours(1)));
  EXPECT_FALSE(SleepFor(source.get_token(), std::chrono::hours(1)));
}

}  // namespace
}  // namespace sash
