// The shortest paths between two sets of vertices: to each vertex of the second set, from the
// nearest vertex of the first. Shortest is as in paths.h: the fewest edges, or the least sum of
// weights and then the fewest edges, with at most a given number of edges. Of several shortest
// paths to a vertex, the one whose vertices come first in an order that the caller gives.
//
// One search goes from the first set. It gives a vertex a label for each number of edges that
// allows a lighter path to it than any smaller number does. Once all vertices of the second set are
// reached, it leaves out paths that are as heavy as the heaviest of theirs. Then the labels on
// shortest paths are found from the ends, and put in the order of their paths, from the starts on:
// a path comes before another of as many edges if it comes before up to its last vertex but one, or
// else by its last vertex. So nothing depends on ids or on the order of lists.
//
// Only the lightest of parallel edges counts; self-loops change nothing. A vertex of both sets has
// a path of no edges. Edges with an infinite weight are not followed. If any edge has a negative
// weight, reachable or not, there are no paths by weight.
//
// Thread safety: a pure function. One thread, except to look for negative weights.
//
// Source: the labels are those of Bellman and Ford (Bellman: On a routing problem, Quarterly of
// Applied Mathematics 16, 1958), by the number of edges; by hops, this is breadth-first search.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/base/weight.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/path_edges.h"
#include "windows/kernels/path_side.h"
#include "windows/kernels/paths.h"
#include "windows/kernels/present_vertices.h"
#include "windows/kernels/progress.h"

namespace sash {

struct SetPathsOptions {
  bool by_weight = false;
  FollowedEdges follow = FollowedEdges::kOut;
  int most = kUsualPathEdges;  // edges of a path
  int threads = 0;             // 0: all the cores
  KernelProgress progress{};
};

struct SetPathsResult {
  // The nearest end first; of equally near ends, in the order of the caller.
  std::vector<std::vector<VertexId>> paths;
  int iterations = 0;                // edges of the longest paths that were tried
  std::uint64_t negative_edges = 0;  // in the graph, by weight; if there are any, no paths
  bool cancelled = false;            // `progress` said stop: there are no paths
};

namespace set_paths {

template <BulkGraphView Graph, typename Sum>
class Search {
 public:
  Search(const Graph& graph, const SetPathsOptions& options)
      : graph_(graph), options_(options), newest_(graph.id_limit(), kNoLabel) {}

  template <typename Less>
  SetPathsResult Run(std::span<const VertexId> from, std::span<const VertexId> to,
                     const Less& less) {
    SetPathsResult result;
    options_.progress.Begin(RunPhase::kComputing);
    for (const VertexId v : from) {
      if (newest_[v] == kNoLabel) Label(v, Sum{0});
    }
    layers_ = {0, static_cast<PathLabel>(labels_.size())};
    for (bool goes_on = true; goes_on;) {
      goes_on = Continue(to, result.iterations);
      if (options_.progress && !options_.progress(result.iterations, 0)) {
        result.cancelled = true;
        return result;
      }
    }
    options_.progress.Begin(RunPhase::kFinishing);
    FindWays(to);
    OrderWays(less);
    std::vector<PathLabel> ends;
    for (const VertexId v : to) {
      if (newest_[v] != kNoLabel) ends.push_back(newest_[v]);
    }
    std::ranges::sort(ends, [&](PathLabel a, PathLabel b) {
      const auto cost = [&](PathLabel label) {
        return PathCost<Sum>{labels_[label].weight, static_cast<int>(LayerOf(label))};
      };
      if (!(cost(a) == cost(b))) return cost(a) < cost(b);
      return less(labels_[a].vertex, labels_[b].vertex);
    });
    for (const PathLabel end : ends) result.paths.push_back(PathTo(end));
    return result;
  }

 private:
  static constexpr Sum kUnbounded =
      PathSide<Sum>::kWeighs ? static_cast<Sum>(std::numeric_limits<double>::infinity()) : Sum{1};

  // A vertex that is reached with a number of edges: its labels are in the layer of this number.
  struct Reached {
    Sum weight{};
    VertexId vertex = kNoVertex;
    PathLabel older = kNoLabel;      // of the same vertex: with fewer edges, and heavier
    std::uint32_t place = kNowhere;  // in ways_[layer]
  };
  static constexpr std::uint32_t kNowhere = 0xFFFF'FFFF;

  // A label on a shortest path to an end, and the place of the label before it on the first one.
  struct Way {
    PathLabel label = kNoLabel;
    std::uint32_t origin = kNowhere;
  };

  void Label(VertexId v, Sum weight) {
    labels_.push_back({.weight = weight, .vertex = v, .older = newest_[v]});
    newest_[v] = static_cast<PathLabel>(labels_.size() - 1);
  }

  // Paths that are as heavy as this, or heavier, are of no use any more.
  Sum Bound(std::span<const VertexId> to) const {
    Sum bound{0};
    for (const VertexId v : to) {
      if (newest_[v] == kNoLabel) return kUnbounded;
      bound = std::max(bound, labels_[newest_[v]].weight);
    }
    return bound;
  }

  // Continues the paths of the last layer by one edge. Returns whether there may be more.
  bool Continue(std::span<const VertexId> to, int& iterations) {
    if (iterations == options_.most) return false;
    const Sum bound = Bound(to);
    const PathLabel begin = layers_[layers_.size() - 2];
    const PathLabel end = layers_.back();
    for (PathLabel label = begin; label < end; ++label) {
      const Sum so_far = labels_[label].weight;
      if (!(so_far < bound)) continue;
      ForEachPathEdge<Sum>(graph_, labels_[label].vertex, PathLists::Of(options_.follow, false),
                           [&](VertexId u, Sum weight) {
                             const Sum sum = so_far + weight;
                             if (sum < bound) Reach(u, sum, end);
                           });
    }
    if (labels_.size() == end) return false;
    layers_.push_back(static_cast<PathLabel>(labels_.size()));
    ++iterations;
    return true;
  }

  // `layer`: the first label of the new layer.
  void Reach(VertexId v, Sum weight, PathLabel layer) {
    const PathLabel held = newest_[v];
    if (held == kNoLabel) return Label(v, weight);
    if (!(weight < labels_[held].weight)) return;
    if (held < layer) return Label(v, weight);
    labels_[held].weight = weight;
  }

  std::size_t LayerOf(PathLabel label) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(layers_, label) - layers_.begin()) - 1;
  }

  // visit(origin) for the labels of the layer before from which an edge leads to this label, with
  // this weight.
  template <typename Visit>
  void ForEachOrigin(PathLabel label, std::size_t layer, const Visit& visit) const {
    const Reached& reached = labels_[label];
    ForEachPathEdge<Sum>(graph_, reached.vertex, PathLists::Of(options_.follow, true),
                         [&](VertexId u, Sum weight) {
                           PathLabel origin = newest_[u];
                           while (origin != kNoLabel && origin >= layers_[layer]) {
                             origin = labels_[origin].older;
                           }
                           if (origin == kNoLabel || origin < layers_[layer - 1]) return;
                           if (labels_[origin].weight + weight == reached.weight) visit(origin);
                         });
  }

  void AddWay(PathLabel label, std::size_t layer) {
    if (std::exchange(labels_[label].place, 0) == kNowhere) ways_[layer].push_back({label});
  }

  void FindWays(std::span<const VertexId> to) {
    ways_.resize(layers_.size() - 1);
    for (const VertexId v : to) {
      if (newest_[v] != kNoLabel) AddWay(newest_[v], LayerOf(newest_[v]));
    }
    for (std::size_t layer = ways_.size() - 1; layer > 0; --layer) {
      for (const Way& way : ways_[layer]) {
        ForEachOrigin(way.label, layer, [&](PathLabel origin) { AddWay(origin, layer - 1); });
      }
    }
  }

  template <typename Less>
  void OrderWays(const Less& less) {
    for (std::size_t layer = 0; layer < ways_.size(); ++layer) {
      for (Way& way : ways_[layer]) {
        if (layer == 0) continue;
        ForEachOrigin(way.label, layer, [&](PathLabel origin) {
          way.origin = std::min(way.origin, labels_[origin].place);
        });
      }
      std::ranges::sort(ways_[layer], [&](const Way& a, const Way& b) {
        if (a.origin != b.origin) return a.origin < b.origin;
        return less(labels_[a.label].vertex, labels_[b.label].vertex);
      });
      for (std::uint32_t place = 0; place < ways_[layer].size(); ++place) {
        labels_[ways_[layer][place].label].place = place;
      }
    }
  }

  std::vector<VertexId> PathTo(PathLabel end) const {
    std::size_t layer = LayerOf(end);
    std::vector<VertexId> vertices(layer + 1);
    for (std::uint32_t place = labels_[end].place; place != kNowhere; --layer) {
      const Way& way = ways_[layer][place];
      vertices[layer] = labels_[way.label].vertex;
      place = way.origin;
    }
    return vertices;
  }

  const Graph& graph_;
  const SetPathsOptions& options_;
  std::vector<PathLabel> newest_;       // of each vertex: its lightest
  std::deque<Reached> labels_;          // in the order of layers
  std::vector<PathLabel> layers_;       // the first label of each, and the end of the last
  std::vector<std::vector<Way>> ways_;  // of each layer
};

template <BulkGraphView Graph>
std::uint64_t NegativeEdges(const Graph& graph, int threads) {
  constexpr std::size_t kBlock = 1 << 12;
  const std::span<const VertexId> vertices = graph.vertices();
  std::atomic<std::uint64_t> negative = 0;
  ParallelBlocks(vertices.size(), kBlock, threads,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   std::uint64_t here = 0;
                   for (const VertexId v : vertices.subspan(begin, end - begin)) {
                     for (const auto& neighbour : graph.weighted_out(v)) {
                       const Weight weight = neighbour.weight;
                       here += weight.AsDouble() < 0 ? 1 : 0;
                     }
                   }
                   negative += here;
                 });
  return negative;
}

}  // namespace set_paths

// Ids that are not in the graph reach nothing and are not reached. `less` is a strict order of all
// vertices.
template <BulkGraphView Graph, typename Less>
SetPathsResult PathsBetweenSets(const Graph& graph, std::span<const VertexId> from,
                                std::span<const VertexId> to, const SetPathsOptions& options,
                                const Less& less) {
  const std::vector<VertexId> starts = PresentVertices(graph, from);
  const std::vector<VertexId> ends = PresentVertices(graph, to);
  if (!options.by_weight) {
    return set_paths::Search<Graph, NoPathWeight>(graph, options).Run(starts, ends, less);
  }
  const std::uint64_t negative = set_paths::NegativeEdges(graph, options.threads);
  if (negative > 0) return {.paths = {}, .negative_edges = negative};
  return set_paths::Search<Graph, PathWeight>(graph, options).Run(starts, ends, less);
}

}  // namespace sash
