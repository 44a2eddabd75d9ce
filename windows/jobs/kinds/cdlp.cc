#include "windows/jobs/kinds/cdlp.h"

#include <utility>
#include <vector>

#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/key_order.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/cdlp.h"

namespace sash {

ParameterRows<CdlpParameters> RowsOf(const CdlpParameters& /*parameters*/) {
  using Kind = CdlpParameters;
  return {
      MostIterationsRow<Kind>(
          "The most iterations. A run ends earlier if no label changes any more."),
  };
}

JobTraits TraitsOf(const CdlpParameters&) {
  return {.edge_bytes = 2, .id_bytes = 32, .has_scores = false};
}

// Labels are places in the order of keys, so "the least label" is that of the least key.
KernelRun RunKernel(const CdlpParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    const std::vector<VertexId> by_key = ByKey(graph.vertices(), setting.keys);
    std::vector<CommunityLabel> places(graph.id_limit());
    for (std::size_t i = 0; i < by_key.size(); ++i) {
      places[by_key[i]] = static_cast<CommunityLabel>(i);
    }
    CdlpResult found = Cdlp(graph, {.max_iterations = parameters.max_iterations,
                                    .first_labels = places,
                                    .threads = setting.job.threads,
                                    .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = GroupsOutput(), .cancelled = true};
    for (const VertexId v : graph.vertices()) found.labels[v] = by_key[found.labels[v]];
    KernelRun run =
        GroupedRun(graph.vertices(), std::move(found.labels), "community", "communities", setting);
    run.iterations = found.iterations;
    run.converged = found.converged;
    return run;
  });
}

ResultTable Describe(const CdlpParameters&, const RunResult& result) {
  return TableOf(std::get<GroupsOutput>(result.output));
}

}  // namespace sash
