// The pairs that changed between two graphs over the same ids: pairs that have an edge only in the
// later graph, or only in the earlier one.
//
// Parallel edges are one pair; weights do not matter; a self-loop is a pair. All pairs are counted,
// and the first ones by source, then target, are listed. The graphs may be of different types. An
// id must mean the same vertex in both, which holds for two views that are pinned at the same time.
//
// Thread safety: a pure function. Pairs do not depend on the number of threads.
//
// Source: the difference of two sets by merging sorted lists, Knuth: The art of computer
// programming 3, section 5.2.4.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/neighbour_sets.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"

namespace sash {

struct VertexPair {
  VertexId source = 0;
  VertexId target = 0;
  friend bool operator==(const VertexPair&, const VertexPair&) = default;
};

// Pairs that are in one graph and not in the other.
struct PairChanges {
  std::uint64_t count = 0;
  std::vector<VertexPair> first;  // at most `listed`, in order
};

struct EdgeDifferenceOptions {
  std::size_t listed = 50;  // of each kind
  int threads = 0;          // 0: all the cores
  KernelProgress progress{};
};

struct EdgeDifferenceResult {
  PairChanges appeared;
  PairChanges vanished;
  bool cancelled = false;  // `progress` said stop: both are partial
};

namespace edge_difference {

// Keeps the first `limit` pairs by source, then target, in the order of `less`.
template <typename Less>
class FirstPairs {
 public:
  FirstPairs(std::size_t limit, const Less& less) : limit_(limit), less_(less) {}

  void Add(const VertexPair& pair) {
    ++count_;
    if (limit_ == 0) return;
    const auto before = [this](const VertexPair& a, const VertexPair& b) { return Before(a, b); };
    if (heap_.size() == limit_) {
      if (!Before(pair, heap_.front())) return;
      std::ranges::pop_heap(heap_, before);
      heap_.pop_back();
    }
    heap_.push_back(pair);
    std::ranges::push_heap(heap_, before);
  }

  // Adds what `other` has counted and kept.
  void Merge(const FirstPairs& other) {
    const std::uint64_t count = count_ + other.count_;
    for (const VertexPair& pair : other.heap_) Add(pair);
    count_ = count;
  }

  PairChanges Take() && {
    std::ranges::sort(heap_, [this](const auto& a, const auto& b) { return Before(a, b); });
    return {count_, std::move(heap_)};
  }

 private:
  bool Before(const VertexPair& a, const VertexPair& b) const {
    if (a.source != b.source) return less_(a.source, b.source);
    return a.target != b.target && less_(a.target, b.target);
  }

  std::size_t limit_;
  const Less& less_;
  std::uint64_t count_ = 0;
  std::vector<VertexPair> heap_;  // a heap: the last pair is at the front
};

template <typename Less>
struct Both {
  FirstPairs<Less> appeared;
  FirstPairs<Less> vanished;
};

// Visits the elements of `left` that are not in `right`; both ascend.
template <typename Visit>
void ForEachMissing(std::span<const VertexId> left, std::span<const VertexId> right,
                    const Visit& visit) {
  std::size_t j = 0;
  for (const VertexId v : left) {
    while (j < right.size() && right[j] < v) ++j;
    if (j == right.size() || right[j] != v) visit(v);
  }
}

// The distinct targets of v, including v if it has a self-loop; empty if v is not in the graph.
template <BulkGraphView Graph>
void FillTargets(const Graph& graph, VertexId v, std::vector<VertexId>& targets) {
  targets.clear();
  if (v >= graph.id_limit() || graph.out_degree(v) == 0) return;
  FillSet(
      graph.out(v), kNoVertex, [](VertexId u) { return u; }, targets);
}

}  // namespace edge_difference

// `less` orders vertices for the lists.
template <BulkGraphView Before, BulkGraphView After, typename Less = std::less<VertexId>>
EdgeDifferenceResult EdgeDifference(const Before& before, const After& after,
                                    const EdgeDifferenceOptions& options = {},
                                    const Less& less = {}) {
  using edge_difference::FirstPairs;
  constexpr std::size_t kBlock = 1 << 10;
  std::vector<VertexId> vertices;
  vertices.reserve(std::max(before.vertices().size(), after.vertices().size()));
  std::ranges::set_union(before.vertices(), after.vertices(), std::back_inserter(vertices));
  const FirstPairs<Less> none(options.listed, less);
  edge_difference::Both<Less> all{none, none};
  const auto sweep = [&](std::size_t first, std::size_t last) {
    std::vector<edge_difference::Both<Less>> found(BlockCount(last - first, kBlock), {none, none});
    ParallelBlocks(last - first, kBlock, options.threads,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     std::vector<VertexId> old_targets;
                     std::vector<VertexId> new_targets;
                     for (std::size_t i = first + begin; i < first + end; ++i) {
                       const VertexId v = vertices[i];
                       edge_difference::FillTargets(before, v, old_targets);
                       edge_difference::FillTargets(after, v, new_targets);
                       edge_difference::ForEachMissing(new_targets, old_targets, [&](VertexId u) {
                         found[block].appeared.Add({v, u});
                       });
                       edge_difference::ForEachMissing(old_targets, new_targets, [&](VertexId u) {
                         found[block].vanished.Add({v, u});
                       });
                     }
                   });
    for (const auto& part : found) {
      all.appeared.Merge(part.appeared);
      all.vanished.Merge(part.vanished);
    }
  };
  EdgeDifferenceResult result;
  result.cancelled = !SweepParts(vertices.size(), options.progress, sweep);
  result.appeared = std::move(all.appeared).Take();
  result.vanished = std::move(all.vanished).Take();
  return result;
}

}  // namespace sash
