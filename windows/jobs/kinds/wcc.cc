// Runs that find components: of the whole window, or with `warm_start` from the forest of the job's
// previous run, if the store can tell what has changed since and little has. The components are the
// same either way, and have the same names. At intervals they are compared with those of the whole
// window.
#include "windows/jobs/kinds/wcc.h"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "windows/jobs/groups.h"
#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/tracked_state.h"
#include "windows/jobs/warm_runs.h"
#include "windows/kernels/wcc.h"

namespace sash {
namespace {

double MembersThatDiffer(const KernelRun& a, const KernelRun& b) {
  return CountUnequal(a.whole.groups, b.whole.groups);
}

template <typename Graph>
struct Connecting {
  const Graph& graph;
  const WccParameters& parameters;
  const RunSetting& setting;

  KernelRun Run() const {
    if (std::optional<KernelRun> warm = Warm()) {
      return HeldAgainstFull(
          *std::move(warm), parameters.check_every, [this] { return Full(nullptr); },
          MembersThatDiffer, 0);
    }
    return Full(TrackedFor(graph, parameters.warm_start, setting.previous));
  }

 private:
  using TrackedPtr = std::shared_ptr<TrackedState>;

  WccOptions Options() const {
    return {.threads = setting.job.threads, .progress = setting.progress};
  }

  KernelRun Full(const TrackedPtr& tracked) const {
    setting.progress.Begin(RunPhase::kPreparing);  // a warm run may have come before it
    KernelRun run = Named(tracked == nullptr ? Wcc(graph, Options())
                                             : tracked->template Begin<TrackedComponents>(
                                                   setting.view, [this](TrackedComponents& forest) {
                                                     return forest.Begin(graph, Options());
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
      auto found = tracked->template FollowFrom<TrackedComponents, Graph>(
          *before, setting.view, [&](TrackedComponents& forest, const Graph& then) {
            return forest.Follow(then, graph, Options());
          });
      if (!found) return std::nullopt;
      KernelRun run = Named(*std::move(found));
      NoteWarmRun(*before->warm, run);
      return run;
    }
    return std::nullopt;
  }

  KernelRun Named(WccResult found) const {
    if (found.cancelled) return KernelRun{.output = GroupsOutput(), .cancelled = true};
    NameByLeastKey(graph.vertices(), setting.keys, found.labels);
    return GroupedRun(graph.vertices(), std::move(found.labels), "component", "components",
                      setting);
  }
};

}  // namespace

ParameterRows<WccParameters> RowsOf(const WccParameters& /*parameters*/) {
  using Kind = WccParameters;
  return {
      WarmStartRow<Kind>(
          "A run starts from the components of the job's previous result if less than a sixteenth "
          "of the edges has changed since, and reads hardly more than these edges. The result is "
          "the same. 21 bytes per vertex are kept between runs."),
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
    return Connecting<std::decay_t<decltype(graph)>>{graph, parameters, setting}.Run();
  });
}

ResultTable Describe(const WccParameters&, const RunResult& result) {
  return TableOf(std::get<GroupsOutput>(result.output));
}

}  // namespace sash
