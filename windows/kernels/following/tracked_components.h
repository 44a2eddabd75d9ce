// TrackedComponents: the weakly connected components of a window after each of its moves, computed
// from a spanning forest of the window before and the edges that have changed in between. The
// components are those of a new run; their labels are other members.
//
// An edge that leaves matters only if it is in the forest, and an edge that comes only if it
// connects two components (ForestRepair). So hardly more is read than the changes. When a
// sixteenth of the edges or more changes at once, or as many edges would be read as the window has,
// a new run costs no more.
//
// It keeps 16 bytes for each vertex between runs.
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
#include "windows/base/parallel.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/following/component_forest.h"
#include "windows/kernels/following/forest_repair.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/view_changes.h"
#include "windows/kernels/wcc.h"

namespace sash {

class TrackedComponents {
 public:
  // Finds the components of a graph that fits in memory.
  template <BulkGraphView Graph>
  WccResult Begin(const Graph& graph, const WccOptions& options) {
    Forget();
    WccResult result = Wcc(graph, options);
    if (result.cancelled) return result;
    std::vector<VertexId> roots = Roots(graph, result.labels);
    std::vector<VertexId> starts;
    for (const VertexId v : graph.vertices()) {
      if (roots[v] == v) starts.push_back(v);
    }
    BfsResult searched = Bfs(
        graph, starts,
        {.follow = FollowedEdges::kBoth, .threads = options.threads, .progress = options.progress});
    result.cancelled = searched.cancelled;
    if (result.cancelled) return result;
    forest_.emplace().Begin(std::move(roots), std::move(searched.depths));
    FindParents(graph, options.threads);
    return result;
  }

  // `before`: the graph of the last run. Returns nothing if a new run must begin: there was no run,
  // it was cancelled, or too much has changed.
  template <FollowableView Graph>
  std::optional<WccResult> Follow(const Graph& before, const Graph& after,
                                  const WccOptions& options) {
    if (!forest_) return std::nullopt;
    options.progress.Begin(RunPhase::kPreparing);
    const std::uint64_t most = after.edge_count() / kLeastShareAnew;
    const std::optional<Changes> changes = Find(before, after, most, options.threads);
    options.progress.Begin(RunPhase::kComputing);
    if (!changes ||
        !ForestRepair(*forest_, after, after.edge_count()).Run(changes->lost, changes->came)) {
      Forget();
      return std::nullopt;
    }
    const auto& names = forest_->names();
    WccResult result{.labels = {names.begin(), names.begin() + after.id_limit()},
                     .components = forest_->components()};
    result.cancelled = options.progress && !options.progress(1, 0);
    if (result.cancelled) Forget();
    options.progress.Begin(RunPhase::kFinishing);
    return result;
  }

  void Forget() { forest_.reset(); }

 private:
  using Edge = ComponentForest::Edge;

  static constexpr std::uint64_t kLeastShareAnew = 16;

  // The changes that may matter to the forest.
  struct Changes {
    std::vector<Edge> lost;
    std::vector<Edge> came;
  };

  // By id, the vertex with the most edges in the same component: it will hardly leave.
  template <BulkGraphView Graph>
  static std::vector<VertexId> Roots(const Graph& graph, const std::vector<VertexId>& labels) {
    const auto degree = [&](VertexId v) {
      return std::uint64_t{graph.out_degree(v)} + graph.in_degree(v);
    };
    std::vector<VertexId> best(labels.size(), kNoVertex);
    for (const VertexId v : graph.vertices()) {
      VertexId& root = best[labels[v]];
      if (root == kNoVertex || degree(v) > degree(root)) root = v;
    }
    std::vector<VertexId> roots(labels.size(), kNoVertex);
    for (const VertexId v : graph.vertices()) roots[v] = best[labels[v]];
    return roots;
  }

  template <BulkGraphView Graph>
  void FindParents(const Graph& graph, int threads) {
    constexpr std::size_t kBlock = 1 << 10;
    const std::span<const VertexId> vertices = graph.vertices();
    ParallelBlocks(vertices.size(), kBlock, threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (const VertexId v : vertices.subspan(begin, end - begin)) {
                       forest_->FindParent(graph, v);
                     }
                   });
  }

  template <FollowableView Graph>
  std::optional<Changes> Find(const Graph& before, const Graph& after, std::size_t most,
                              int threads) const {
    std::vector<Changes> parts(ChangePartCount(before, after));
    const auto visit = [&](std::size_t part, VertexId v, std::span<const VertexId> came,
                           std::span<const VertexId> left) {
      for (const VertexId u : left) {
        if (u == v || forest_->IsParent(u, v) || forest_->IsParent(v, u)) {
          parts[part].lost.push_back({u, v});
        }
      }
      for (const VertexId u : came) {
        const VertexId name = forest_->name(v);
        if (name == kNoVertex || name != forest_->name(u)) parts[part].came.push_back({u, v});
      }
    };
    if (!VisitChanges(before, after, most, threads, visit)) return std::nullopt;
    Changes all;
    for (const Changes& part : parts) {
      all.lost.insert(all.lost.end(), part.lost.begin(), part.lost.end());
      all.came.insert(all.came.end(), part.came.begin(), part.came.end());
    }
    return all;
  }

  std::optional<ComponentForest> forest_;
};

}  // namespace sash
