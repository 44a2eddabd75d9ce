// Runs that count triangles. With `warm_start` they follow the window (following_run.h).
#include "windows/jobs/kinds/triangles.h"

#include <optional>
#include <type_traits>
#include <utility>

#include "windows/jobs/following_run.h"
#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/warm_runs.h"
#include "windows/kernels/triangles.h"

namespace sash {
namespace {

template <typename Graph>
struct TrianglesOfWindow {
  using Tracked = TrackedTriangles;

  const Graph& graph;
  const RunSetting& setting;

  TrianglesResult Full() const { return Triangles(graph, Options()); }
  TrianglesResult Begin(Tracked& tracked) const { return tracked.Begin(graph, Options()); }
  std::optional<TrianglesResult> Follow(Tracked& tracked, const Graph& then,
                                        const CompletedRun& before) const {
    return tracked.Follow(then, graph, before.whole->counts, Options());
  }

  KernelRun RunOf(TrianglesResult found) const {
    if (found.cancelled) return KernelRun{.output = CountOutput(), .cancelled = true};
    return CountedRun(graph.vertices(), std::move(found.counts),
                      CountOutput::Figure{"triangles", found.triangles}, setting);
  }

  // How many counts differ.
  static double Difference(const KernelRun& a, const KernelRun& b) {
    return CountUnequal(a.whole.counts, b.whole.counts);
  }

 private:
  TrianglesOptions Options() const {
    return {.threads = setting.job.threads, .progress = setting.progress};
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
    const TrianglesOfWindow<std::decay_t<decltype(graph)>> kernel{graph, setting};
    return FollowingRun(graph, kernel, parameters.warm_start, parameters.check_every, setting)
        .Run();
  });
}

ResultTable Describe(const TrianglesParameters&, const RunResult& result) {
  return TableOf(std::get<CountOutput>(result.output), result.provenance.vertices);
}

}  // namespace sash
