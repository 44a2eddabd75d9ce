// Kernels that go out from roots.
#include <algorithm>
#include <utility>
#include <vector>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/reached_rows.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/bfs_each.h"
#include "windows/kernels/sssp.h"

namespace sash {
namespace {

void AddTraversal(std::optional<VertexKey> root, BfsResult found, const BfsParameters& parameters,
                  const RunSetting& setting, KernelRun& run) {
  Traversal traversal{std::move(root), found.reached, std::move(found.levels), {}};
  traversal.top = ReachedRows({setting.view, parameters, found.depths, setting.keys},
                              setting.job.top, setting.job.threads);
  run.iterations = std::max(run.iterations, static_cast<int>(traversal.levels.size()));
  run.cancelled = run.cancelled || found.cancelled;
  std::get<BfsOutput>(run.output).traversals.push_back(std::move(traversal));
  run.whole.depths.push_back(std::move(found.depths));
}

}  // namespace

FollowedEdges Followed(TraversalDirection direction) {
  switch (direction) {
    case TraversalDirection::kOut:
      return FollowedEdges::kOut;
    case TraversalDirection::kIn:
      return FollowedEdges::kIn;
    case TraversalDirection::kBoth:
      break;
  }
  return FollowedEdges::kBoth;
}

std::vector<VertexId> KnownIds(const std::vector<VertexKey>& keys,
                               const VertexDictionary& dictionary) {
  std::vector<VertexId> ids;
  for (const VertexKey& key : keys) {
    if (const std::optional<VertexId> id = dictionary.Find(key)) ids.push_back(*id);
  }
  return ids;
}

KernelRun RunKernel(const BfsParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    KernelRun run{.output = BfsOutput()};
    const BfsOptions options{.follow = Followed(parameters.direction),
                             .threads = setting.job.threads,
                             .sweeps = graph.on_disk(),
                             .progress = setting.progress};
    if (!parameters.separate) {
      AddTraversal(std::nullopt, Bfs(graph, KnownIds(parameters.roots, setting.keys), options),
                   parameters, setting, run);
      return run;
    }
    std::vector<VertexId> roots;
    for (const VertexKey& root : parameters.roots) {
      roots.push_back(setting.keys.Find(root).value_or(kNoVertex));  // which reaches nothing
    }
    std::vector<BfsResult> found = BfsEach(graph, roots, options);
    for (std::size_t i = 0; i < found.size(); ++i) {
      AddTraversal(parameters.roots[i], std::move(found[i]), parameters, setting, run);
    }
    return run;
  });
}

KernelRun RunKernel(const SsspParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    SsspResult found = Sssp(graph, KnownIds(parameters.roots, setting.keys),
                            {.follow = Followed(parameters.direction),
                             .delta = parameters.delta,
                             .threads = setting.job.threads,
                             .progress = setting.progress});
    KernelRun run{.output = DistancesOutput{found.reached, found.negative_edges,
                                            TopByDistance(graph.vertices(), found.distances,
                                                          setting.job.top, setting.keys)},
                  .iterations = found.iterations,
                  .cancelled = found.cancelled};
    run.whole.scores = std::move(found.distances);
    return run;
  });
}

}  // namespace sash
