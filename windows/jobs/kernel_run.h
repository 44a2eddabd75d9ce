// KernelRun: one run of a kernel on a view, with all that a result says about it.
//
// Thread safety: plain values and pure functions.
#pragma once

#include <optional>
#include <vector>

#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_fault.h"
#include "windows/jobs/run_result.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/progress.h"
#include "windows/store/window_view.h"

namespace sash {

struct ExternalAnswer;
class LostRuns;

// The input of a kernel beside its parameters.
struct RunSetting {
  const JobSpec& job;
  const WindowView& view;
  const VertexDictionary& keys;
  const KernelProgress& progress;
  const CompletedRun* previous = nullptr;  // the job's previous result; null: there is none
  const ExternalAnswer* answer = nullptr;  // of an external job
  AdvancePtr advance{};                    // pins the view and its ids; null: the caller does
  LostRuns* lost = nullptr;                // of plug-ins; null: a run is waited for
};

struct KernelRun {
  KernelOutput output;
  WholeVector whole{};
  RunMode mode = RunMode::kFull;
  std::optional<WarmHistory> warm{};
  std::optional<double> drift{};
  int iterations = 0;
  bool converged = true;
  bool cancelled = false;
  std::optional<RunFailure> failure{};  // of a plug-in; then it is cancelled too
  std::vector<NamedFigure> figures{};   // of a plug-in
};

// The window of the job's previous result, and its end. Without one: an empty window, and no end.
const WindowView& PreviousView(const RunSetting& setting);
std::optional<EventTime> TimeOfPrevious(const RunSetting& setting);

FollowedEdges Followed(TraversalDirection direction);

// The ids of the keys that are known now. The kernel checks whether they are in the window.
std::vector<VertexId> KnownIds(const std::vector<VertexKey>& keys,
                               const VertexDictionary& dictionary);

}  // namespace sash
