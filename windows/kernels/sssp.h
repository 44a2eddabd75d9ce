// Shortest distances from one or several roots, by delta-stepping.
//
// Vertices wait in buckets by their tentative distance; each bucket is `delta` wide. The vertices
// of the nearest bucket are settled together, in parallel, and again as long as one of them gets
// nearer. A distance is the least sum of weights over all paths, added from the root on. Since
// rounding is monotone, the distance does not depend on the order of the threads. All roots start
// together; roots that are not in the graph reach nothing. Of parallel edges the lightest counts;
// self-loops change nothing.
//
// If any edge has a negative weight, reachable or not, there is no answer: `negative_edges` counts
// these edges, and nothing is reached. A vertex is not reached if every path to it has a sum beyond
// the range of a double: `overflowed` counts these vertices.
//
// Thread safety: a pure function.
//
// Source: Meyer, Sanders: Δ-stepping, a parallelizable shortest path algorithm (Journal of
// Algorithms 49, 2003), section 2; as in the GAP benchmark suite, light and heavy edges are not
// separated. `delta` follows their analysis: the greatest weight divided by the mean degree.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/present_vertices.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/weighted_rows.h"

namespace sash {

struct SsspOptions {
  FollowedEdges follow = FollowedEdges::kOut;
  double delta = 0;  // width of a bucket; 0: chosen from the weights
  int threads = 0;   // 0: all the cores
  KernelProgress progress{};
};

inline constexpr double kUnreachedDistance = std::numeric_limits<double>::infinity();
// Not a number, so that it is not below kUnreachedDistance.
inline constexpr double kOverflowedDistance = std::numeric_limits<double>::quiet_NaN();

struct SsspResult {
  std::vector<double> distances;  // by id; kUnreachedDistance if there is no path,
                                  // kOverflowedDistance if no path's sum fits a double
  std::uint64_t reached = 0;
  std::uint64_t overflowed = 0;      // vertices
  int iterations = 0;                // rounds in which vertices were settled together
  std::uint64_t negative_edges = 0;  // in the graph; if there are any, nothing is reached
  bool cancelled = false;            // `progress` said stop: the distances are partial
};

namespace sssp {

// The waiting vertices by distance. The near buckets form an array that begins at `first_`.
// Vertices farther away are in one pile, which is distributed once the array has been processed.
class Buckets {
 public:
  explicit Buckets(double delta) : delta_(delta), near_(kNear) {}

  void Put(VertexId v, double distance) {
    const std::uint64_t place = Place(distance);
    if (place < first_ + kNear) {
      near_[std::max(place, current_) - first_].push_back(v);
    } else {
      far_.push_back(v);
    }
  }

  // Takes the vertices of the nearest bucket that is not empty; false when all are empty.
  // `distances` says to which bucket each far vertex belongs by now.
  bool TakeNearest(const std::vector<double>& distances, std::vector<VertexId>& taken) {
    taken.clear();
    for (;;) {
      for (; current_ < first_ + kNear; ++current_) {
        if (near_[current_ - first_].empty()) continue;
        taken.swap(near_[current_ - first_]);
        return true;
      }
      if (far_.empty()) return false;
      SortInFar(distances);
    }
  }
  // Whether `distance` belongs to a vertex that was settled with an earlier bucket.
  bool IsPast(double distance) const { return Place(distance) < current_; }

 private:
  static constexpr std::uint64_t kNear = 256;
  // Greater places share one bucket, which costs rounds and changes no distance.
  static constexpr double kMostPlaces = 0x1p62;

  std::uint64_t Place(double distance) const {
    return static_cast<std::uint64_t>(std::min(distance / delta_, kMostPlaces));
  }

  void SortInFar(const std::vector<double>& distances) {
    std::vector<VertexId> waiting;
    waiting.swap(far_);
    std::erase_if(waiting, [&](VertexId v) { return IsPast(distances[v]); });
    if (waiting.empty()) return;
    first_ = std::numeric_limits<std::uint64_t>::max();
    for (const VertexId v : waiting) first_ = std::min(first_, Place(distances[v]));
    current_ = first_;
    for (const VertexId v : waiting) Put(v, distances[v]);
  }

  const double delta_;
  std::vector<std::vector<VertexId>> near_;
  std::vector<VertexId> far_;
  std::uint64_t first_ = 0;    // place of the first near bucket
  std::uint64_t current_ = 0;  // of the bucket that is being settled
};

class Search {
 public:
  Search(const WeightedRows& rows, const SsspOptions& options, SsspResult& result)
      : rows_(rows),
        options_(options),
        result_(result),
        buckets_(options.delta > 0 ? options.delta : ChosenDelta(rows)) {}

  void Run(std::span<const VertexId> roots) {
    for (const VertexId root : roots) {
      result_.distances[root] = 0;
      buckets_.Put(root, 0);
    }
    std::vector<VertexId> frontier;
    while (buckets_.TakeNearest(result_.distances, frontier)) {
      Relax(frontier);
      ++result_.iterations;
      if (options_.progress && !options_.progress(result_.iterations, 0)) {
        result_.cancelled = true;
        return;
      }
    }
  }

 private:
  static constexpr std::size_t kBlock = 256;  // vertices of the frontier

  static double ChosenDelta(const WeightedRows& rows) {
    const double delta = rows.greatest_weight() / std::max(1.0, rows.mean_degree());
    return delta > 0 ? delta : 1;
  }

  double Distance(VertexId v) const {
    return std::atomic_ref(result_.distances[v]).load(std::memory_order_relaxed);
  }

  // True when `distance` is less than the distance of v, which it then replaces.
  bool Lower(VertexId v, double distance) {
    std::atomic_ref<double> slot(result_.distances[v]);
    double held = slot.load(std::memory_order_relaxed);
    while (distance < held) {
      if (slot.compare_exchange_weak(held, distance, std::memory_order_relaxed)) return true;
    }
    return false;
  }

  void Relax(std::span<const VertexId> frontier) {
    std::vector<std::vector<VertexId>> nearer(BlockCount(frontier.size(), kBlock));
    ParallelBlocks(frontier.size(), kBlock, options_.threads,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     for (const VertexId v : frontier.subspan(begin, end - begin)) {
                       const double distance = Distance(v);
                       if (buckets_.IsPast(distance)) continue;
                       const WeightedRows::Row row = rows_.row(v);
                       for (std::size_t i = 0; i < row.targets.size(); ++i) {
                         if (Lower(row.targets[i], distance + row.weights[i])) {
                           nearer[block].push_back(row.targets[i]);
                         }
                       }
                     }
                   });
    for (const auto& part : nearer) {
      for (const VertexId v : part) buckets_.Put(v, result_.distances[v]);
    }
  }

  const WeightedRows& rows_;
  const SsspOptions& options_;
  SsspResult& result_;
  Buckets buckets_;
};

// Gives kOverflowedDistance to the vertices that have paths but none with a finite sum; returns
// their number.
inline std::uint64_t MarkOverflowed(const WeightedRows& rows, std::span<const VertexId> vertices,
                                    std::vector<double>& distances) {
  std::vector<VertexId> waiting;
  for (const VertexId v : vertices) {
    if (distances[v] < kUnreachedDistance) waiting.push_back(v);
  }
  std::uint64_t marked = 0;
  while (!waiting.empty()) {
    const VertexId v = waiting.back();
    waiting.pop_back();
    for (const VertexId target : rows.row(v).targets) {
      if (distances[target] != kUnreachedDistance) continue;
      distances[target] = kOverflowedDistance;
      ++marked;
      waiting.push_back(target);
    }
  }
  return marked;
}

}  // namespace sssp

template <BulkGraphView Graph>
SsspResult Sssp(const Graph& graph, std::span<const VertexId> roots,
                const SsspOptions& options = {}) {
  SsspResult result;
  result.distances.assign(graph.id_limit(), kUnreachedDistance);
  const WeightedRows rows(graph, options.follow, options.threads);
  result.negative_edges = rows.negative_edges();
  if (result.negative_edges > 0) return result;
  sssp::Search search(rows, options, result);
  options.progress.Begin(RunPhase::kComputing);
  search.Run(PresentVertices(graph, roots));
  options.progress.Begin(RunPhase::kFinishing);
  double farthest = 0;
  for (const VertexId v : graph.vertices()) {
    const double distance = result.distances[v];
    if (!(distance < kUnreachedDistance)) continue;
    ++result.reached;
    farthest = std::max(farthest, distance);
  }
  const bool may_overflow = rows.overflowed_edges() > 0 ||
                            farthest + rows.greatest_weight() > std::numeric_limits<double>::max();
  if (may_overflow && !result.cancelled) {
    result.overflowed = sssp::MarkOverflowed(rows, graph.vertices(), result.distances);
  }
  return result;
}

}  // namespace sash
