// Pacer: which records are due by now when `rate` of them should leave each second of real time.
//
// Record n is due n / rate seconds after the start. A delayed writer catches up at once, so the
// pace never drifts from the clock.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>

#include "windows/base/clock.h"

namespace sash {

class Pacer {
 public:
  // rate > 0, in records a second.
  Pacer(double rate, SteadyTime start) : rate_(rate), start_(start) {}

  // The number of records that should have left by `now`.
  std::uint64_t DueBy(SteadyTime now) const;

  // When record `number` (from 0) should leave.
  SteadyTime DueAt(std::uint64_t number) const;

 private:
  double rate_;
  SteadyTime start_;
};

// Sleeps until `until`, a signal, or a tenth of a second has passed, whichever is first: a signal
// that arrived just before the sleep is noticed after that time.
void SleepBriefly(SteadyTime until);

}  // namespace sash
