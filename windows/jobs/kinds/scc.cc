#include "windows/jobs/kinds/scc.h"

#include <utility>

#include "windows/jobs/groups.h"
#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/scc.h"

namespace sash {

JobTraits TraitsOf(const SccParameters&) {
  return {.edge_bytes = 4, .id_bytes = 36, .has_scores = false};
}

KernelRun RunKernel(const SccParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    SccResult found = Scc(graph, {.threads = setting.job.threads, .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = GroupsOutput(), .cancelled = true};
    NameByLeastKey(graph.vertices(), setting.keys, found.labels);
    return GroupedRun(graph.vertices(), std::move(found.labels), "component", "components",
                      setting);
  });
}

ResultTable Describe(const SccParameters&, const RunResult& result) {
  return TableOf(std::get<GroupsOutput>(result.output));
}

}  // namespace sash
