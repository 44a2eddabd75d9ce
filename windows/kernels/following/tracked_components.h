// TrackedComponents: the weakly connected components of a window after each of its moves, computed
// from a spanning forest of the window before and the edges that have changed in between. The
// components are the same as those of a new run, but other members may be their labels.
//
// An edge that leaves matters only if it is in the forest, and an edge that comes only if it
// connects two components (ForestRepair). So hardly more is read than the changes. Where edges only
// age out, the records of the slices say how many edges each list has lost. The forest compares
// this with the places of its edges, so no changed edge is looked for. When a sixteenth of the
// edges or more changes at once, or as many edges would be read as the window has, a new run costs
// no more.
//
// It keeps 22 bytes for each vertex between runs.
//
// Thread safety: belongs to one thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/base/sort_distinct.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/following/component_forest.h"
#include "windows/kernels/following/forest_repair.h"
#include "windows/kernels/following/place_in_list.h"
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
    const std::uint64_t most = after.edge_count() / kLeastShareOfNewRun;
    if (after.RoughChanges(before) > most) return GiveUp();
    constexpr std::uint64_t kWorthThreads = 1 << 14;  // edges
    const int threads = after.RoughChanges(before) < kWorthThreads ? 1 : options.threads;
    std::optional<Changes> changes = Told(before, after, threads);
    const bool are_told = changes.has_value();
    if (!are_told) changes = Find(before, after, most, options.threads);
    options.progress.Begin(RunPhase::kComputing);
    if (!changes || !ForestRepair(*forest_, after, after.edge_count())
                         .Run(changes->orphans, changes->bare_roots, changes->came, threads)) {
      return GiveUp();
    }
    if (!are_told && after.keeps_order()) forest_->ForgetPlaces();
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

  static constexpr std::uint64_t kLeastShareOfNewRun = 16;

  // The changes that may matter to the forest, as ForestRepair wants them.
  struct Changes {
    std::vector<VertexId> orphans;
    std::vector<VertexId> bare_roots;
    std::vector<Edge> came;
    void Append(const Changes& more) {
      orphans.insert(orphans.end(), more.orphans.begin(), more.orphans.end());
      bare_roots.insert(bare_roots.end(), more.bare_roots.begin(), more.bare_roots.end());
      came.insert(came.end(), more.came.begin(), more.came.end());
    }
  };

  std::optional<WccResult> GiveUp() {
    Forget();
    return std::nullopt;
  }

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

  // The changes according to the records of the slices; nothing if the records do not reach back
  // far enough. Brings the places in the forest up to date.
  //
  // The lists of vertices in the greatest component are not read: an edge that comes to such a
  // vertex matters only if its other end is outside, and then it is in a list of that end too.
  template <FollowableView Graph>
  std::optional<Changes> Told(const Graph& before, const Graph& after, int threads) {
    const auto out = after.CountOutChanges(before);
    const auto in = after.CountInChanges(before);
    if (!out || !in) return std::nullopt;
    using List = PlaceInList::List;
    std::array<Changes, 2> parts;
    ParallelBlocks(parts.size(), 1, threads, [&](std::size_t i, std::size_t, std::size_t) {
      if (i == 0) {
        TakeDepartures(*out, List::kOut, parts[i]);
        TakeDepartures(*in, List::kIn, parts[i]);
      } else {
        TakeArrivals(*out, List::kOut, after, parts[i].came);
        TakeArrivals(*in, List::kIn, after, parts[i].came);
      }
    });
    Changes all;
    for (const Changes& part : parts) all.Append(part);
    return all;
  }

  template <typename CountedChanges>
  void TakeDepartures(const CountedChanges& counted, PlaceInList::List list, Changes& changes) {
    counted.ForEachDeparture([&](VertexId v, std::uint32_t edges) {
      if (forest_->Lose(v, edges, list)) {
        changes.orphans.push_back(v);
      } else if (forest_->IsRoot(v)) {
        changes.bare_roots.push_back(v);
      }
    });
  }

  template <typename CountedChanges, FollowableView Graph>
  void TakeArrivals(const CountedChanges& counted, PlaceInList::List list, const Graph& after,
                    std::vector<Edge>& came) const {
    const VertexId greatest = forest_->greatest();
    std::vector<std::pair<VertexId, std::uint32_t>> lists;  // each with the number of new edges
    counted.ForEachArrival([&](VertexId v, std::uint32_t edges) {
      if (forest_->name(v) != greatest) lists.emplace_back(v, edges);
    });
    std::ranges::sort(lists);
    for (auto next = lists.begin(); next != lists.end();) {
      const VertexId v = next->first;
      std::uint32_t edges = 0;
      for (; next != lists.end() && next->first == v; ++next) edges += next->second;
      const auto take = [&](std::span<const VertexId> neighbours) {
        const std::size_t count = std::min<std::size_t>(edges, neighbours.size());
        for (const VertexId u : neighbours.last(count)) {
          if (Connects(u, v)) {
            came.push_back(list == PlaceInList::List::kOut ? Edge{v, u} : Edge{u, v});
          }
        }
        edges -= static_cast<std::uint32_t>(count);
        return edges > 0;
      };
      if (list == PlaceInList::List::kOut) {
        after.ReadOutNeighbours(v, take);
      } else {
        after.ReadInNeighbours(v, take);
      }
    }
  }

  // Whether an edge between u and v connects what is not known to be connected.
  bool Connects(VertexId u, VertexId v) const {
    const VertexId name = forest_->name(v);
    return name == kNoVertex || name != forest_->name(u);
  }

  template <FollowableView Graph>
  std::optional<Changes> Find(const Graph& before, const Graph& after, std::size_t most,
                              int threads) const {
    std::vector<Changes> parts(ChangePartCount(before, after));
    const auto visit = [&](std::size_t part, VertexId v, std::span<const VertexId> came,
                           std::span<const VertexId> left) {
      for (const VertexId u : left) {
        for (const auto [parent, child] : {Edge{u, v}, Edge{v, u}}) {
          if (forest_->IsParent(parent, child)) parts[part].orphans.push_back(child);
          if (forest_->IsRoot(parent)) parts[part].bare_roots.push_back(parent);
        }
      }
      for (const VertexId u : came) {
        if (Connects(u, v)) parts[part].came.push_back({u, v});
      }
    };
    if (!VisitChanges(before, after, most, threads, visit)) return std::nullopt;
    Changes all;
    for (const Changes& part : parts) all.Append(part);
    SortDistinct(all.orphans);
    return all;
  }

  std::optional<ComponentForest> forest_;
};

}  // namespace sash
