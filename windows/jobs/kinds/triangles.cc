#include "windows/jobs/kinds/triangles.h"

#include <utility>

#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/triangles.h"

namespace sash {

JobTraits TraitsOf(const TrianglesParameters&) { return {.edge_bytes = 5, .id_bytes = 40}; }

KernelRun RunKernel(const TrianglesParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    TrianglesResult found =
        Triangles(graph, {.threads = setting.job.threads, .progress = setting.progress});
    KernelRun run = CountedRun(graph.vertices(), std::move(found.counts),
                               CountOutput::Figure{"triangles", found.triangles}, setting);
    run.cancelled = found.cancelled;
    return run;
  });
}

ResultTable Describe(const TrianglesParameters&, const RunResult& result) {
  return TableOf(std::get<CountOutput>(result.output), result.provenance.vertices);
}

}  // namespace sash
