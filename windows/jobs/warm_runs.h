// Runs that continue from the job's previous result (`warm_start`), and how they are checked: at
// intervals a full run follows a warm one and becomes the result. If the two are too far apart, the
// job stops starting warm.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "windows/jobs/kernel_run.h"

namespace sash {

inline bool IsTrusted(const CompletedRun* previous) {
  return previous == nullptr || !previous->warm || previous->warm->is_trusted;
}

// The view of the job's previous run, for a run on `graph` that follows it; null: there is nothing
// to follow.
template <typename Graph>
const Graph* ViewToFollow(const Graph& graph, const CompletedRun* previous) {
  if (previous == nullptr || !IsTrusted(previous) || graph.on_disk()) return nullptr;
  const auto* const view = std::get_if<std::shared_ptr<const Graph>>(&previous->advance->view);
  return view != nullptr ? view->get() : nullptr;
}

// Marks `run` as one that has followed a run with this history.
inline void NoteWarmRun(WarmHistory history, KernelRun& run) {
  run.mode = RunMode::kIncremental;
  ++history.warm_runs;
  run.warm = std::move(history);
}

// How many elements of two vectors of one length differ.
template <typename T>
double CountUnequal(const std::vector<T>& a, const std::vector<T>& b) {
  std::size_t unequal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) unequal += a[i] == b[i] ? 0 : 1;
  return static_cast<double>(unequal);
}

// Returns `warm`, or full() if that is due after `check_every` warm runs (0: never). drift(a, b):
// the distance between two runs, which may be up to `most`.
template <typename Full, typename Drift>
KernelRun ComparedWithFull(KernelRun warm, int check_every, const Full& full, const Drift& drift,
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
