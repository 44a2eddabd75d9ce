// Kernels that go out from roots, but for BFS (bfs.cc).
#include <utility>
#include <vector>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/sssp.h"

namespace sash {

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
