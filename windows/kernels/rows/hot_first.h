// HotFirst: new numbers (rows) for the vertices of a graph, without holes, vertices with many
// out-edges first. Values that are looked up by the source of an edge then share few cache lines:
// most edges have a hot source.
//
// Thread safety: immutable except for Reserve() and Add(). Rows do not depend on the number of
// threads.
//
// Invariants
//   (1) id(row(v)) = v for every vertex, and rows are below size().
//   (2) Rows descend by class of out-degree: one class for each degree below 16, then eight classes
//       for each doubling. Within a class rows ascend by id, so vertices with close ids stay close.
//       Rows that were added later ascend by id.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"

namespace sash {

class HotFirst {
 public:
  using Row = std::uint32_t;
  static constexpr Row kNoRow = 0xFFFF'FFFF;

  HotFirst() = default;
  template <typename Graph>
  HotFirst(const Graph& graph, int threads);

  // Makes room for ids below `id_limit`.
  void Reserve(VertexId id_limit) {
    const std::size_t known = rows_.size();
    if (id_limit <= known) return;
    rows_.Grow(id_limit);
    std::fill(rows_.begin() + known, rows_.end(), kNoRow);
  }
  // Gives the next row to a vertex without a row.
  void Add(VertexId v) {
    rows_[v] = static_cast<Row>(size());
    ids_.Grow(size() + 1);
    ids_[rows_[v]] = v;
  }

  std::size_t size() const { return ids_.size(); }
  Row row(VertexId v) const { return rows_[v]; }
  // By id; kNoRow for ids without a vertex.
  std::span<const Row> rows() const { return {rows_.data(), rows_.size()}; }
  VertexId id(Row row) const { return ids_[row]; }
  std::span<const VertexId> ids() const { return {ids_.data(), ids_.size()}; }  // by row

 private:
  static constexpr std::size_t kClasses = 16 + 28 * 8;
  static constexpr std::size_t kBlock = 1 << 13;  // ids
  using Histogram = std::array<std::uint32_t, kClasses>;

  static std::size_t ClassOf(std::uint32_t degree) {
    if (degree < 16) return degree;
    const unsigned shift = static_cast<unsigned>(std::bit_width(degree)) - 4;
    return 16 + (shift - 1) * std::size_t{8} + ((degree >> shift) & 7);
  }
  // visit(v, class) for the vertices among the ids [first, last).
  template <typename Graph, typename Visit>
  static void ForEachVertex(const Graph& graph, std::size_t first, std::size_t last,
                            const Visit& visit) {
    for (std::size_t i = first; i < last; ++i) {
      const auto v = static_cast<VertexId>(i);
      const std::uint32_t out = graph.out_degree(v);
      if (out > 0 || graph.in_degree(v) > 0) visit(v, ClassOf(out));
    }
  }
  // Turns the number of vertices of each class in each block into the row where they begin; returns
  // the total.
  static Row Accumulate(std::vector<Histogram>& blocks);

  LargeArray<Row> rows_;      // by id
  LargeArray<VertexId> ids_;  // by row
};

template <typename Graph>
HotFirst::HotFirst(const Graph& graph, int threads) : rows_(graph.id_limit()) {
  std::vector<Histogram> next(BlockCount(graph.id_limit(), kBlock));
  ParallelBlocks(graph.id_limit(), kBlock, threads,
                 [&](std::size_t block, std::size_t first, std::size_t last) {
                   next[block].fill(0);
                   std::fill(rows_.begin() + first, rows_.begin() + last, kNoRow);
                   ForEachVertex(graph, first, last,
                                 [&](VertexId, std::size_t of) { ++next[block][of]; });
                 });
  ids_ = LargeArray<VertexId>(Accumulate(next));
  ParallelBlocks(graph.id_limit(), kBlock, threads,
                 [&](std::size_t block, std::size_t first, std::size_t last) {
                   ForEachVertex(graph, first, last, [&](VertexId v, std::size_t of) {
                     const Row row = next[block][of]++;
                     rows_[v] = row;
                     ids_[row] = v;
                   });
                 });
}

inline HotFirst::Row HotFirst::Accumulate(std::vector<Histogram>& blocks) {
  Row sum = 0;
  for (std::size_t of = kClasses; of-- > 0;) {
    for (Histogram& block : blocks) {
      const std::uint32_t count = block[of];
      block[of] = sum;
      sum += count;
    }
  }
  return sum;
}

}  // namespace sash
