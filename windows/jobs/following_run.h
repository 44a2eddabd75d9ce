// FollowingRun: a run of a kernel on the whole window, or, with `warm_start`, from the state that
// the job's previous run kept. The latter is possible if the store knows what has changed since,
// and if little has. The result is the same either way. At intervals it is compared with the result
// of the whole window.
//
// Thread safety: belongs to the thread that runs the job.
//
// A kernel, on `graph`, has
//   Tracked                          one of the kinds of TrackedState, which follows the window
//   Full()                           the result of the whole window
//   Begin(Tracked&)                  the same; the tracked state can follow from here
//   Follow(Tracked&, then, before)   the result, from the graph of the run `before`; nothing if too
//                                    much has changed
//   RunOf(result)                    the run with this result
//   Difference(run, run)             how far two runs are apart: 0 unless there is a bug
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "windows/jobs/tracked_state.h"
#include "windows/jobs/warm_runs.h"

namespace sash {

template <typename Graph, typename Kernel>
class FollowingRun {
 public:
  // All outlive it. `check_every`: ComparedWithFull().
  FollowingRun(const Graph& graph, const Kernel& kernel, bool warm_start, int check_every,
               const RunSetting& setting)
      : graph_(graph),
        kernel_(kernel),
        warm_start_(warm_start),
        check_every_(check_every),
        setting_(setting) {}

  KernelRun Run() const {
    if (std::optional<KernelRun> warm = Warm()) {
      return ComparedWithFull(
          *std::move(warm), check_every_, [this] { return Full(nullptr); }, Kernel::Difference, 0);
    }
    return Full(TrackedFor(graph_, warm_start_, setting_.previous));
  }

 private:
  using Tracked = typename Kernel::Tracked;
  using TrackedPtr = std::shared_ptr<TrackedState>;

  KernelRun Full(const TrackedPtr& tracked) const {
    setting_.progress.Begin(RunPhase::kPreparing);  // a warm run may have come before it
    KernelRun run = kernel_.RunOf(
        tracked == nullptr ? kernel_.Full()
                           : tracked->template Begin<Tracked>(setting_.view, [this](Tracked& own) {
                               return kernel_.Begin(own);
                             }));
    if (warm_start_) run.warm = {.is_trusted = IsTrusted(setting_.previous), .tracked = tracked};
    return run;
  }

  // Returns nothing if too much has changed, or if there is nothing to continue from.
  std::optional<KernelRun> Warm() const {
    if constexpr (FollowableView<Graph>) {
      const CompletedRun* const before = setting_.previous;
      TrackedState* const tracked = TrackedBefore(warm_start_, before);
      if (tracked == nullptr) return std::nullopt;
      auto found = tracked->template FollowFrom<Tracked, Graph>(
          *before, setting_.view,
          [&](Tracked& own, const Graph& then) { return kernel_.Follow(own, then, *before); });
      if (!found) return std::nullopt;
      KernelRun run = kernel_.RunOf(*std::move(found));
      NoteWarmRun(*before->warm, run);
      return run;
    }
    return std::nullopt;
  }

  const Graph& graph_;
  const Kernel& kernel_;
  const bool warm_start_;
  const int check_every_;
  const RunSetting& setting_;
};

}  // namespace sash
