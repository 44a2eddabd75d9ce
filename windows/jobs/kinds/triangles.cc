// Runs that count triangles: of the whole window, or with `warm_start` from the counts of the job's
// previous run, if the store can tell what has changed since and little has. The counts are the
// same either way. At intervals they are compared with those of the whole window.
#include "windows/jobs/kinds/triangles.h"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/tracked_state.h"
#include "windows/jobs/warm_runs.h"
#include "windows/kernels/triangles.h"

namespace sash {
namespace {

double CountsThatDiffer(const KernelRun& a, const KernelRun& b) {
  return CountUnequal(a.whole.counts, b.whole.counts);
}

template <typename Graph>
struct CountingTriangles {
  const Graph& graph;
  const TrianglesParameters& parameters;
  const RunSetting& setting;

  KernelRun Run() const {
    if (std::optional<KernelRun> warm = Warm()) {
      return HeldAgainstFull(
          *std::move(warm), parameters.check_every, [this] { return Full(nullptr); },
          CountsThatDiffer, 0);
    }
    return Full(TrackedFor(graph, parameters.warm_start, setting.previous));
  }

 private:
  using TrackedPtr = std::shared_ptr<TrackedState>;

  TrianglesOptions Options() const {
    return {.threads = setting.job.threads, .progress = setting.progress};
  }

  KernelRun Full(const TrackedPtr& tracked) const {
    setting.progress.Begin(RunPhase::kPreparing);  // a warm run may have come before it
    KernelRun run =
        Counted(tracked == nullptr ? Triangles(graph, Options())
                                   : tracked->template Begin<TrackedTriangles>(
                                         setting.view, [this](TrackedTriangles& triangles) {
                                           return triangles.Begin(graph, Options());
                                         }));
    if (parameters.warm_start) {
      run.warm = {.is_trusted = IsTrusted(setting.previous), .tracked = tracked};
    }
    return run;
  }

  // Returns nothing if too much has changed, or if there is nothing to continue from.
  std::optional<KernelRun> Warm() const {
    if constexpr (FollowableView<Graph>) {
      const CompletedRun* const before = setting.previous;
      TrackedState* const tracked = TrackedBefore(parameters.warm_start, before);
      if (tracked == nullptr) return std::nullopt;
      auto found = tracked->template FollowFrom<TrackedTriangles, Graph>(
          *before, setting.view, [&](TrackedTriangles& triangles, const Graph& then) {
            return triangles.Follow(then, graph, before->whole->counts, Options());
          });
      if (!found) return std::nullopt;
      KernelRun run = Counted(*std::move(found));
      NoteWarmRun(*before->warm, run);
      return run;
    }
    return std::nullopt;
  }

  KernelRun Counted(TrianglesResult found) const {
    if (found.cancelled) return KernelRun{.output = CountOutput(), .cancelled = true};
    return CountedRun(graph.vertices(), std::move(found.counts),
                      CountOutput::Figure{"triangles", found.triangles}, setting);
  }
};

}  // namespace

ParameterRows<TrianglesParameters> RowsOf(const TrianglesParameters& /*parameters*/) {
  using Kind = TrianglesParameters;
  return {
      WarmStartRow<Kind>(
          "A run starts from the counts of the job's previous result if less than a sixteenth of "
          "the edges has changed since, and reads only the neighbours of the affected vertices. "
          "The result is the same. About 10 bytes per pair of neighbours are kept between runs."),
      CheckEveryRow<Kind>(
          "After this number of warm runs, one is compared with a full run. `drift` is the number "
          "of vertices with another count; if it is not 0, warm starts end. 0: never."),
  };
}

JobTraits TraitsOf(const TrianglesParameters& parameters) {
  // A run that follows a window has its own lists of neighbours, and exchanges them.
  if (parameters.warm_start) return {.edge_bytes = 16, .id_bytes = 64};
  return {.edge_bytes = 5, .id_bytes = 40};
}

KernelRun RunKernel(const TrianglesParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    return CountingTriangles<std::decay_t<decltype(graph)>>{graph, parameters, setting}.Run();
  });
}

ResultTable Describe(const TrianglesParameters&, const RunResult& result) {
  return TableOf(std::get<CountOutput>(result.output), result.provenance.vertices);
}

}  // namespace sash
