// PhaseClock: measures PhaseTimes, by one look at the clock for each phase that begins.
//
// Thread safety: belongs to one thread. Where several work, a phase is what the time is of the one
// that waits for them.
#pragma once

#include <utility>

#include "windows/base/clock.h"
#include "windows/base/phase_times.h"

namespace sash {

template <typename Phase>
class PhaseClock {
 public:
  // In phase `first` from now on. `clock` outlives it.
  PhaseClock(const Clock& clock, Phase first)
      : clock_(clock), phase_(first), begun_(clock.Steady()) {}

  // The phase so far ends, and `phase` begins, or goes on if it was before.
  void Begin(Phase phase) {
    const SteadyTime now = clock_.Steady();
    times_[phase_] += now - std::exchange(begun_, now);
    phase_ = phase;
  }

  // All phases, the one that is under way up to now.
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
