#include "windows/jobs/run_job.h"

#include <utility>
#include <vector>

#include "windows/jobs/ranking.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/bfs_each.h"
#include "windows/kernels/pagerank.h"
#include "windows/kernels/shape.h"

namespace sash {
namespace {

// What a kernel needs beside its parameters.
struct Setting {
  const JobSpec& job;
  const VertexDictionary& keys;
  const KernelProgress& progress;
};

struct Ran {
  KernelOutput output;
  WholeVector whole;
  int iterations = 0;
  bool converged = true;
  bool cancelled = false;
};

template <GraphView Graph>
Ran Run(const PageRankParameters& parameters, const Graph& graph, const Setting& setting) {
  PageRankResult ranked = PageRank(graph, {.damping = parameters.damping,
                                           .tolerance = parameters.tolerance,
                                           .max_iterations = parameters.max_iterations,
                                           .threads = setting.job.threads,
                                           .progress = setting.progress});
  Ran ran{.output = {},
          .whole = {},
          .iterations = ranked.iterations,
          .converged = ranked.converged,
          .cancelled = ranked.cancelled};
  ran.output = PageRankOutput{
      TopByScore(graph.vertices(), ranked.ranks, setting.job.top, setting.keys), ranked.residual};
  ran.whole.scores = std::move(ranked.ranks);
  return ran;
}

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

// Those of `roots` that are known now; whether they are in the window is for the kernel.
std::vector<VertexId> Ids(const std::vector<VertexKey>& roots, const VertexDictionary& keys) {
  std::vector<VertexId> ids;
  for (const VertexKey& root : roots) {
    if (const std::optional<VertexId> id = keys.Find(root)) ids.push_back(*id);
  }
  return ids;
}

template <GraphView Graph>
void AddTraversal(std::optional<VertexKey> root, BfsResult found, const Graph& graph,
                  const Setting& setting, Ran& ran) {
  Traversal traversal{std::move(root), found.reached, std::move(found.levels), {}};
  traversal.top = TopByDepth(graph.vertices(), found.depths, setting.job.top, setting.keys);
  ran.iterations = std::max(ran.iterations, static_cast<int>(traversal.levels.size()));
  ran.cancelled = ran.cancelled || found.cancelled;
  std::get<BfsOutput>(ran.output).traversals.push_back(std::move(traversal));
  ran.whole.depths.push_back(std::move(found.depths));
}

template <GraphView Graph>
Ran Run(const BfsParameters& parameters, const Graph& graph, const Setting& setting) {
  Ran ran{.output = BfsOutput(), .whole = {}};
  const BfsOptions options{.follow = Followed(parameters.direction),
                           .threads = setting.job.threads,
                           .progress = setting.progress};
  if (!parameters.separate) {
    AddTraversal(std::nullopt, Bfs(graph, Ids(parameters.roots, setting.keys), options), graph,
                 setting, ran);
    return ran;
  }
  std::vector<VertexId> roots;
  for (const VertexKey& root : parameters.roots) {
    roots.push_back(setting.keys.Find(root).value_or(kNoVertex));  // which reaches nothing
  }
  std::vector<BfsResult> found = BfsEach(graph, roots, options);
  for (std::size_t i = 0; i < found.size(); ++i) {
    AddTraversal(parameters.roots[i], std::move(found[i]), graph, setting, ran);
  }
  return ran;
}

template <GraphView Graph>
Ran Run(const ShapeParameters&, const Graph& graph, const Setting& setting) {
  const ShapeResult shape = Shape(graph, setting.job.threads, setting.progress);
  return {
      .output = ShapeOutput{shape.pairs, shape.weight}, .whole = {}, .cancelled = shape.cancelled};
}

}  // namespace

std::optional<CompletedRun> RunJob(const JobSpec& job, const AdvancePtr& advance,
                                   const VertexDictionary& keys, const Clock& clock,
                                   const KernelProgress& progress) {
  const SteadyTime begun = clock.Steady();
  const Setting setting{job, keys, progress};
  Ran ran = VisitView(advance->view, [&](const auto& graph) {
    return std::visit([&](const auto& parameters) { return Run(parameters, graph, setting); },
                      job.parameters);
  });
  if (ran.cancelled) return std::nullopt;
  auto result = std::make_shared<RunResult>();
  result->job = job.name;
  result->kernel =
      std::visit([](const auto& parameters) { return parameters.kKernel; }, job.parameters);
  result->provenance = advance->provenance;
  result->parameters = job.parameters;
  result->iterations = ran.iterations;
  result->converged = ran.converged;
  result->output = std::move(ran.output);
  result->seconds = std::chrono::duration<double>(clock.Steady() - begun).count();
  return CompletedRun{std::move(result), std::make_shared<WholeVector>(std::move(ran.whole)),
                      advance};
}

}  // namespace sash
