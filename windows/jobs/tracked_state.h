// TrackedState: what a job with warm starts keeps for its next run, beside the result.
//
// Thread safety: belongs to the thread that runs the job.
//
// Invariants
//   (1) The state belongs to `view`, or must not be followed: a run takes the view away before it
//       begins, and puts its own view there when it is done.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "windows/jobs/run_result.h"
#include "windows/jobs/warm_runs.h"
#include "windows/kernels/following/tracked_components.h"
#include "windows/kernels/following/tracked_pagerank.h"
#include "windows/kernels/following/tracked_triangles.h"
#include "windows/kernels/view_changes.h"
#include "windows/store/window_view.h"

namespace sash {

struct TrackedState {
  std::variant<TrackedPageRank, TrackedTriangles, TrackedComponents> kernel{};
  WindowView view{};

  // Calls run(Kernel&), which begins or goes on with `now`, and returns its result.
  template <typename Kernel, typename Run>
  auto Begin(const WindowView& now, const Run& run) {
    view = WindowView();
    if (!std::holds_alternative<Kernel>(kernel)) kernel.emplace<Kernel>();
    auto result = run(std::get<Kernel>(kernel));
    view = now;
    return result;
  }

  // Calls follow(Kernel&, graph of the previous run) if the state belongs to the view of `before`.
  // Returns nothing if it does not, or if `follow` returns nothing.
  template <typename Kernel, typename Graph, typename Follow>
  auto FollowFrom(const CompletedRun& before, const WindowView& now, const Follow& follow)
      -> decltype(follow(std::declval<Kernel&>(), std::declval<const Graph&>())) {
    if (!std::holds_alternative<Kernel>(kernel) || view != before.advance->view) {
      return std::nullopt;
    }
    const WindowView then = std::exchange(view, WindowView());
    const auto* const graph = std::get_if<std::shared_ptr<const Graph>>(&then);
    if (graph == nullptr || *graph == nullptr) return std::nullopt;
    auto result = follow(std::get<Kernel>(kernel), **graph);
    if (result) view = now;
    return result;
  }
};

// For a full run on `graph`; null if no later run will follow it.
template <typename Graph>
std::shared_ptr<TrackedState> TrackedFor(const Graph& graph, bool warm_start,
                                         const CompletedRun* previous) {
  const bool follows =
      warm_start && IsTrusted(previous) && FollowableView<Graph> && !graph.on_disk();
  return follows ? std::make_shared<TrackedState>() : nullptr;
}

// The state of the job's previous run; null: there is nothing to continue from.
inline TrackedState* TrackedBefore(bool warm_start, const CompletedRun* previous) {
  if (!warm_start || previous == nullptr || !previous->warm || !IsTrusted(previous)) return nullptr;
  return previous->warm->tracked.get();
}

}  // namespace sash
