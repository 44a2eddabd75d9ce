// TrackedPageRank: PageRank of a window again and again, for no more than what has changed in
// between.
//
// It keeps the rows that were copied for the last run and where that run ended. A later view of the
// window has them follow: the edges that came and left are found by comparing both views, the rows
// have them beside, and the run goes on from ranks in which nothing but these edges is out of
// balance. Its error is that of any other run that stops at the same change. When a sixteenth of
// the edges or more changes at once, that is no less work than to begin anew; when an eighth has
// changed since the rows were copied, they are copied.
//
// It keeps some 4 bytes an edge and 33 a vertex between runs.
//
// Thread safety: belongs to one thread at a time. What it finds depends on the views that it has
// followed, within the tolerance, and not on the number of threads.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "windows/kernels/graph_view.h"
#include "windows/kernels/pagerank.h"
#include "windows/kernels/rows/in_runs.h"
#include "windows/kernels/rows/rank_state.h"
#include "windows/kernels/view_changes.h"

namespace sash {

class TrackedPageRank {
 public:
  // Of a graph that fits the memory, from options.start or 1/n.
  template <GraphView Graph>
  PageRankResult Begin(const Graph& graph, const PageRankOptions& options) {
    Forget();
    edges_.emplace(graph, RowOrder::kHotFirst, options.threads);
    return Run(graph.id_limit(), options);
  }

  // `before`: what the last run ranked. Options are as they were, but for the tolerance. Nothing is
  // returned if it has to be begun anew: there was no run, or it was cancelled, or too much has
  // changed.
  template <FollowableView Graph>
  std::optional<PageRankResult> Follow(const Graph& before, const Graph& after,
                                       const PageRankOptions& options) {
    const std::size_t edges = after.edge_count();
    if (!edges_ || state_.damping != options.damping || edges == 0 ||
        !edges_->Follow(before, after, edges / kLeastShareAnew, options.threads)) {
      Forget();
      return std::nullopt;
    }
    state_.Follow(*edges_, options.threads);
    if (edges_->changes() > edges / kLeastShareCopied) CopyAnew(after, options.threads);
    return Run(after.id_limit(), options);
  }

  void Forget() {
    edges_.reset();
    state_ = {};
  }

 private:
  static constexpr std::size_t kLeastShareAnew = 16;
  static constexpr std::size_t kLeastShareCopied = 8;

  PageRankResult Run(VertexId id_limit, const PageRankOptions& options) {
    PageRankResult result = PageRank(*edges_, id_limit, options, &state_);
    if (state_.is_empty()) Forget();
    return result;
  }

  template <typename Graph>
  void CopyAnew(const Graph& graph, int threads) {
    const std::vector<VertexId> ids(edges_->ids().begin(), edges_->ids().end());
    edges_.reset();  // before there are others
    edges_.emplace(graph, RowOrder::kHotFirst, threads);
    state_.Renumber(*edges_, ids, graph.id_limit(), threads);
  }

  std::optional<InRuns> edges_;
  RankState state_;
};

}  // namespace sash
