#include "windows/jobs/kinds/hits.h"

#include <string>
#include <utility>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/result_error.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/text_bytes.h"
#include "windows/kernels/hits.h"

namespace sash {
namespace {

// Called only for windows with edges.
std::string WhyWithoutValues(const HitsResult& found) {
  if (found.negative_edges > 0) {
    return NegativeEdgesText(found.negative_edges, "hubs and authorities by weight need");
  }
  if (found.overflowed_edges > 0) {
    return OverflowedEdgesText(found.overflowed_edges, "nothing is ranked by weight");
  }
  return "no edge has a weight above 0; hubs and authorities by weight need one";
}

}  // namespace

ParameterRows<HitsParameters> RowsOf(const HitsParameters& /*parameters*/) {
  using Kind = HitsParameters;
  return {
      {&Kind::rank_by,
       {"rank_by", "The value that gives a vertex its rank. The result has both of each vertex."}},
      {&Kind::tolerance,
       {"tolerance",
        "A run stops when an iteration changes hub values and authorities by at most this, in sum.",
        RealBounds::kFromZero}},
      MostIterationsRow<Kind>("A run stops after this number of iterations."),
      {&Kind::weighted,
       {.name = "weighted",
        .about = "Multiplies what an edge passes on by its weight. If the window contains a "
                 "negative weight, or no weight above 0, the result is an error.",
        .shown_with = "weighted"}},
  };
}

JobTraits TraitsOf(const HitsParameters& parameters) {
  return {.edge_bytes = parameters.weighted ? 24u : 8u,
          .id_bytes = 56,
          .row_bytes = sizeof(RatedVertex)};
}

KernelRun RunKernel(const HitsParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    HitsResult found = Hits(graph, {.tolerance = parameters.tolerance,
                                    .max_iterations = parameters.max_iterations,
                                    .weighted = parameters.weighted,
                                    .threads = setting.job.threads,
                                    .progress = setting.progress});
    if (found.cancelled) return KernelRun{.output = RatingsOutput(), .cancelled = true};
    if (parameters.rank_by == HitsRanking::kHubs) std::swap(found.authorities, found.hubs);
    RatingsOutput output;
    output.residual = found.residual;
    if (found.authorities.empty()) {
      if (!graph.vertices().empty()) output.error = WhyWithoutValues(found);
    } else {
      output.top = TopByRating(graph.vertices(), found.authorities, found.hubs, setting.job.top,
                               setting.keys);
    }
    KernelRun run{
        .output = std::move(output), .iterations = found.iterations, .converged = found.converged};
    run.whole.scores = std::move(found.authorities);
    run.whole.others = std::move(found.hubs);
    return run;
  });
}

ResultTable Describe(const HitsParameters& parameters, const RunResult& result) {
  const auto& output = std::get<RatingsOutput>(result.output);
  const bool has_values = output.error.empty();
  ResultTable table{
      .figures = {{.name = "residual", .value = output.residual, .is_of_run = true}},
      .lists = {{.other = parameters.rank_by == HitsRanking::kHubs ? "authority" : "hub",
                 .rows = &output.top,
                 .available = has_values ? result.provenance.vertices : 0,
                 .has_values = has_values}},
      .error = output.error,
      .other_bytes = TextBytes(output.error)};
  if (output.top.empty()) table.instead = has_values ? "no vertices" : output.error;
  return table;
}

}  // namespace sash
