#include "windows/jobs/kinds/sssp.h"

#include <utility>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/result_error.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/sssp.h"

namespace sash {

ParameterRows<SsspParameters> RowsOf(const SsspParameters& /*parameters*/) {
  using Kind = SsspParameters;
  return {
      RootsRow<Kind>(),
      DirectionRow<Kind>(),
      {&Kind::delta,
       {.name = "delta",
        .about = "The range of distances that are settled together, in units of weight. It changes "
                 "the time of a run, not the distances. auto: chosen from the weights.",
        .bounds = RealBounds::kAboveZero,
        .word = "auto"}},
  };
}

JobTraits TraitsOf(const SsspParameters&) {
  return {.edge_bytes = 14, .id_bytes = 40, .has_scores = false};
}

KernelRun RunKernel(const SsspParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    SsspResult found = Sssp(graph, KnownIds(parameters.roots, setting.keys),
                            {.follow = Followed(parameters.direction),
                             .delta = parameters.delta,
                             .threads = setting.job.threads,
                             .progress = setting.progress});
    KernelRun run{.output = DistancesOutput{found.reached, found.negative_edges, found.overflowed,
                                            TopByDistance(graph.vertices(), found.distances,
                                                          setting.job.top, setting.keys)},
                  .iterations = found.iterations,
                  .cancelled = found.cancelled};
    run.whole.scores = std::move(found.distances);
    return run;
  });
}

ResultTable Describe(const SsspParameters&, const RunResult& result) {
  const auto& output = std::get<DistancesOutput>(result.output);
  ResultTable table{.figures = {{.name = "reached",
                                 .value = output.reached,
                                 .said = ResultFigure::Said::kBeforeName}},
                    .lists = {{.value = "distance",
                               .rows = &output.top,
                               .available = output.reached,
                               .has_values = output.negative_edges == 0}}};
  if (output.negative_edges > 0) {
    table.error = NegativeEdgesText(output.negative_edges, "distances need");
    table.instead = NegativeEdgesName(output.negative_edges);
  } else if (output.overflowed > 0) {
    table.error = UnlistedText(output.overflowed, "distance");
  }
  return table;
}

}  // namespace sash
