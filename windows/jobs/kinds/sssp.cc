#include "windows/jobs/kinds/sssp.h"

#include <utility>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/kernels/sssp.h"

namespace sash {

JobTraits TraitsOf(const SsspParameters&) { return {.edge_bytes = 14, .id_bytes = 40}; }

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

}  // namespace sash
