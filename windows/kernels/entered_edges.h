// EnteredEdges: the pairs that have an edge in a graph and had none in an earlier graph over the
// same ids, in a given order. Self-loops do not count. If a least weight is given, both graphs
// consist only of the edges that have it, so a pair also enters with a heavier edge.
//
// Thread safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"
#include "windows/base/sort_distinct.h"
#include "windows/kernels/edge_difference.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/neighbour_sets.h"
#include "windows/kernels/ordered_rows.h"

namespace sash {

// Invariants
//   (1) pairs_ is ordered by source, then target, in the order of `less`; so the pairs of a source
//       are one range.
//   (2) targets_ has the same ranges; each is in the order of ids.
class EnteredEdges {
 public:
  template <BulkGraphView Before, BulkGraphView After, typename Less>
  EnteredEdges(const Before& before, const After& after, std::optional<double> least_weight,
               int threads, const Less& less)
      : ranges_(after.id_limit()) {
    const std::span<const VertexId> vertices = after.vertices();
    // What each block finds is at the place of its edges. The array is touched only as far as it is
    // used, and given back to the system at once, unlike many small vectors.
    const std::size_t blocks = BlockCount(vertices.size(), kBlock);
    std::vector<std::size_t> starts(blocks);
    std::size_t edges = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (i % kBlock == 0) starts[i / kBlock] = edges;
      edges += after.out_degree(vertices[i]);
    }
    LargeArray<VertexPair> found(edges);
    std::vector<std::size_t> counts(blocks);
    ParallelBlocks(
        vertices.size(), kBlock, threads,
        [&](std::size_t block, std::size_t begin, std::size_t end) {
          VertexPair* const first = found.data() + starts[block];
          VertexPair* to = first;
          std::vector<VertexId> then;
          std::vector<VertexId> now;
          for (const VertexId v : vertices.subspan(begin, end - begin)) {
            FillHeavy(before, v, least_weight, then);
            FillHeavy(after, v, least_weight, now);
            edge_difference::ForEachMissing(now, then, [&](VertexId u) { *to++ = {v, u}; });
          }
          counts[block] = static_cast<std::size_t>(to - first);
        });
    pairs_.reserve(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    for (std::size_t block = 0; block < blocks; ++block) {
      const VertexPair* const first = found.data() + starts[block];
      pairs_.insert(pairs_.end(), first, first + counts[block]);
    }
    found = {};
    std::ranges::sort(pairs_, [&](const VertexPair& a, const VertexPair& b) {
      if (a.source != b.source) return less(a.source, b.source);
      return a.target != b.target && less(a.target, b.target);
    });
    targets_.reserve(pairs_.size());
    for (const VertexPair& pair : pairs_) targets_.push_back(pair.target);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      Range& range = ranges_[pairs_[i].source];
      if (range.begin == range.end) range = {i, i};
      range.end = i + 1;
    }
    for (const Range& range : ranges_) {
      std::sort(targets_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                targets_.begin() + static_cast<std::ptrdiff_t>(range.end));
    }
  }

  std::span<const VertexPair> pairs() const { return pairs_; }

  // Whether the edge is an entered one whose source is, in order, before that of pairs()[place].
  bool IsOfEarlierSource(VertexId source, VertexId target, std::size_t place) const {
    const Range range = ranges_[source];
    return range.begin != range.end && range.end <= place &&
           std::binary_search(targets_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                              targets_.begin() + static_cast<std::ptrdiff_t>(range.end), target);
  }

 private:
  static constexpr std::size_t kBlock = 1 << 10;

  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  template <BulkGraphView Graph>
  static void FillHeavy(const Graph& graph, VertexId v, std::optional<double> least,
                        std::vector<VertexId>& targets) {
    targets.clear();
    if (v >= graph.id_limit() || graph.out_degree(v) == 0) return;
    ForEachHeavy(graph, v, RowDirection::kOut, least, [&](VertexId u) {
      if (u != v) targets.push_back(u);
    });
    SortDistinct(targets);
  }

  std::vector<VertexPair> pairs_;
  std::vector<VertexId> targets_;
  std::vector<Range> ranges_;  // by source
};

}  // namespace sash
