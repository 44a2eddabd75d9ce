// Scatter-gather patterns: a vertex s with edges to many vertices, which all have an edge to one
// vertex d. The vertices between are the intermediates of the pattern (s, d); they are neither s
// nor d, and d is not s. An edge is part of a pattern as a scatter edge (from s) or as a gather
// edge (to d).
//
// Parallel edges are one. A pattern counts if it has at least a number of intermediates.
//
// Source: Altman et al.: Realistic synthetic financial transactions for anti-money laundering
// models (NeurIPS 2023), the pattern; Blanuša et al.: Graph Feature Preprocessor (ICAIF 2024), the
// feature.
//
// Thread safety: a counter, one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/ordered_rows.h"

namespace sash {

// The patterns of one edge.
struct ScatterGather {
  std::uint64_t patterns = 0;
  std::uint32_t intermediates = 0;  // of the largest pattern; 0: there are no patterns

  void Add(const ScatterGather& other) {
    patterns += other.patterns;
    intermediates = std::max(intermediates, other.intermediates);
  }
};

// Counts the ways of two edges from a vertex. If `out` has the in-lists, it counts those to a
// vertex, and gather edges take the place of scatter edges. Takes four bytes an id.
//
// Invariant: (1) counts_ is 0 except for the ends_ of the vertex that was last counted.
template <typename Less>
class ScatterCounter {
 public:
  ScatterCounter(const OrderedRows<Less>& out, VertexId id_limit) : out_(out), counts_(id_limit) {}

  // The neighbours that Count(v) looks at.
  static std::uint64_t StepsOf(const OrderedRows<Less>& out, VertexId v) {
    std::uint64_t steps = 0;
    for (const VertexId u : out.row(v)) steps += out.row(u).size();
    return steps;
  }

  void Count(VertexId v) {
    for (const VertexId end : ends_) counts_[end] = 0;
    ends_.clear();
    for (const VertexId u : out_.row(v)) {
      for (const VertexId end : out_.row(u)) {
        if (end == v) continue;
        if (counts_[end]++ == 0) ends_.push_back(end);
      }
    }
  }

  // The patterns that have the edge from the counted vertex to `middle`.
  ScatterGather Through(VertexId middle, std::uint32_t least_intermediates) const {
    ScatterGather found;
    for (const VertexId end : out_.row(middle)) {
      const std::uint32_t count = counts_[end];
      if (count < least_intermediates) continue;
      ++found.patterns;
      found.intermediates = std::max(found.intermediates, count);
    }
    return found;
  }

 private:
  const OrderedRows<Less>& out_;
  std::vector<std::uint32_t> counts_;  // by id
  std::vector<VertexId> ends_;
};

}  // namespace sash
