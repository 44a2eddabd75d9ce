// ShareRows: the in-edges of a graph, each with the share of its source's rank that it carries: its
// weight divided by the sum of the weights of its source's out-edges. They are copied once, hot
// first, since the graph builds its weighted lists again at every call.
//
// Takes twelve bytes an edge, 13 a vertex (29 while it is built) and four an id.
//
// Thread safety: immutable after construction. Shares do not depend on the number of threads.
//
// Invariants
//   (1) Rows are those of HotFirst; each row is visited.
//   (2) Parallel edges each count. The shares of a source sum to 1, unless it is a sink. A sink has
//       no out-edge of a weight above 0, and its shares are 0.
//   (3) If any edge has a negative or infinite weight, there are no shares.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/rows/hot_first.h"

namespace sash {

class ShareRows {
 public:
  using Row = HotFirst::Row;

  // `graph`: a BulkGraphView, a TurnedRound or BothWays.
  template <typename Graph>
  ShareRows(const Graph& graph, int threads);

  std::uint64_t negative_edges() const { return unusable_.negative; }
  std::uint64_t overflowed_edges() const { return unusable_.overflowed; }

  std::size_t row_limit() const { return is_sink_.size(); }
  VertexId id(Row row) const { return hot_first_.id(row); }
  bool is_sink(Row row) const { return is_sink_[row]; }

  // Rows are visited in blocks. Their number does not depend on the number of threads.
  std::size_t block_count() const { return BlockCount(row_limit(), kBlock); }

  // visit(row) for each row of a block, ascending.
  template <typename Visit>
  void ForEachRow(std::size_t block, const Visit& visit) const {
    for (Row row = FirstRow(block); row < FirstRow(block + 1); ++row) visit(row);
  }

  // finish(row, sum of values[source] times the share over its in-edges) for each row of a block,
  // ascending.
  template <typename Finish>
  void SumRows(std::size_t block, const double* values, const Finish& finish) const {
    ForEachRow(block, [&](Row row) { finish(row, Sum(row, values)); });
  }

 private:
  static constexpr std::size_t kBlock = 1 << 9;  // vertices: a hub's row takes long
  // Its range holds the sum of any doubles. It holds any integer weight exactly.
  using Total = long double;
  // Edges without a share.
  struct Unusable {
    std::uint64_t negative = 0;
    std::uint64_t overflowed = 0;
    Unusable& operator+=(const Unusable& other) {
      negative += other.negative;
      overflowed += other.overflowed;
      return *this;
    }
  };

  Row FirstRow(std::size_t block) const {
    return static_cast<Row>(std::min(block * kBlock, row_limit()));
  }

  // Adds in four lanes, so that an addition does not wait for the one before.
  double Sum(Row row, const double* values) const {
    double lanes[4] = {};
    std::uint64_t i = starts_[row];
    const std::uint64_t end = starts_[row + 1];
    for (; i + 4 <= end; i += 4) {
      for (std::uint64_t k = 0; k < 4; ++k) lanes[k] += values[sources_[i + k]] * shares_[i + k];
    }
    for (std::uint64_t k = 0; i < end; ++i, ++k) lanes[k] += values[sources_[i]] * shares_[i];
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  }

  template <typename Graph>
  LargeArray<Total> FindTotals(const Graph& graph, int threads);
  template <typename Graph>
  void Place(const Graph& graph);
  template <typename Graph>
  void Fill(const Graph& graph, const LargeArray<Total>& totals, int threads);

  HotFirst hot_first_;
  LargeArray<bool> is_sink_;          // by row
  LargeArray<std::uint64_t> starts_;  // by row, and one more
  LargeArray<Row> sources_;           // by slot
  LargeArray<double> shares_;         // by slot
  Unusable unusable_;
};

template <typename Graph>
ShareRows::ShareRows(const Graph& graph, int threads)
    : hot_first_(graph, threads), is_sink_(hot_first_.size()) {
  const LargeArray<Total> totals = FindTotals(graph, threads);
  if (negative_edges() + overflowed_edges() > 0) return;
  Place(graph);
  Fill(graph, totals, threads);
}

// By row. Sets unusable_ and is_sink_ as well.
template <typename Graph>
LargeArray<ShareRows::Total> ShareRows::FindTotals(const Graph& graph, int threads) {
  LargeArray<Total> totals(row_limit());
  const std::span<const VertexId> vertices = graph.vertices();
  unusable_ = ParallelSum<Unusable>(
      vertices.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
        Unusable unusable;
        for (const VertexId v : vertices.subspan(begin, end - begin)) {
          Total total = 0;
          for (const auto& neighbor : graph.weighted_out(v)) {
            const double weight = neighbor.weight.AsDouble();
            total += static_cast<Total>(weight);
            unusable.negative += weight < 0 ? 1 : 0;
            unusable.overflowed += weight > std::numeric_limits<double>::max() ? 1 : 0;
          }
          const Row row = hot_first_.row(v);
          totals[row] = total;
          is_sink_[row] = !(total > 0);
        }
        return unusable;
      });
  return totals;
}

template <typename Graph>
void ShareRows::Place(const Graph& graph) {
  starts_ = LargeArray<std::uint64_t>(row_limit() + 1);
  std::uint64_t place = 0;
  for (Row row = 0; row < row_limit(); ++row) {
    starts_[row] = place;
    place += graph.in_degree(id(row));
  }
  starts_[row_limit()] = place;
  sources_ = LargeArray<Row>(place);
  shares_ = LargeArray<double>(place);
}

template <typename Graph>
void ShareRows::Fill(const Graph& graph, const LargeArray<Total>& totals, int threads) {
  const std::span<const VertexId> vertices = graph.vertices();
  ParallelBlocks(
      vertices.size(), kBlock, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (const VertexId v : vertices.subspan(begin, end - begin)) {
          std::uint64_t slot = starts_[hot_first_.row(v)];
          for (const auto& neighbor : graph.weighted_in(v)) {
            const Row source = hot_first_.row(neighbor.vertex);
            const auto weight = static_cast<Total>(neighbor.weight.AsDouble());
            sources_[slot] = source;
            shares_[slot++] = is_sink_[source] ? 0 : static_cast<double>(weight / totals[source]);
          }
        }
      });
}

}  // namespace sash
