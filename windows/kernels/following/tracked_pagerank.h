// TrackedPageRank: PageRank of a window after each of its moves, computed from the previous ranks
// and the edges that have changed in between.
//
// It keeps the rows that were copied for the last run, and the state in which that run ended. To
// follow a later view of the window, it compares both views and finds the edges that came and left.
// These edges are stored beside the rows, and the run continues from ranks in which only these
// edges are out of balance. Its error is that of any other run that stops at the same change. When
// a sixteenth of the edges or more changes at once, following is not less work than a new run. When
// an eighth has changed since the rows were copied, they are copied again.
//
// It keeps about 4 bytes an edge and 33 a vertex between runs.
//
// Thread safety: belongs to one thread at a time. Within the tolerance, the ranks depend on the
// views that it has followed. They do not depend on the number of threads.
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
  // Ranks a graph that fits in memory, from options.start or 1/n.
  template <BulkGraphView Graph>
  PageRankResult Begin(const Graph& graph, const PageRankOptions& options) {
    Forget();
    edges_.emplace(graph, RowOrder::kHotFirst, options.threads);
    return Run(graph.id_limit(), options);
  }

  // `before`: the graph of the last run. Options are those of that run, except for the tolerance.
  // Returns nothing if a new run must begin: there was no run, it was cancelled, or too much has
  // changed.
  template <FollowableView Graph>
  std::optional<PageRankResult> Follow(const Graph& before, const Graph& after,
                                       const PageRankOptions& options) {
    const std::size_t edges = after.edge_count();
    if (!edges_ || state_.damping != options.damping || edges == 0 ||
        !edges_->Follow(before, after, edges / kLeastShareOfNewRun, options.threads)) {
      Forget();
      return std::nullopt;
    }
    state_.Follow(*edges_, options.threads);
    if (edges_->changes() > edges / kLeastShareCopied) CopyAgain(after, options.threads);
    return Run(after.id_limit(), options);
  }

  void Forget() {
    edges_.reset();
    state_ = {};
  }

 private:
  static constexpr std::size_t kLeastShareOfNewRun = 16;
  static constexpr std::size_t kLeastShareCopied = 8;

  PageRankResult Run(VertexId id_limit, const PageRankOptions& options) {
    PageRankResult result = PageRank(*edges_, id_limit, options, &state_);
    if (state_.is_empty()) Forget();
    return result;
  }

  template <typename Graph>
  void CopyAgain(const Graph& graph, int threads) {
    const std::vector<VertexId> ids(edges_->ids().begin(), edges_->ids().end());
    edges_.reset();  // before there are new ones
    edges_.emplace(graph, RowOrder::kHotFirst, threads);
    state_.Renumber(*edges_, ids, graph.id_limit(), threads);
  }

  std::optional<InRuns> edges_;
  RankState state_;
};

}  // namespace sash
