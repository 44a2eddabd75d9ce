// Runs that go on from what the job's run before has found, as `warm_start` says, and how they are
// held to account: at intervals a full run follows a warm one and is the result; when they are too
// far apart, the job starts warm no more.
//
// Thread safety: pure functions.
#pragma once

#include <utility>

#include "windows/jobs/kernel_run.h"

namespace sash {

inline bool IsTrusted(const CompletedRun* previous) {
  return previous == nullptr || !previous->warm || previous->warm->is_trusted;
}

// `warm`, or full() where that is due after `check_every` warm runs; 0: never. drift(a, b): how far
// two runs are apart, which may be `most`.
template <typename Full, typename Drift>
KernelRun HeldAgainstFull(KernelRun warm, int check_every, const Full& full, const Drift& drift,
                          double most) {
  if (warm.cancelled || check_every == 0 || warm.warm->warm_runs < check_every) return warm;
  KernelRun checked = full();
  if (checked
          .cancelled) {  // at the deadline: the warm run is a result, and is checked another time
    warm.warm->warm_runs = 0;
    return warm;
  }
  checked.drift = drift(warm, checked);
  checked.warm->is_trusted = *checked.drift <= most;
  // The check is of warm runs: they go on from where they are.
  if (checked.warm->is_trusted) checked.warm->tracked = std::move(warm.warm->tracked);
  return checked;
}

}  // namespace sash
