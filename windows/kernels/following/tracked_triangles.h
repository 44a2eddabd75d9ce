// TrackedTriangles: the triangles of a window after each of its moves, computed from the previous
// counts and the edges that have changed in between. The counts are those of a new run.
//
// A triangle is lost if one of its pairs of neighbours leaves, and gained if one comes. So only the
// neighbours of such pairs are read, always those of the end with fewer neighbours. When a
// sixteenth of the edges or more changes at once, following is not less work than a new run.
//
// It keeps about ten bytes for each pair of neighbours and eight for each vertex between runs.
//
// Thread safety: belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/following/pair_lists.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/triangles.h"
#include "windows/kernels/view_changes.h"

namespace sash {

class TrackedTriangles {
 public:
  // Counts a graph that fits in memory.
  template <BulkGraphView Graph>
  TrianglesResult Begin(const Graph& graph, const TrianglesOptions& options) {
    Forget();
    TrianglesResult result = Triangles(graph, options);
    if (result.cancelled) return result;
    pairs_.emplace().Fill(graph, options.threads);
    triangles_ = result.triangles;
    return result;
  }

  // `before`: the graph of the last run; `counts`: of its result. Returns nothing if a new run must
  // begin: there was no run, it was cancelled, or too much has changed.
  template <FollowableView Graph>
  std::optional<TrianglesResult> Follow(const Graph& before, const Graph& after,
                                        std::vector<std::uint64_t> counts,
                                        const TrianglesOptions& options) {
    if (!pairs_) return std::nullopt;
    options.progress.Begin(RunPhase::kPreparing);
    auto changes =
        Changes(before, after, after.edge_count() / kLeastShareOfNewRun, options.threads);
    auto followed = changes
                        ? Follow(*std::move(changes), after.id_limit(), std::move(counts), options)
                        : std::nullopt;
    if (!followed || followed->cancelled) Forget();
    return followed;
  }

  void Forget() { pairs_.reset(); }

 private:
  static constexpr std::size_t kLeastShareOfNewRun = 16;

  template <FollowableView Graph>
  static std::optional<std::vector<PairChange>> Changes(const Graph& before, const Graph& after,
                                                        std::size_t most, int threads) {
    std::vector<std::vector<PairChange>> parts(ChangePartCount(before, after));
    const auto changed =
        VisitChanges(before, after, most, threads,
                     [&](std::size_t part, VertexId v, std::span<const VertexId> came,
                         std::span<const VertexId> left) {
                       const auto add = [&](std::span<const VertexId> sources, std::int64_t edges) {
                         for (const VertexId u : sources) {
                           if (u == v) continue;
                           parts[part].push_back({v, u, edges});
                           parts[part].push_back({u, v, edges});
                         }
                       };
                       add(came, 1);
                       add(left, -1);
                     });
    if (!changed) return std::nullopt;
    std::vector<PairChange> all;
    all.reserve(2 * *changed);
    for (const std::vector<PairChange>& part : parts) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }

  std::optional<TrianglesResult> Follow(std::vector<PairChange> changes, VertexId id_limit,
                                        std::vector<std::uint64_t> counts,
                                        const TrianglesOptions& options);

  std::optional<PairLists> pairs_;
  std::uint64_t triangles_ = 0;  // of the last run
};

}  // namespace sash
