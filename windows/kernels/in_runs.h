// InRuns: the in-edges of a graph made ready for kernels that pass over all of them many times.
//
// By ids, lists are read where they lie, and only what a graph can show for a moment alone (lists with
// dead slots) is copied together. Hot first, all is copied, with the vertices numbered anew: that
// costs two to three passes, and each pass is then a fifth faster, also than over a plain CSR. Swept,
// nothing is kept but degrees: each pass reads the lists anew, ascending by id. That is for graphs
// whose lists do not fit the memory (LLAMA thesis, chapter 5).
//
// Thread safety: immutable once made. It does not depend on the number of threads.
//
// Invariants
//   (1) Every vertex has a row below row_limit(), and only they are visited. Without is_renumbered(),
//       rows are ids.
//   (2) A row has the sources of its vertex' in-edges, as rows, parallel edges as often as they are.
//   (3) The graph outlives it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/hot_first.h"
#include "windows/kernels/row_sums.h"

namespace sash {

// kHotFirst pays from about half a dozen passes on. Rows of kSwept are those of kIds.
enum class RowOrder : std::uint8_t { kIds, kHotFirst, kSwept };

// Reads the out-lists of a graph as if they were its in-lists: it turned round.
template <GraphView Graph>
class TurnedRound {
 public:
  static constexpr bool kIsReference = true;  // it may be copied, and go before what it refers to
  explicit TurnedRound(const Graph& graph) : graph_(graph) {}
  VertexId id_limit() const { return graph_.id_limit(); }
  std::uint32_t out_degree(VertexId v) const { return graph_.in_degree(v); }
  std::uint32_t in_degree(VertexId v) const { return graph_.out_degree(v); }
  template <typename Visit>
  void ForEachInRun(VertexId first, VertexId last, const Visit& visit) const {
    graph_.ForEachOutRun(first, last, visit);
  }

 private:
  const Graph& graph_;
};

class InRuns {
 public:
  using Row = HotFirst::Row;

  // `graph`: a GraphView, or one TurnedRound.
  template <typename Graph>
  InRuns(const Graph& graph, RowOrder order, int threads);

  std::size_t row_limit() const { return out_degrees_.size(); }
  std::size_t vertex_count() const { return vertex_count_; }
  bool is_renumbered() const { return is_renumbered_; }
  VertexId id(Row row) const { return is_renumbered_ ? hot_first_.id(row) : row; }
  std::uint32_t out_degree(Row row) const { return out_degrees_[row]; }

  // Rows are visited in blocks, whose number does not depend on that of threads.
  std::size_t block_count() const { return BlockCount(row_limit(), kBlock); }

  // visit(row) for each row of a block, ascending.
  template <typename Visit>
  void ForEachRow(std::size_t block, const Visit& visit) const {
    if (read_) {
      const std::size_t last = std::min(row_limit(), (block + 1) * kBlock);
      for (std::size_t row = block * kBlock; row < last; ++row) {
        if (is_row_[row]) visit(static_cast<Row>(row));
      }
      return;
    }
    for (const Run& run : Runs(blocks_[block])) {
      if (IsLast(run)) visit(run.row);
    }
  }

  // visit(row, sources) for each row of a block, ascending, until it returns false, with consecutive
  // sources of the row at a time; then finish(row).
  template <typename Visit, typename Finish>
  void ForEachRun(std::size_t block, const Visit& visit, const Finish& finish) const {
    Block swept;
    const std::span<const Run> runs = Runs(BlockOf(block, swept));
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Row row = runs[i].row;
      while (visit(row, std::span(runs[i].entries, runs[i].count)) && !IsLast(runs[i])) ++i;
      while (!IsLast(runs[i])) ++i;
      finish(row);
    }
  }

  // finish(row, sum of values[source] over its in-edges) for each row of a block, ascending.
  template <typename Number, typename Finish>
  void SumRows(std::size_t block, const Number* values, const Finish& finish) const {
    constexpr std::size_t kAtOnce = 512;
    double sums[kAtOnce];
    double sum = 0;
    Block swept;
    for (std::span<const Run> runs = Runs(BlockOf(block, swept)); !runs.empty();) {
      const std::span<const Run> some = runs.first(std::min(runs.size(), kAtOnce));
      SumRuns(some, {values, row_limit()}, sums);
      for (std::size_t i = 0; i < some.size(); ++i) {
        sum += sums[i];
        if (!IsLast(some[i])) continue;
        finish(some[i].row, sum);
        sum = 0;
      }
      runs = runs.subspan(some.size());
    }
  }

 private:
  using Run = RowRun;  // entries: sources of a row
  static constexpr Run kNoRun{nullptr, 0, kNoVertex};
  static constexpr std::size_t kBlock = 1 << 9;  // ids: a hub's row takes long

  // What does not last is in arrays of each block's own: the allocator has such sizes at hand, while
  // one large array would be given back after each use and be paged in anew.
  struct Block {
    std::vector<Run> runs;  // and kRunsAhead that are none
    std::unique_ptr<Row[]> copies;
  };

  static std::span<const Run> Runs(const Block& block) {
    return std::span(block.runs).first(block.runs.size() - kRunsAhead);
  }
  // Reads it into `swept` if it is not kept.
  const Block& BlockOf(std::size_t block, Block& swept) const {
    if (!read_) return blocks_[block];
    read_(block, swept);
    return swept;
  }
  static bool IsLast(const Run& run) { return (&run)[1].row != run.row; }

  template <typename Graph>
  void ReadInPlace(const Graph& graph, int threads);
  template <typename Graph>
  void ReadDegrees(const Graph& graph, int threads);
  template <typename Graph>
  void Copy(const Graph& graph, int threads);
  // Returns how many vertices there are.
  template <typename Graph>
  static std::size_t ReadBlockInPlace(const Graph& graph, VertexId first, VertexId last,
                                      Block& block);

  bool is_renumbered_ = false;
  std::size_t vertex_count_ = 0;
  HotFirst hot_first_;
  std::vector<Block> blocks_;              // empty if swept
  LargeArray<std::uint32_t> out_degrees_;  // by row
  // Swept: reads a block of the graph; which ids are rows.
  std::function<void(std::size_t, Block&)> read_;
  LargeArray<bool> is_row_;
};

template <typename Graph>
InRuns::InRuns(const Graph& graph, RowOrder order, int threads)
    : is_renumbered_(order == RowOrder::kHotFirst) {
  if (is_renumbered_) {
    Copy(graph, threads);
  } else if (order == RowOrder::kSwept) {
    ReadDegrees(graph, threads);
  } else {
    ReadInPlace(graph, threads);
  }
}

template <typename Graph>
void InRuns::ReadDegrees(const Graph& graph, int threads) {
  const std::size_t id_limit = graph.id_limit();
  out_degrees_ = LargeArray<std::uint32_t>(id_limit);
  is_row_ = LargeArray<bool>(id_limit);
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
  const auto held = [&graph] {
    if constexpr (requires { Graph::kIsReference; }) {
      return graph;
    } else {
      return std::cref(graph);
    }
  }();
  read_ = [held, id_limit](std::size_t block, Block& into) {
    const std::size_t first = block * kBlock;
    ReadBlockInPlace(static_cast<const Graph&>(held), static_cast<VertexId>(first),
                     static_cast<VertexId>(std::min(id_limit, first + kBlock)), into);
  };
}

template <typename Graph>
void InRuns::ReadInPlace(const Graph& graph, int threads) {
  const std::size_t id_limit = graph.id_limit();
  out_degrees_ = LargeArray<std::uint32_t>(id_limit);
  blocks_.resize(BlockCount(id_limit, kBlock));
  vertex_count_ =
      ParallelSum<std::size_t>(id_limit, kBlock, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
          out_degrees_[row] = graph.out_degree(static_cast<VertexId>(row));
        }
        return ReadBlockInPlace(graph, static_cast<VertexId>(first), static_cast<VertexId>(last),
                                blocks_[first / kBlock]);
      });
}

template <typename Graph>
std::size_t InRuns::ReadBlockInPlace(const Graph& graph, VertexId first, VertexId last,
                                     Block& block) {
  block.runs.reserve(last - first + kRunsAhead);
  std::size_t edges = 0;
  std::size_t vertices = 0;
  VertexId next = first;  // vertices before it have been met
  const auto meet = [&](VertexId until) {
    for (; next < until; ++next) {
      const std::uint32_t in = graph.in_degree(next);
      if (in == 0 && graph.out_degree(next) == 0) continue;
      ++vertices;
      edges += in;
      if (in == 0) block.runs.push_back({nullptr, 0, next});
    }
  };
  Row* free = nullptr;
  graph.ForEachInRun(first, last, [&](VertexId v, std::span<const VertexId> run, bool lasts) {
    meet(v + 1);
    if (!lasts) {
      if (!block.copies) {
        std::size_t most = edges;  // of v and before
        for (VertexId u = v + 1; u < last; ++u) most += graph.in_degree(u);
        block.copies = std::make_unique_for_overwrite<Row[]>(most);
        free = block.copies.get();
      }
      std::ranges::copy(run, free);
      run = {free, run.size()};
      free += run.size();
    }
    block.runs.push_back({run.data(), static_cast<std::uint32_t>(run.size()), v});
  });
  meet(last);
  block.runs.resize(block.runs.size() + kRunsAhead, kNoRun);
  return vertices;
}

template <typename Graph>
void InRuns::Copy(const Graph& graph, int threads) {
  hot_first_ = HotFirst(graph, threads);
  vertex_count_ = hot_first_.size();
  out_degrees_ = LargeArray<std::uint32_t>(vertex_count_);
  blocks_.resize(BlockCount(vertex_count_, kBlock));
  LargeArray<Row*> places(vertex_count_);
  ParallelBlocks(vertex_count_, kBlock, threads,
                 [&](std::size_t i, std::size_t first, std::size_t last) {
                   Block& block = blocks_[i];
                   block.runs.resize(last - first + kRunsAhead, kNoRun);
                   std::size_t edges = 0;
                   for (std::size_t r = first; r < last; ++r) {
                     const auto row = static_cast<Row>(r);
                     const VertexId v = hot_first_.id(row);
                     out_degrees_[row] = graph.out_degree(v);
                     block.runs[r - first] = {nullptr, graph.in_degree(v), row};
                     edges += graph.in_degree(v);
                   }
                   block.copies = std::make_unique_for_overwrite<Row[]>(edges);
                   Row* place = block.copies.get();
                   for (std::size_t r = first; r < last; ++r) {
                     block.runs[r - first].entries = place;
                     places[r] = place;
                     place += block.runs[r - first].count;
                   }
                 });
  ParallelBlocks(graph.id_limit(), kBlock, threads,
                 [&](std::size_t, std::size_t first, std::size_t last) {
                   graph.ForEachInRun(static_cast<VertexId>(first), static_cast<VertexId>(last),
                                      [&](VertexId v, std::span<const VertexId> run, bool) {
                                        Row*& place = places[hot_first_.row(v)];
                                        Translate(run, hot_first_.rows(), place);
                                        place += run.size();
                                      });
                 });
}

}  // namespace sash
