// Kernels that put vertices together.
#include <utility>
#include <vector>

#include "windows/jobs/groups.h"
#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/kernels/cdlp.h"
#include "windows/kernels/wcc.h"

namespace sash {
namespace {

struct GroupName {
  std::string_view one;
  std::string_view many;
};

KernelRun Grouped(std::span<const VertexId> vertices, std::vector<VertexId> groups, GroupName name,
                  const RunSetting& setting) {
  const GroupSizes counted = CountMembers(vertices, groups);
  KernelRun run{.output = GroupsOutput{
                    name.one, name.many, counted.groups.size(),
                    TopByCount(counted.groups, counted.sizes, setting.job.top, setting.keys)}};
  run.whole.groups = std::move(groups);
  return run;
}

}  // namespace

KernelRun RunKernel(const WccParameters&, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    WccResult found = Wcc(graph, {.threads = setting.job.threads, .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = GroupsOutput(), .cancelled = true};
    NameByLeastKey(graph.vertices(), setting.keys, found.labels);
    return Grouped(graph.vertices(), std::move(found.labels), {"component", "components"}, setting);
  });
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
        Grouped(graph.vertices(), std::move(found.labels), {"community", "communities"}, setting);
    run.iterations = found.iterations;
    run.converged = found.converged;
    return run;
  });
}

}  // namespace sash
