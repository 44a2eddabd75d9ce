// InRuns: the in-edges of a graph, prepared for kernels that pass over all of them many times.
//
// kHotFirst: all edges are copied and the vertices get new numbers. That costs about five passes;
// each pass is then faster, even than one over a plain CSR. kSwept: rows are ids, lists are read in
// place, and only degrees are kept (InBlocks).
//
// Rows that were copied hot first can follow a window: changes are stored beside them (RowChanges).
//
// Thread safety: one thread at a time visits a block; different blocks may be visited in parallel;
// no block is visited during Follow(). Rows do not depend on the number of threads.
//
// Invariants
//   (1) Every vertex has a row below row_limit(), and only these rows are visited. Rows are ids,
//       unless the order is RowOrder::kHotFirst.
//   (2) A row has the sources of its vertex's in-edges, as rows, once for each parallel edge.
//   (3) The graph outlives this object, unless the edges were copied.
//   (4) A row without a vertex (any more) may be a source that a sum includes or leaves out. The
//       caller gives it the value 0. There are such rows only if has_gaps().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/rows/copied_rows.h"
#include "windows/kernels/rows/hot_first.h"
#include "windows/kernels/rows/in_blocks.h"
#include "windows/kernels/rows/row_changes.h"
#include "windows/kernels/rows/run_block.h"

namespace sash {

// kHotFirst pays off from about six passes on.
enum class RowOrder : std::uint8_t { kHotFirst, kSwept };

class InRuns {
 public:
  using Row = HotFirst::Row;

  // `graph`: a BulkGraphView, a TurnedRound or, only hot first, BothWays.
  template <typename Graph>
  InRuns(const Graph& graph, RowOrder order, int threads);

  // Only for rows that are hot first and have the edges of `before`. Then they have the edges of
  // `after`, a later view of the same vertices. Returns false if more than `most` edges came or
  // left; then this object must not be used any more.
  template <typename Graph>
  bool Follow(const Graph& before, const Graph& after, std::size_t most, int threads);
  // Edges that came or left since the rows were copied. Each makes a pass slower.
  std::size_t changes() const { return changes_.size(); }
  // By row of a block: the sum of values[source] over the in-edges that came with the last
  // Follow(), minus the sum over those that left.
  template <typename Number>
  RowChanges::Sums SumNewest(std::size_t block, const Number* values) const {
    RowChanges::Sums sums{};
    changes_.SumNewest(block, values, sums);
    return sums;
  }

  // By row. Only for rows that are hot first.
  std::span<const VertexId> ids() const { return hot_first_.ids(); }

  std::size_t row_limit() const { return out_degrees_.size(); }
  bool has_gaps() const { return has_gaps_; }
  Row FirstRow(std::size_t block) const {
    return static_cast<Row>(std::min(block * kBlock, row_limit()));
  }
  std::size_t vertex_count() const { return vertex_count_; }
  VertexId id(Row row) const { return is_renumbered_ ? hot_first_.id(row) : row; }
  std::uint32_t out_degree(Row row) const { return out_degrees_[row]; }

  // Rows are visited in blocks. Their number does not depend on the number of threads.
  std::size_t block_count() const { return BlockCount(row_limit(), kBlock); }

  // visit(row) for each row of a block, ascending.
  template <typename Visit>
  void ForEachRow(std::size_t block, const Visit& visit) const {
    const Row last = FirstRow(block + 1);
    for (Row row = FirstRow(block); row < last; ++row) {
      if (!has_gaps_ || is_row_[row]) visit(row);
    }
  }

  // finish(row, sum of values[source] over its in-edges) for each row of a block, ascending.
  template <typename Number, typename Finish>
  void SumRows(std::size_t block, const Number* values, const Finish& finish) const {
    const std::span by_row(values, row_limit());
    if (changes_.size() > 0) return SumChanged(block, by_row, finish);
    if (!swept_) return copied_[block].SumRows(by_row, finish);
    RunBlock read;
    swept_->Get(block, read).SumRows(by_row, finish);
  }

 private:
  static constexpr std::size_t kBlock = InBlocks::kVertices;  // rows
  static_assert(kBlock <= CopiedRows::kMost && kBlock == RowChanges::kBlock);

  template <typename Number, typename Finish>
  void SumChanged(std::size_t block, std::span<const Number> values, const Finish& finish) const {
    RowChanges::Sums changes{};
    changes_.Sum(block, values.data(), changes);
    const Row first = FirstRow(block);
    Row next = first;  // rows added after the last copy have no list
    const auto finish_changed = [&](Row row, double sum) {
      if (is_row_[row]) finish(row, sum + changes[row - first]);
      next = row + 1;
    };
    if (block < copied_.size()) copied_[block].SumRows(values, finish_changed);
    while (next < FirstRow(block + 1)) finish_changed(next, 0);
  }

  template <typename Graph>
  void FollowDegrees(const Graph& before, const Graph& after, int threads);
  template <typename Graph>
  void ReadDegrees(const Graph& graph, int threads);
  template <typename Graph>
  void Copy(const Graph& graph, int threads);

  bool is_renumbered_ = false;
  std::size_t vertex_count_ = 0;
  HotFirst hot_first_;
  LargeArray<std::uint32_t> out_degrees_;  // by row
  bool has_gaps_ = false;
  LargeArray<bool> is_row_;  // only with gaps
  RowChanges changes_;       // since the copy
  // Only one of the two is used.
  std::vector<CopiedRows> copied_;
  std::optional<InBlocks> swept_;
};

template <typename Graph>
InRuns::InRuns(const Graph& graph, RowOrder order, int threads)
    : is_renumbered_(order == RowOrder::kHotFirst) {
  if (is_renumbered_) {
    Copy(graph, threads);
  } else if constexpr (requires { Graph::kHasScatteredRuns; }) {
    SASH_CHECK(is_renumbered_);
  } else {
    ReadDegrees(graph, threads);
    constexpr bool kKeeps = false;
    swept_ = InBlocks::Of<ListReading::kEdges>(graph, kKeeps);
  }
}

template <typename Graph>
void InRuns::ReadDegrees(const Graph& graph, int threads) {
  const std::size_t id_limit = graph.id_limit();
  out_degrees_ = LargeArray<std::uint32_t>(id_limit);
  is_row_ = LargeArray<bool>(id_limit);
  has_gaps_ = true;
  vertex_count_ =
      ParallelSum<std::size_t>(id_limit, kBlock, threads, [&](std::size_t first, std::size_t last) {
        std::size_t vertices = 0;
        for (std::size_t row = first; row < last; ++row) {
          const auto v = static_cast<VertexId>(row);
          out_degrees_[row] = graph.out_degree(v);
          is_row_[row] = out_degrees_[row] > 0 || graph.in_degree(v) > 0;
          vertices += is_row_[row] ? 1 : 0;
        }
        return vertices;
      });
}

template <typename Graph>
void InRuns::Copy(const Graph& graph, int threads) {
  hot_first_ = HotFirst(graph, threads);
  vertex_count_ = hot_first_.size();
  out_degrees_ = LargeArray<std::uint32_t>(vertex_count_);
  copied_.resize(BlockCount(vertex_count_, kBlock));
  LargeArray<Row*> places(vertex_count_);
  ParallelBlocks(vertex_count_, kBlock, threads,
                 [&](std::size_t i, std::size_t first, std::size_t last) {
                   std::vector<std::uint32_t> counts;
                   for (std::size_t r = first; r < last; ++r) {
                     const auto row = static_cast<Row>(r);
                     const VertexId v = hot_first_.id(row);
                     out_degrees_[row] = graph.out_degree(v);
                     counts.push_back(graph.in_degree(v));
                   }
                   copied_[i] = CopiedRows(static_cast<Row>(first), counts);
                   copied_[i].ForEachList([&](Row row, Row* list) { places[row] = list; });
                 });
  ParallelBlocks(graph.id_limit(), kBlock, threads,
                 [&](std::size_t, std::size_t first, std::size_t last) {
                   graph.ForEachInRun(static_cast<VertexId>(first), static_cast<VertexId>(last),
                                      [&](VertexId v, std::span<const VertexId> run) {
                                        Row*& place = places[hot_first_.row(v)];
                                        Translate(run, hot_first_.rows(), place);
                                        place += run.size();
                                      });
                 });
  ParallelBlocks(copied_.size(), 1, threads,
                 [&](std::size_t i, std::size_t, std::size_t) { copied_[i].Pack(); });
}

template <typename Graph>
bool InRuns::Follow(const Graph& before, const Graph& after, std::size_t most, int threads) {
  SASH_CHECK(is_renumbered_);
  FollowDegrees(before, after, threads);
  return changes_.Add(before, after, hot_first_, most, threads);
}

// Adds rows for new vertices, and marks the rows of vertices that are gone.
template <typename Graph>
void InRuns::FollowDegrees(const Graph& before, const Graph& after, int threads) {
  constexpr std::size_t kPart = 1 << 13;  // ids
  if (is_row_.size() == 0) {
    is_row_ = LargeArray<bool>(row_limit());
    std::fill(is_row_.begin(), is_row_.end(), true);
  }
  hot_first_.Reserve(after.id_limit());
  const std::size_t id_limit = std::max(before.id_limit(), after.id_limit());
  std::vector<std::vector<VertexId>> missing(BlockCount(id_limit, kPart));
  const auto more = ParallelSum<std::ptrdiff_t>(
      id_limit, kPart, threads, [&](std::size_t first, std::size_t last) {
        std::ptrdiff_t here = 0;
        const auto follow = [&](VertexId v, bool was, bool is, std::uint32_t out_degree) {
          here += std::ptrdiff_t{is} - std::ptrdiff_t{was};
          const Row row = hot_first_.row(v);
          if (row == HotFirst::kNoRow) {
            missing[first / kPart].push_back(v);
          } else {
            out_degrees_[row] = out_degree;
            is_row_[row] = is;
          }
        };
        after.ForEachDegreeChange(before, static_cast<VertexId>(first), static_cast<VertexId>(last),
                                  follow);
        return here;
      });
  vertex_count_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(vertex_count_) + more);
  for (const std::vector<VertexId>& some : missing) {
    for (const VertexId v : some) hot_first_.Add(v);
  }
  const std::size_t known = row_limit();
  out_degrees_.Grow(hot_first_.size());
  is_row_.Grow(hot_first_.size());
  for (std::size_t row = known; row < row_limit(); ++row) {
    out_degrees_[row] = after.out_degree(id(static_cast<Row>(row)));
    is_row_[row] = true;
  }
  has_gaps_ = vertex_count_ < row_limit();
}

}  // namespace sash
