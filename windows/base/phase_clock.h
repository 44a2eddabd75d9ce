// PhaseClock: measures PhaseTimes. It reads the clock once for each phase that begins.
//
// Thread safety: belongs to one thread. Where several threads work, it measures the thread that
// waits for the others.
#pragma once

#include <utility>

#include "windows/base/clock.h"
#include "windows/base/phase_times.h"

namespace sash {

template <typename Phase>
class PhaseClock {
 public:
  // Phase `first` begins now. `clock` outlives the PhaseClock.
  PhaseClock(const Clock& clock, Phase first)
      : clock_(clock), phase_(first), begun_(clock.Steady()) {}

  // The current phase ends and `phase` begins; or the current phase continues if it is `phase`.
  void Begin(Phase phase) {
    const SteadyTime now = clock_.Steady();
    times_[phase_] += now - std::exchange(begun_, now);
    phase_ = phase;
  }

  // All phases; the current one until now.
  const PhaseTimes<Phase>& Read() {
    Begin(phase_);
    return times_;
  }

 private:
  const Clock& clock_;
  Phase phase_;
  SteadyTime begun_;
  PhaseTimes<Phase> times_;
};

}  // namespace sash
