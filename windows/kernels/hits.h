// Hits: hubs and authorities. A good authority has edges from good hubs, a good hub has edges to
// good authorities.
//
// Power iteration from equal values: the authority of a vertex is the sum of the hub values of its
// in-neighbours, its hub value the sum of the authorities of its out-neighbours. Hub values and
// authorities are each divided by their sum, so they sum to 1. Parallel edges each count.
//
// Weighted: values are multiplied by the weight of the edge. If the graph has negative or infinite
// weights (sums of copies beyond the range of a double), or no weight above 0, there are no values.
//
// Takes eight bytes an edge (weighted: 24) and 40 bytes an id.
//
// Thread safety: a pure function. Values do not depend on the number of threads.
//
// Source: Kleinberg: Authoritative sources in a hyperlinked environment (Journal of the ACM 46,
// 1999); normalised as in networkx.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/neighbour_rows.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/rows/rank_iterations.h"
#include "windows/kernels/weighted_rows.h"

namespace sash {

struct HitsOptions {
  double tolerance = 1e-6;  // stop when an iteration changes both together by at most this, in L1
  int max_iterations = 100;
  bool weighted = false;
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct HitsResult {
  // By id; 0 where there is no vertex; each sums to 1; empty: there are no values.
  std::vector<double> authorities;
  std::vector<double> hubs;
  int iterations = 0;
  double residual = 0;  // the L1 change of the last iteration, of both together
  bool converged = true;
  bool cancelled = false;  // `progress` said stop: the values mean nothing
  // Only if weighted. If there are any, there are no values.
  std::uint64_t negative_edges = 0;
  std::uint64_t overflowed_edges = 0;
};

namespace hits {

// The edges of one direction, each of weight 1.
struct PlainEdges {
  NeighbourRows rows;

  double Sum(VertexId v, const std::vector<double>& values) const {
    double sum = 0;
    for (const VertexId other : rows.row(v)) sum += values[other];
    return sum;
  }
};

// Weights are scaled by a power of two so that the greatest is below 2: no sum overflows.
struct WeightedEdges {
  const WeightedRows& rows;
  double scale = std::ldexp(1.0, std::min(-std::ilogb(rows.greatest_weight()), 1023));

  double Sum(VertexId v, const std::vector<double>& values) const {
    const WeightedRows::Row row = rows.row(v);
    double sum = 0;
    for (std::size_t i = 0; i < row.targets.size(); ++i) {
      sum += values[row.targets[i]] * (row.weights[i] * scale);
    }
    return sum;
  }
};

// Replaces `values` by the sums over the edges of each vertex, divided by their total. Returns the
// L1 change. `sums` is its room.
template <typename Edges>
double Pull(const Edges& edges, std::span<const VertexId> vertices, int threads,
            const std::vector<double>& from, std::vector<double>& sums,
            std::vector<double>& values) {
  constexpr std::size_t kBlock = 1 << 9;
  const double total = ParallelSum<double>(
      vertices.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
        double here = 0;
        for (const VertexId v : vertices.subspan(begin, end - begin)) {
          sums[v] = edges.Sum(v, from);
          here += sums[v];
        }
        return here;
      });
  return ParallelSum<double>(vertices.size(), kBlock, threads,
                             [&](std::size_t begin, std::size_t end) {
                               double change = 0;
                               for (const VertexId v : vertices.subspan(begin, end - begin)) {
                                 const double value = sums[v] / total;
                                 change += std::abs(value - values[v]);
                                 values[v] = value;
                               }
                               return change;
                             });
}

template <typename Edges>
void Iterate(const Edges& in, const Edges& out, VertexId id_limit,
             std::span<const VertexId> vertices, const HitsOptions& options, HitsResult& result) {
  std::vector<double> sums(id_limit);
  result.authorities.resize(id_limit);
  for (const VertexId v : vertices) {
    result.authorities[v] = 1.0 / static_cast<double>(vertices.size());
  }
  result.hubs = result.authorities;
  const auto next = [&] {
    const double change =
        Pull(in, vertices, options.threads, result.hubs, sums, result.authorities);
    return change + Pull(out, vertices, options.threads, result.authorities, sums, result.hubs);
  };
  IterateToTolerance(next, options, result);
  if (!result.cancelled) options.progress.Begin(RunPhase::kFinishing);
}

}  // namespace hits

template <BulkGraphView Graph>
HitsResult Hits(const Graph& graph, const HitsOptions& options = {}) {
  HitsResult result;
  const std::span<const VertexId> vertices = graph.vertices();
  if (vertices.empty()) return result;
  if (!options.weighted) {
    const hits::PlainEdges in{NeighbourRows(graph, RowDirection::kIn, options.threads)};
    const hits::PlainEdges out{NeighbourRows(graph, RowDirection::kOut, options.threads)};
    hits::Iterate(in, out, graph.id_limit(), vertices, options, result);
    return result;
  }
  const WeightedRows in(graph, FollowedEdges::kIn, options.threads);
  result.negative_edges = in.negative_edges();
  result.overflowed_edges = in.overflowed_edges();
  if (in.negative_edges() + in.overflowed_edges() > 0 || in.greatest_weight() == 0) return result;
  const WeightedRows out(graph, FollowedEdges::kOut, options.threads);
  hits::Iterate(hits::WeightedEdges{in}, hits::WeightedEdges{out}, graph.id_limit(), vertices,
                options, result);
  return result;
}

}  // namespace sash
