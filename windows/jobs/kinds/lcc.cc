#include "windows/jobs/kinds/lcc.h"

#include <utility>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/lcc.h"

namespace sash {

JobTraits TraitsOf(const LccParameters&) { return {.edge_bytes = 5, .id_bytes = 40}; }

KernelRun RunKernel(const LccParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    LccResult found = Lcc(graph, {.threads = setting.job.threads, .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = ScoreOutput(), .cancelled = true};
    KernelRun run{.output = ScoreOutput{TopByScore(graph.vertices(), found.coefficients,
                                                   setting.job.top, setting.keys)}};
    run.whole.scores = std::move(found.coefficients);
    return run;
  });
}

ResultTable Describe(const LccParameters&, const RunResult& result) {
  return TableOf(std::get<ScoreOutput>(result.output), result.provenance.vertices);
}

}  // namespace sash
