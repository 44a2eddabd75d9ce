// ManualClock: time that moves only when a test says so.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <mutex>

#include "windows/base/clock.h"
#include "windows/base/thread_annotations.h"

namespace sash {

class ManualClock final : public Clock {
 public:
  explicit ManualClock(EventTime now = {}) : now_(now) {}

  EventTime Now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  SteadyTime Steady() const override {
    const std::lock_guard lock(mutex_);
    return steady_;
  }

  // Moves both clocks.
  void Advance(Duration step) {
    const std::lock_guard lock(mutex_);
    now_ += step;
    steady_ += std::chrono::duration_cast<SteadyTime::duration>(step);
  }

  // Makes the wall clock jump; the steady one does not.
  void SetNow(EventTime now) {
    const std::lock_guard lock(mutex_);
    now_ = now;
  }

 private:
  mutable std::mutex mutex_;
  EventTime now_ SASH_GUARDED_BY(mutex_);
  SteadyTime steady_ SASH_GUARDED_BY(mutex_) = SteadyTime(std::chrono::hours(1));
};

}  // namespace sash
