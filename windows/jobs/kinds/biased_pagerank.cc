// PageRank by weights, from sources, or along in-edges or both ways.
#include "windows/kernels/biased_pagerank.h"

#include <set>
#include <string>
#include <utility>

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/kinds/pagerank.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/result_error.h"

namespace sash {
namespace {

std::string WhyUnranked(const BiasedPageRankResult& ranked, std::size_t sources) {
  if (sources > 0 && ranked.sources == 0) {
    return sources == 1 ? "the source is not in the window"
                        : "none of the " + std::to_string(sources) + " sources is in the window";
  }
  if (ranked.negative_edges > 0) {
    return NegativeEdgesText(ranked.negative_edges, "ranks by weight need");
  }
  if (ranked.overflowed_edges > 0) {
    return OverflowedEdgesText(ranked.overflowed_edges, "nothing is ranked by weight");
  }
  return "";
}

}  // namespace

KernelRun RunBiasedPageRank(const PageRankParameters& parameters, const RunSetting& setting) {
  BiasedPageRankOptions options{.damping = parameters.damping,
                                .tolerance = parameters.tolerance,
                                .max_iterations = parameters.max_iterations,
                                .weighted = parameters.weighted,
                                .follow = Followed(parameters.direction),
                                .threads = setting.job.threads,
                                .progress = setting.progress};
  if (!parameters.sources.empty()) options.sources = KnownIds(parameters.sources, setting.keys);
  return VisitView(setting.view, [&](const auto& graph) {
    BiasedPageRankResult ranked = BiasedPageRank(graph, options);
    PageRankOutput output;
    output.residual = ranked.residual;
    if (!parameters.sources.empty()) {
      const std::set<VertexKey> given(parameters.sources.begin(), parameters.sources.end());
      output.absent_sources = given.size() - ranked.sources;
      output.error = WhyUnranked(ranked, given.size());
    } else {
      output.error = WhyUnranked(ranked, 0);
    }
    if (!ranked.ranks.empty()) {
      output.top = TopByScore(graph.vertices(), ranked.ranks, setting.job.top, setting.keys);
    }
    KernelRun run{.output = std::move(output),
                  .iterations = ranked.iterations,
                  .converged = ranked.converged,
                  .cancelled = ranked.cancelled};
    run.whole.scores = std::move(ranked.ranks);
    return run;
  });
}

}  // namespace sash
