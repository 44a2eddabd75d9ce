// Clock: where the engine reads the time, so that tests own it.
//
// Thread safety: every implementation may be read from any thread.
#pragma once

#include <chrono>

namespace sash {

// A point of event time or of the wall clock, UTC, in nanoseconds: years 1678 to 2261.
using EventTime = std::chrono::sys_time<std::chrono::nanoseconds>;
using Duration = std::chrono::nanoseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual EventTime Now() const = 0;      // wall clock; may jump
  virtual SteadyTime Steady() const = 0;  // for idleness and durations; never goes back
};

class SystemClock final : public Clock {
 public:
  EventTime Now() const override { return std::chrono::system_clock::now(); }
  SteadyTime Steady() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace sash
