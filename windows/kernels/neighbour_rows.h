// NeighbourRows: the neighbours along one direction, once for each parallel edge. They are copied
// once, for kernels that stop within a list and continue it later, or that read it many times.
//
// Takes four bytes for each edge and eight for each id.
//
// Thread safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"

namespace sash {

enum class RowDirection : std::uint8_t { kOut, kIn };

class NeighbourRows {
 public:
  template <BulkGraphView Graph>
  NeighbourRows(const Graph& graph, RowDirection direction, int threads)
      : starts_(std::size_t{graph.id_limit()} + 1) {
    const bool is_out = direction == RowDirection::kOut;
    std::uint64_t place = 0;
    for (VertexId v = 0; v < graph.id_limit(); ++v) {
      starts_[v] = place;
      place += is_out ? graph.out_degree(v) : graph.in_degree(v);
    }
    starts_[graph.id_limit()] = place;
    neighbours_ = LargeArray<VertexId>(place);
    ParallelBlocks(graph.id_limit(), kBlock, threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     const auto first = static_cast<VertexId>(begin);
                     const auto last = static_cast<VertexId>(end);
                     VertexId* to = neighbours_.data() + starts_[first];
                     const auto copy = [&](VertexId, std::span<const VertexId> run) {
                       to = std::copy(run.begin(), run.end(), to);
                     };
                     if (is_out) {
                       graph.ForEachOutRun(first, last, copy);
                     } else {
                       graph.ForEachInRun(first, last, copy);
                     }
                   });
  }

  std::span<const VertexId> row(VertexId v) const {
    return {neighbours_.data() + starts_[v], neighbours_.data() + starts_[v + 1]};
  }

 private:
  static constexpr std::size_t kBlock = 1 << 10;

  LargeArray<std::uint64_t> starts_;  // by id, and one more
  LargeArray<VertexId> neighbours_;
};

}  // namespace sash
