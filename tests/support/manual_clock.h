// ManualClock: time that moves only when a test says so.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include "windows/base/clock.h"
#include "windows/base/mutex.h"

namespace sash {

class ManualClock final : public Clock {
 public:
  explicit ManualClock(EventTime now = {}) : now_(now) {}

  EventTime Now() const override {
    const MutexLock lock(mutex_);
    return now_;
  }
  SteadyTime Steady() const override {
    const MutexLock lock(mutex_);
    return steady_;
  }

  // Moves both clocks.
  void Advance(Duration step) {
    const MutexLock lock(mutex_);
    now_ += step;
    steady_ += std::chrono::duration_cast<SteadyTime::duration>(step);
  }

  // Makes the wall clock jump; the steady one does not.
  void SetNow(EventTime now) {
    const MutexLock lock(mutex_);
    now_ = now;
  }

 private:
  mutable Mutex mutex_;
  EventTime now_ SASH_GUARDED_BY(mutex_);
  SteadyTime steady_ SASH_GUARDED_BY(mutex_) = SteadyTime(std::chrono::hours(1));
};

}  // namespace sash
