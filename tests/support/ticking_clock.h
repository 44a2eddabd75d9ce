// TickingClock: each read of the steady clock takes a millisecond, so every step takes time. The
// wall clock stands still.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "windows/base/clock.h"

namespace sash {

class TickingClock final : public Clock {
 public:
  static constexpr std::chrono::milliseconds kTick{1};

  EventTime Now() const override { return EventTime(); }
  SteadyTime Steady() const override { return SteadyTime(kTick * ++looks_); }

 private:
  mutable std::atomic<std::int64_t> looks_ = 0;
};

}  // namespace sash
