// The shortest path between two vertices: the fewest edges, or the least sum of weights and then
// the fewest edges, with at most a given number of edges. Of several shortest paths, the first in
// an order that the caller gives.
//
// The search begins at both ends. It continues the paths of one cost together, on the side where
// they have fewer edges to read, until no path that it has not found can be shorter. That is the
// case when the costs that the two sides would continue add up to at least the cost of the best
// path. All shortest paths are then known: the last edge between the sides may still be unread by
// one of them, but not by both.
//
// By weight, a vertex may be reached by a lighter path and by one with fewer edges, and the bound
// on the edges decides later which of them is of use. So both are continued (PathSide). Of parallel
// edges the lightest counts; self-loops change nothing. Weights must be at least 0: if the search
// reads a negative weight, there is no answer. Edges with an infinite weight are not followed.
//
// The search stops before it reads more edges than allowed. Which edges it reads, and so whether it
// stops, depends on the graph and not on ids or on the order of lists.
//
// Thread safety: pure functions; one thread.
//
// Source: Pohl: Bi-directional search (Machine Intelligence 6, 1971), with its rule of continuing
// the side with less work; the stop rule as in Goldberg, Harrelson: Computing the shortest path: A*
// search meets graph theory (SODA 2005), section 4.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/first_path.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/path_edges.h"
#include "windows/kernels/path_side.h"

namespace sash {

inline constexpr int kUsualPathEdges = 6;
// Every vertex may have a label for each number of edges up to this one.
inline constexpr int kMostPathEdges = 100;

struct PathsOptions {
  bool by_weight = false;
  FollowedEdges follow = FollowedEdges::kOut;
  int most = kUsualPathEdges;           // edges of a path
  std::uint64_t most_read = 1'000'000;  // edges; one counts each time that it is read
};

struct PathsResult {
  std::vector<VertexId> vertices;  // of the first shortest path; empty: there is none
  std::uint64_t paths = 0;         // the number of shortest paths (FirstPath)
  std::uint64_t edges_read = 0;
  std::uint64_t edges_needed = 0;    // not 0: more than most_read would have to be read
  std::uint64_t negative_edges = 0;  // that were read; if there are any, there is no answer
};

namespace paths {

template <BulkGraphView Graph, typename Sum>
class Search {
 public:
  Search(const Graph& graph, VertexId from, VertexId to, const PathsOptions& options)
      : graph_(graph),
        options_(options),
        ahead_{PathSide<Sum>(from, options.most), PathLists::Of(options.follow, false)},
        behind_{PathSide<Sum>(to, options.most), PathLists::Of(options.follow, true)},
        best_{kWeighs ? static_cast<Sum>(std::numeric_limits<double>::infinity()) : Sum{0},
              options.most} {}

  template <typename Less>
  PathsResult Run(VertexId from, const Less& less) {
    Meet(from, {}, behind_);
    CountEdges(ahead_);
    CountEdges(behind_);
    while (!ahead_.side.group().empty() && !behind_.side.group().empty() &&
           ahead_.side.nearest() + behind_.side.nearest() < best_) {
      const bool is_ahead = ahead_.edges <= behind_.edges;
      Half& half = is_ahead ? ahead_ : behind_;
      const std::uint64_t needed = result_.edges_read + half.edges;
      if (needed > options_.most_read) {
        result_.edges_needed = needed;
        return std::move(result_);
      }
      result_.edges_read = needed;
      Continue(half, is_ahead ? behind_ : ahead_);
      if (result_.negative_edges > 0) return std::move(result_);
    }
    if (!found_) return std::move(result_);
    FirstPath first = FirstOfPaths(Layers(), from, less);
    result_.vertices = std::move(first.vertices);
    result_.paths = first.paths;
    return std::move(result_);
  }

 private:
  static constexpr bool kWeighs = PathSide<Sum>::kWeighs;
  using Cost = PathCost<Sum>;

  struct Half {
    PathSide<Sum> side;
    PathLists lists{};
    std::uint64_t edges = 0;  // of the side's group
  };

  void CountEdges(Half& half) const {
    half.edges = 0;
    for (const PathLabel label : half.side.group()) {
      const VertexId v = half.side.vertex(label);
      if (half.lists.out) half.edges += graph_.out_degree(v);
      if (half.lists.in) half.edges += graph_.in_degree(v);
    }
  }

  void Continue(Half& half, const Half& other) {
    for (const PathLabel label : half.side.group()) {
      const Cost so_far = half.side.cost(label);
      result_.negative_edges += ForEachPathEdge<Sum>(graph_, half.side.vertex(label), half.lists,
                                                     [&](VertexId u, Sum weight) {
                                                       const Cost cost = so_far + Cost{weight, 1};
                                                       if (best_ < cost) return;
                                                       if (half.side.Reach(u, cost, label))
                                                         Meet(u, cost, other);
                                                     });
    }
    half.side.TakeNearest();
    CountEdges(half);
  }

  // One side has reached u at this cost.
  void Meet(VertexId u, const Cost& cost, const Half& other) {
    other.side.ForEachLabelOf(u, [&](PathLabel label) {
      const Cost whole = cost + other.side.cost(label);
      if (whole.edges > options_.most || (found_ && !(whole < best_))) return;
      found_ = true;
      best_ = whole;
    });
  }

  // All shortest paths.
  PathLayers Layers() {
    PathLayers layers(static_cast<std::size_t>(best_.edges));
    PathSide<Sum>& ahead = ahead_.side;
    PathSide<Sum>& behind = behind_.side;
    ahead.ForEachLabel([&](PathLabel label) {
      bool meets = false;
      behind.ForEachLabelOf(ahead.vertex(label), [&](PathLabel other) {
        if (!(ahead.cost(label) + behind.cost(other) == best_)) return;
        meets = true;
        behind.ForEachStepTo(other, [&](PathLabel nearer, PathLabel farther) {
          layers[static_cast<std::size_t>(best_.edges - behind.cost(farther).edges)].push_back(
              {behind.vertex(farther), behind.vertex(nearer)});
        });
      });
      if (!meets) return;
      ahead.ForEachStepTo(label, [&](PathLabel nearer, PathLabel farther) {
        layers[static_cast<std::size_t>(ahead.cost(nearer).edges)].push_back(
            {ahead.vertex(nearer), ahead.vertex(farther)});
      });
    });
    return layers;
  }

  const Graph& graph_;
  const PathsOptions& options_;
  Half ahead_;
  Half behind_;
  Cost best_;  // of a path; of the longest one that is allowed, until one is found
  bool found_ = false;
  PathsResult result_;
};

}  // namespace paths

// The first shortest path from `from` to `to`, which are vertices of the graph. `less` is a strict
// order of all vertices.
template <BulkGraphView Graph, typename Less>
PathsResult ShortestPath(const Graph& graph, VertexId from, VertexId to,
                         const PathsOptions& options, const Less& less) {
  if (options.by_weight) {
    return paths::Search<Graph, PathWeight>(graph, from, to, options).Run(from, less);
  }
  return paths::Search<Graph, NoPathWeight>(graph, from, to, options).Run(from, less);
}

}  // namespace sash
