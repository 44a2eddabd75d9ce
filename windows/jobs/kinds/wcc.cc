#include "windows/jobs/kinds/wcc.h"

#include <utility>

#include "windows/jobs/groups.h"
#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/wcc.h"

namespace sash {

JobTraits TraitsOf(const WccParameters&) {
  return {.edge_bytes = 1, .id_bytes = 16, .has_scores = false};
}

KernelRun RunKernel(const WccParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    WccResult found = Wcc(graph, {.threads = setting.job.threads, .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = GroupsOutput(), .cancelled = true};
    NameByLeastKey(graph.vertices(), setting.keys, found.labels);
    return GroupedRun(graph.vertices(), std::move(found.labels), "component", "components",
                      setting);
  });
}

ResultTable Describe(const WccParameters&, const RunResult& result) {
  return TableOf(std::get<GroupsOutput>(result.output));
}

}  // namespace sash
