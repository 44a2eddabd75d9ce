// Runs that add weights: of the whole window, or with `warm_start` from the sums of the job's
// previous run, if the store can tell what has changed since and little has. The sums are the same
// either way. At intervals they are compared with those of the whole window.
#include "windows/jobs/kinds/strength.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/result_error.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/warm_runs.h"
#include "windows/jobs/weight_ranking.h"
#include "windows/kernels/following/strength_follow.h"
#include "windows/kernels/strength.h"

namespace sash {
namespace {

StrengthEdges EdgesOf(StrengthDirection direction) {
  switch (direction) {
    case StrengthDirection::kOut:
      return StrengthEdges::kOut;
    case StrengthDirection::kIn:
      return StrengthEdges::kIn;
    case StrengthDirection::kNet:
      return StrengthEdges::kInLessOut;
    case StrengthDirection::kBoth:
      break;
  }
  return StrengthEdges::kBoth;
}

double SumsThatDiffer(const KernelRun& a, const KernelRun& b) {
  return CountUnequal(a.whole.weights, b.whole.weights);
}

template <typename Graph>
struct Adding {
  const Graph& graph;
  const StrengthParameters& parameters;
  const RunSetting& setting;

  KernelRun Run() const {
    if constexpr (FollowableView<Graph>) {
      if (std::optional<KernelRun> warm = Warm()) {
        return ComparedWithFull(
            *std::move(warm), parameters.check_every, [this] { return Full(); }, SumsThatDiffer, 0);
      }
    }
    return Full();
  }

 private:
  StrengthOptions Options() const {
    return {.edges = EdgesOf(parameters.direction),
            .threads = setting.job.threads,
            .progress = setting.progress};
  }

  KernelRun Full() const {
    setting.progress.Begin(RunPhase::kPreparing);  // a warm run may have come before it
    KernelRun run = Added(Strength(graph, Options()));
    if (parameters.warm_start) run.warm = {.is_trusted = IsTrusted(setting.previous)};
    return run;
  }

  // Returns nothing if too much has changed, or if there is nothing to continue from.
  std::optional<KernelRun> Warm() const {
    const CompletedRun* const before = setting.previous;
    if (!parameters.warm_start || before == nullptr) return std::nullopt;
    const auto* const then = std::get_if<StrengthParameters>(&before->result->parameters);
    const Graph* const view = ViewToFollow(graph, before);
    if (then == nullptr || then->direction != parameters.direction || view == nullptr) {
      return std::nullopt;
    }
    auto found = FollowStrength(*view, graph, before->whole->weights,
                                std::get<SumsOutput>(before->result->output).overflowed, Options());
    if (!found) return std::nullopt;
    KernelRun run = Added(*std::move(found));
    NoteWarmRun(before->warm.value_or(WarmHistory()), run);
    return run;
  }

  KernelRun Added(StrengthResult found) const {
    if (found.cancelled) return KernelRun{.output = SumsOutput(), .cancelled = true};
    KernelRun run{.output = SumsOutput{
                      TopByWeight(graph.vertices(), found.sums, setting.job.top, setting.keys),
                      found.overflowed}};
    run.whole.weights = std::move(found.sums);
    return run;
  }
};

}  // namespace

ParameterRows<StrengthParameters> RowsOf(const StrengthParameters& /*parameters*/) {
  using Kind = StrengthParameters;
  return {
      {&Kind::direction,
       {"direction",
        "The edges whose weights are added: out-edges (what a vertex sent), in-edges (what it "
        "received) or both. net: the sum of the in-edges minus that of the out-edges."}},
      WarmStartRow<Kind>(
          "A run starts from the sums of the job's previous result if less than a sixteenth of the "
          "edges has changed since, and adds and subtracts their weights. The result is the same. "
          "Not where the weights of copies are added up (`duplicates: weigh`)."),
      CheckEveryRow<Kind>(
          "After this number of warm runs, one is compared with a full run. `drift` is the number "
          "of vertices with another sum; if it is not 0, warm starts end. 0: never."),
  };
}

JobTraits TraitsOf(const StrengthParameters& parameters) {
  // A run that follows a window has the changes, each at both ends.
  if (parameters.warm_start) {
    return {.edge_bytes = 8, .id_bytes = 48, .row_bytes = sizeof(WeighedVertex)};
  }
  return {.edge_bytes = 1, .id_bytes = 32, .row_bytes = sizeof(WeighedVertex)};
}

KernelRun RunKernel(const StrengthParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    return Adding<std::decay_t<decltype(graph)>>{graph, parameters, setting}.Run();
  });
}

ResultTable Describe(const StrengthParameters&, const RunResult& result) {
  const auto& output = std::get<SumsOutput>(result.output);
  ResultTable table{.lists = {{.rows = &output.top,
                               .available = result.provenance.vertices - output.overflowed}}};
  if (output.overflowed > 0) table.error = UnlistedText(output.overflowed, "score");
  if (output.top.empty()) table.instead = table.error.empty() ? "no vertices" : table.error;
  return table;
}

}  // namespace sash
