// BothWays: reads a graph as if each of its edges also led back. A self-loop leads back already, so
// it stays one edge.
//
// It finds the self-loops when it is made, with one pass over the edges, and keeps four bytes for
// each id.
//
// Thread safety: immutable; refers to the graph, which outlives it.
//
// Invariants
//   (1) The out-list of a vertex is its in-list: its out-edges in the graph, then its in-edges
//       except for self-loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"

namespace sash {

template <BulkGraphView Graph>
class BothWays {
 public:
  static constexpr bool kHasScatteredRuns = true;  // the runs of a vertex do not follow each other

  BothWays(const Graph& graph, int threads) : graph_(graph), loops_(graph.id_limit()) {
    ParallelBlocks(graph.id_limit(), kBlock, threads,
                   [&](std::size_t, std::size_t first, std::size_t last) {
                     for (std::size_t v = first; v < last; ++v) loops_[v] = 0;
                     graph_.ForEachOutRun(static_cast<VertexId>(first), static_cast<VertexId>(last),
                                          [&](VertexId v, std::span<const VertexId> run) {
                                            for (const VertexId u : run) loops_[v] += u == v;
                                          });
                   });
  }

  VertexId id_limit() const { return graph_.id_limit(); }
  std::span<const VertexId> vertices() const { return graph_.vertices(); }
  std::uint32_t out_degree(VertexId v) const {
    return graph_.out_degree(v) + graph_.in_degree(v) - loops_[v];
  }
  std::uint32_t in_degree(VertexId v) const { return out_degree(v); }

  // As BulkGraphView has it, except that the runs of a vertex do not follow each other.
  template <typename Visit>
  void ForEachInRun(VertexId first, VertexId last, const Visit& visit) const {
    graph_.ForEachOutRun(first, last, visit);
    graph_.ForEachInRun(first, last, [&](VertexId v, std::span<const VertexId> run) {
      if (loops_[v] == 0) return visit(v, run);
      VisitOthers(v, run, visit);
    });
  }

  struct WeightedNeighbour {
    VertexId vertex;
    Weight weight;
  };
  std::vector<WeightedNeighbour> weighted_out(VertexId v) const {
    std::vector<WeightedNeighbour> list;
    list.reserve(out_degree(v));
    for (const auto& to : graph_.weighted_out(v)) list.push_back({to.vertex, to.weight});
    for (const auto& from : graph_.weighted_in(v)) {
      if (from.vertex != v) list.push_back({from.vertex, from.weight});
    }
    return list;
  }
  std::vector<WeightedNeighbour> weighted_in(VertexId v) const { return weighted_out(v); }

 private:
  static constexpr std::size_t kBlock = 1 << 10;  // ids

  // Visits the pieces of the run between the self-loops.
  template <typename Visit>
  static void VisitOthers(VertexId v, std::span<const VertexId> run, const Visit& visit) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= run.size(); ++i) {
      if (i < run.size() && run[i] != v) continue;
      if (i > begin) visit(v, run.subspan(begin, i - begin));
      begin = i + 1;
    }
  }

  const Graph& graph_;
  LargeArray<std::uint32_t> loops_;  // by id
};

}  // namespace sash
