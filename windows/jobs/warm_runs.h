// Runs that continue from the job's previous result (`warm_start`), and how they are checked: at
// intervals a full run follows a warm one and becomes the result. If the two are too far apart, the
// job stops starting warm.
//
// Thread safety: pure functions.
#pragma once

#include <utility>

#include "windows/jobs/kernel_run.h"

namespace sash {

inline bool IsTrusted(const CompletedRun* previous) {
  return previous == nullptr || !previous->warm || previous->warm->is_trusted;
}

// Returns `warm`, or full() if that is due after `check_every` warm runs (0: never). drift(a, b):
// the distance between two runs, which may be up to `most`.
template <typename Full, typename Drift>
KernelRun HeldAgainstFull(KernelRun warm, int check_every, const Full& full, const Drift& drift,
                          double most) {
  if (warm.cancelled || check_every == 0 || warm.warm->warm_runs < check_every) return warm;
  KernelRun checked = full();
  if (checked.cancelled) {  // at the deadline: the warm run is the result, and is checked later
    warm.warm->warm_runs = 0;
    return warm;
  }
  checked.drift = drift(warm, checked);
  checked.warm->is_trusted = *checked.drift <= most;
  // Only warm runs are checked: they continue from their own state.
  if (checked.warm->is_trusted) checked.warm->tracked = std::move(warm.warm->tracked);
  return checked;
}

}  // namespace sash
