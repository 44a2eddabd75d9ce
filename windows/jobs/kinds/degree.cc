#include "windows/jobs/kinds/degree.h"

#include <utility>

#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/degree.h"

namespace sash {
namespace {

KernelRun CountDegrees(TraversalDirection direction, DegreeCounts counts,
                       const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    DegreeResult found = Degree(graph, {.follow = Followed(direction),
                                        .counts = counts,
                                        .threads = setting.job.threads,
                                        .progress = setting.progress});
    KernelRun run = CountedRun(graph.vertices(), std::move(found.degrees), std::nullopt, setting);
    run.cancelled = found.cancelled;
    return run;
  });
}

}  // namespace

ParameterRows<DegreeParameters> RowsOf(const DegreeParameters& /*parameters*/) {
  using Kind = DegreeParameters;
  return {
      DirectionRow<Kind>(),
  };
}

JobTraits TraitsOf(const DegreeParameters&) { return {.edge_bytes = 1, .id_bytes = 16}; }
ParameterRows<FanoutParameters> RowsOf(const FanoutParameters& /*parameters*/) {
  using Kind = FanoutParameters;
  return {
      DirectionRow<Kind>(),
  };
}

JobTraits TraitsOf(const FanoutParameters&) { return {.edge_bytes = 1, .id_bytes = 16}; }

KernelRun RunKernel(const DegreeParameters& parameters, const RunSetting& setting) {
  return CountDegrees(parameters.direction, DegreeCounts::kEdges, setting);
}

KernelRun RunKernel(const FanoutParameters& parameters, const RunSetting& setting) {
  return CountDegrees(parameters.direction, DegreeCounts::kNeighbours, setting);
}

ResultTable Describe(const DegreeParameters&, const RunResult& result) {
  return TableOf(std::get<CountOutput>(result.output), result.provenance.vertices);
}

ResultTable Describe(const FanoutParameters&, const RunResult& result) {
  return TableOf(std::get<CountOutput>(result.output), result.provenance.vertices);
}

}  // namespace sash
