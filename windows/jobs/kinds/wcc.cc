// Runs that find components. With `warm_start` they follow the window (following_run.h).
#include "windows/jobs/kinds/wcc.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "windows/jobs/following_run.h"
#include "windows/jobs/groups.h"
#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/warm_runs.h"
#include "windows/kernels/wcc.h"

namespace sash {
namespace {

template <typename Graph>
struct ComponentsOfWindow {
  using Tracked = TrackedComponents;

  const Graph& graph;
  const RunSetting& setting;

  WccResult Full() const { return Wcc(graph, Options()); }
  WccResult Begin(Tracked& forest) const { return forest.Begin(graph, Options()); }
  std::optional<WccResult> Follow(Tracked& forest, const Graph& then,
                                  const CompletedRun& /*before*/) const {
    return forest.Follow(then, graph, Options());
  }

  // Components have the same names whether the run has followed the window or not.
  KernelRun RunOf(WccResult found) const {
    if (found.cancelled) return KernelRun{.output = GroupsOutput(), .cancelled = true};
    NameByLeastKey(graph.vertices(), setting.keys, found.labels);
    return GroupedRun(graph.vertices(), std::move(found.labels), "component", "components",
                      setting);
  }

  // How many vertices are in different components.
  static double Difference(const KernelRun& a, const KernelRun& b) {
    return CountUnequal(a.whole.groups, b.whole.groups);
  }

 private:
  WccOptions Options() const {
    return {.threads = setting.job.threads, .progress = setting.progress};
  }
};

}  // namespace

ParameterRows<WccParameters> RowsOf(const WccParameters& /*parameters*/) {
  using Kind = WccParameters;
  return {
      WarmStartRow<Kind>(
          "A run starts from the components of the job's previous result if less than a sixteenth "
          "of the edges has changed since, and reads hardly more than these edges. The result is "
          "the same. 22 bytes per vertex are kept between runs."),
      CheckEveryRow<Kind>(
          "After this number of warm runs, one is compared with a full run. `drift` is the number "
          "of vertices in another component; if it is not 0, warm starts end. 0: never."),
  };
}

JobTraits TraitsOf(const WccParameters& parameters) {
  // The forest begins with a search.
  if (parameters.warm_start) return {.edge_bytes = 2, .id_bytes = 70, .has_scores = false};
  return {.edge_bytes = 1, .id_bytes = 16, .has_scores = false};
}

KernelRun RunKernel(const WccParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    const ComponentsOfWindow<std::decay_t<decltype(graph)>> kernel{graph, setting};
    return FollowingRun(graph, kernel, parameters.warm_start, parameters.check_every, setting)
        .Run();
  });
}

ResultTable Describe(const WccParameters&, const RunResult& result) {
  return TableOf(std::get<GroupsOutput>(result.output));
}

}  // namespace sash
