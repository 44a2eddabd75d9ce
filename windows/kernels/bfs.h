// Breadth-first search, direction-optimising.
//
// Small frontiers push along their edges. Once the frontier has more edges than a share of the
// unexplored ones, the unvisited vertices look for a parent instead (bottom-up) and stop at the
// first. All roots start one traversal together. Roots that are not in the graph reach nothing.
// Self-loops and parallel edges change no depth.
//
// With `tree` the search also says which parent it found: the least id of a pushed level, the first
// in the list of a pulled level. So one view has the same tree with any number of threads; views
// with other ids or other lists may have another. bfs_parents.h has the parent by an order of the
// caller, at the cost of reading lists to their end.
//
// Thread safety: pure functions.
//
// Source: Beamer, Asanović, Patterson: Direction-optimizing breadth-first search (SC 2012), with
// its α = 15 and β = 18 as in the GAP benchmark suite.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/has_edge.h"
#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/rows/fetch_ahead.h"

namespace sash {

struct BfsOptions {
  FollowedEdges follow = FollowedEdges::kOut;
  int threads = 0;  // 0: all the cores
  // Reads lists in ascending order of ids, level by level, and copies none: for graphs on disk
  // (LLAMA thesis, figure 5.1).
  bool sweeps = false;
  bool tree = false;  // the parent of each reached vertex, too
  KernelProgress progress{};
};

inline constexpr std::int32_t kUnreached = -1;

struct BfsResult {
  std::vector<std::int32_t> depths;   // by id; kUnreached where not reached
  std::vector<VertexId> parents{};    // by id, with `tree`; kNoVertex: a root, or not reached
  std::vector<std::uint64_t> levels;  // vertices at each depth, the roots first
  std::uint64_t reached = 0;
  bool cancelled = false;  // `progress` said stop: the depths are partial
};

namespace bfs {

inline constexpr std::size_t kBlock = 1 << 12;  // vertices
inline constexpr std::uint64_t kAlpha = 15;
inline constexpr std::uint64_t kBeta = 18;

class Bitmap {
 public:
  explicit Bitmap(std::size_t bits) : words_((bits + 63) / 64) {}
  bool Get(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void Set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void Clear() { std::ranges::fill(words_, 0); }

 private:
  std::vector<std::uint64_t> words_;
};

template <BulkGraphView Graph, bool kTree>
class Search {
 public:
  Search(const Graph& graph, const BfsOptions& options, BfsResult& result)
      : graph_(graph), options_(options), result_(result), frontier_bits_(graph.id_limit()) {}

  void Run(std::span<const VertexId> roots) {
    result_.depths.assign(graph_.id_limit(), kUnreached);
    if constexpr (kTree) result_.parents.assign(graph_.id_limit(), kNoVertex);
    for (const VertexId root : roots) {
      if (!HasEdge(graph_, root) || result_.depths[root] != kUnreached) continue;
      result_.depths[root] = 0;
      frontier_.push_back(root);
    }
    unexplored_ = TotalDegree();
    options_.progress.Begin(RunPhase::kComputing);
    bool bottom_up = false;
    for (std::int32_t depth = 1; !frontier_.empty(); ++depth) {
      CloseLevel();
      bottom_up = bottom_up ? frontier_.size() > graph_.vertices().size() / kBeta
                            : ExploreFrontier() > unexplored_ / kAlpha;
      if (bottom_up) {
        StepBottomUp(depth);
      } else {
        StepTopDown(depth);
      }
      if (options_.progress && !options_.progress(depth, 0)) {
        result_.cancelled = true;
        return;
      }
    }
  }

 private:
  void CloseLevel() {
    result_.levels.push_back(frontier_.size());
    result_.reached += frontier_.size();
  }

  std::uint64_t Degree(VertexId v) const {
    switch (options_.follow) {
      case FollowedEdges::kOut:
        return graph_.out_degree(v);
      case FollowedEdges::kIn:
        return graph_.in_degree(v);
      case FollowedEdges::kBoth:
        break;
    }
    return std::uint64_t{graph_.out_degree(v)} + graph_.in_degree(v);
  }
  std::uint64_t TotalDegree() const {
    return graph_.edge_count() * (options_.follow == FollowedEdges::kBoth ? 2 : 1);
  }
  // Takes the edges of the frontier off the unexplored ones, and returns their number. Not called
  // while levels are pulled, as in the GAP benchmark suite: large frontiers cost more to count than
  // the next decision is worth.
  std::uint64_t ExploreFrontier() {
    const auto edges = ParallelSum<std::uint64_t>(frontier_.size(), kBlock, options_.threads,
                                                  [&](std::size_t begin, std::size_t end) {
                                                    std::uint64_t sum = 0;
                                                    for (std::size_t i = begin; i < end; ++i)
                                                      sum += Degree(frontier_[i]);
                                                    return sum;
                                                  });
    unexplored_ -= std::min(unexplored_, edges);
    return edges;
  }

  void StepTopDown(std::int32_t depth) {
    std::vector<std::vector<VertexId>> found(BlockCount(frontier_.size(), kBlock));
    ParallelBlocks(frontier_.size(), kBlock, options_.threads,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       FetchListsAhead(frontier_, i, [&](VertexId v, FetchStep step) {
                         Fetch(graph_, options_.follow, v, step);
                       });
                       const VertexId v = frontier_[i];
                       VisitUntil(graph_, options_.follow, v, false, [&](VertexId u) {
                         if (Claim(v, u, depth)) found[block].push_back(u);
                         return true;
                       });
                     }
                   });
    Gather(found);
  }

  // True for the one caller that reaches u first. Every caller offers v as the parent.
  bool Claim(VertexId v, VertexId u, std::int32_t depth) {
    std::atomic_ref<std::int32_t> slot(result_.depths[u]);
    std::int32_t known = slot.load(std::memory_order_relaxed);
    const bool is_first = known == kUnreached &&
                          slot.compare_exchange_strong(known, depth, std::memory_order_relaxed);
    if constexpr (kTree) {
      if (is_first || known == depth) OfferParent(v, u);
    }
    return is_first;
  }
  // The least id stays.
  void OfferParent(VertexId v, VertexId u) {
    std::atomic_ref<VertexId> parent(result_.parents[u]);
    VertexId known = parent.load(std::memory_order_relaxed);
    while (v < known && !parent.compare_exchange_weak(known, v, std::memory_order_relaxed)) {
    }
  }

  void StepBottomUp(std::int32_t depth) {
    frontier_bits_.Clear();
    for (const VertexId v : frontier_) frontier_bits_.Set(v);
    const std::span<const VertexId> vertices = graph_.vertices();
    std::vector<std::vector<VertexId>> found(BlockCount(vertices.size(), kBlock));
    ParallelBlocks(vertices.size(), kBlock, options_.threads,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     PullBlock(vertices.subspan(begin, end - begin), depth, found[block]);
                   });
    Gather(found);
  }

  void PullBlock(std::span<const VertexId> vertices, std::int32_t depth,
                 std::vector<VertexId>& found) {
    std::array<VertexId, kBlock> unreached;
    std::size_t count = 0;
    for (const VertexId v : vertices) {
      unreached[count] = v;
      count += result_.depths[v] == kUnreached ? 1 : 0;
    }
    const std::span<const VertexId> pulling = std::span(unreached).first(count);
    const auto fetch = [&](VertexId v, FetchStep step) {
      Fetch(graph_, Backwards(options_.follow), v, step);
    };
    FetchFirstLists(pulling, fetch);
    for (std::size_t i = 0; i < count; ++i) {
      FetchListsAhead(pulling, i, fetch);
      const VertexId v = pulling[i];
      VisitUntil(graph_, options_.follow, v, true, [&](VertexId u) {
        if (!frontier_bits_.Get(u)) return true;
        result_.depths[v] = depth;
        if constexpr (kTree) result_.parents[v] = u;
        found.push_back(v);
        return false;
      });
    }
  }

  void Gather(const std::vector<std::vector<VertexId>>& found) {
    frontier_.clear();
    for (const auto& part : found) frontier_.insert(frontier_.end(), part.begin(), part.end());
    if (options_.sweeps) std::ranges::sort(frontier_);
  }

  const Graph& graph_;
  const BfsOptions& options_;
  BfsResult& result_;
  std::vector<VertexId> frontier_;
  Bitmap frontier_bits_;
  std::uint64_t unexplored_ = 0;
};

}  // namespace bfs

template <BulkGraphView Graph>
BfsResult Bfs(const Graph& graph, std::span<const VertexId> roots, const BfsOptions& options = {}) {
  BfsResult result;
  if (options.tree) {
    bfs::Search<Graph, true>(graph, options, result).Run(roots);
  } else {
    bfs::Search<Graph, false>(graph, options, result).Run(roots);
  }
  options.progress.Begin(RunPhase::kFinishing);
  return result;
}

}  // namespace sash
