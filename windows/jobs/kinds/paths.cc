// Paths between two sets. A result lists the end of each path once, so its rows are at most as many
// as `to` has keys, however many pairs of vertices the two sets have.
#include "windows/jobs/kinds/paths.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "windows/base/finite_weight.h"
#include "windows/jobs/kernel_run.h"
#include "windows/jobs/path_step.h"
#include "windows/jobs/result_error.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/paths_between_sets.h"

namespace sash {
namespace {

static_assert(PathsParameters().most == kUsualPathEdges);

// The keys of a usual path.
constexpr std::size_t kPathBytes = sizeof(PathOfVertices) + 4 * sizeof(VertexKey);

PathOfVertices PathByKey(const std::vector<VertexId>& path, FollowedEdges follow,
                         const RunSetting& setting) {
  PathOfVertices row;
  row.vertices.clear();
  row.vertices.reserve(path.size());
  WeightSum weight;
  for (std::size_t i = 0; i < path.size(); ++i) {
    row.vertices.push_back(setting.keys.KeyOf(path[i]));
    if (i == 0) continue;
    weight.Add(
        StepOf(setting.view, path[i - 1], path[i], follow, setting.keys.types()).target.weight);
  }
  row.weight = weight.Total();
  return row;
}

}  // namespace

ParameterRows<PathsParameters> RowsOf(const PathsParameters& /*parameters*/) {
  using Kind = PathsParameters;
  return {
      {&Kind::from,
       {"from",
        "Where paths start: vertex keys, or integers with `keys: integer`. A key that is not in "
        "the window reaches nothing."}},
      {&Kind::to,
       {"to",
        "Where paths end: vertex keys. Each has the path from the nearest vertex of `from`. A key "
        "that is not in the window is not reached."}},
      {&Kind::by,
       {"by", "hops: the fewest edges. weight: the least sum of weights, then the fewest edges."}},
      DirectionRow<Kind>(),
      {&Kind::most,
       {.name = "most",
        .about = "The greatest number of edges in a path. By weight, the work grows with it.",
        .bounds = WholeBounds{1, kMostPathEdges}}},
  };
}

JobTraits TraitsOf(const PathsParameters& parameters) {
  // By weight with room for two labels of each vertex; few have more.
  return {.id_bytes = parameters.by == PathMeasure::kWeight ? 72u : 32u,
          .rows = JobTraits::Rows::kPaths,
          .row_bytes = kPathBytes};
}

KernelRun RunKernel(const PathsParameters& parameters, const RunSetting& setting) {
  const SetPathsOptions options{.by_weight = parameters.by == PathMeasure::kWeight,
                                .follow = Followed(parameters.direction),
                                .most = parameters.most,
                                .threads = setting.job.threads,
                                .progress = setting.progress};
  const SetPathsResult found = VisitView(setting.view, [&](const auto& graph) {
    return PathsBetweenSets(graph, KnownIds(parameters.from, setting.keys),
                            KnownIds(parameters.to, setting.keys), options,
                            [&](VertexId a, VertexId b) { return setting.keys.KeyLess(a, b); });
  });
  PathsOutput output{
      .reached = found.paths.size(), .negative_edges = found.negative_edges, .first = {}};
  for (std::size_t i = 0; i < std::min(found.paths.size(), setting.job.top); ++i) {
    output.first.push_back(PathByKey(found.paths[i], options.follow, setting));
  }
  return {
      .output = std::move(output), .iterations = found.iterations, .cancelled = found.cancelled};
}

ResultTable Describe(const PathsParameters&, const RunResult& result) {
  const auto& output = std::get<PathsOutput>(result.output);
  ResultTable table{.figures = {{.name = "reached",
                                 .value = output.reached,
                                 .said = ResultFigure::Said::kBeforeName}},
                    .lists = {{.name = "top_paths",
                               .one = "to",
                               .rows = &output.first,
                               .available = output.first.size()}}};
  if (output.negative_edges > 0) {
    table.error = NegativeEdgesText(output.negative_edges, "paths by weight need");
    table.instead = NegativeEdgesName(output.negative_edges);
    return table;
  }
  const auto beyond = std::ranges::count_if(
      output.first, [](const PathOfVertices& path) { return !IsFinite(path.weight); });
  if (beyond > 0) {
    table.error = OverflowText(static_cast<std::uint64_t>(beyond), "path has a weight",
                               "paths have a weight") +
                  ", which reads null";
  }
  return table;
}

}  // namespace sash
