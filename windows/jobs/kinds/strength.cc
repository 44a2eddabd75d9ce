#include "windows/jobs/kinds/strength.h"

#include <utility>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/result_error.h"
#include "windows/jobs/result_table.h"
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

}  // namespace

ParameterRows<StrengthParameters> RowsOf(const StrengthParameters& /*parameters*/) {
  using Kind = StrengthParameters;
  return {
      {&Kind::direction,
       {"direction",
        "The edges whose weights are added: out-edges (what a vertex sent), in-edges (what it "
        "received) or both. net: the sum of the in-edges minus that of the out-edges."}},
  };
}

JobTraits TraitsOf(const StrengthParameters&) {
  return {.edge_bytes = 1, .id_bytes = 32, .row_bytes = sizeof(WeighedVertex)};
}

KernelRun RunKernel(const StrengthParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    StrengthResult found = Strength(graph, {.edges = EdgesOf(parameters.direction),
                                            .threads = setting.job.threads,
                                            .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = SumsOutput(), .cancelled = true};
    KernelRun run{.output = SumsOutput{
                      TopByWeight(graph.vertices(), found.sums, setting.job.top, setting.keys),
                      found.overflowed}};
    run.whole.weights = std::move(found.sums);
    return run;
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
