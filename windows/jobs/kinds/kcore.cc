#include "windows/jobs/kinds/kcore.h"

#include <utility>

#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/kcore.h"

namespace sash {

JobTraits TraitsOf(const KcoreParameters&) { return {.edge_bytes = 10, .id_bytes = 40}; }

KernelRun RunKernel(const KcoreParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    KcoreResult found =
        Kcore(graph, {.threads = setting.job.threads, .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = CountOutput(), .cancelled = true};
    KernelRun run = CountedRun(graph.vertices(), std::move(found.cores),
                               CountOutput::Figure{"degeneracy", found.degeneracy}, setting);
    run.iterations = found.iterations;
    return run;
  });
}

ResultTable Describe(const KcoreParameters&, const RunResult& result) {
  return TableOf(std::get<CountOutput>(result.output), result.provenance.vertices);
}

}  // namespace sash
