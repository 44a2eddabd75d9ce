// InBlocks: the in-edges of a graph by id, in blocks that are read from the graph when they are
// first requested. So a kernel's first pass follows the edges of a block while they are still in
// the cache.
//
// Kept blocks are read once. If the lists of a graph do not fit in memory, nothing is kept: each
// pass reads the lists again, ascending by id (LLAMA thesis, chapter 5).
//
// Thread safety: one thread at a time requests a block; different blocks may be requested in
// parallel.
//
// Invariants
//   (1) Rows are ids; all vertices have a row, and other ids have none.
//   (2) The graph outlives this object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/rows/run_block.h"

namespace sash {

// Reads the out-lists of a graph as if they were its in-lists: the reversed graph.
template <typename Graph>
class TurnedRound {
 public:
  static constexpr bool kIsReference = true;  // may be copied and destroyed before the graph
  explicit TurnedRound(const Graph& graph) : graph_(graph) {}
  VertexId id_limit() const { return graph_.id_limit(); }
  std::span<const VertexId> vertices() const { return graph_.vertices(); }
  std::uint32_t out_degree(VertexId v) const { return graph_.in_degree(v); }
  std::uint32_t in_degree(VertexId v) const { return graph_.out_degree(v); }
  template <typename... Visits>
  void ForEachInRun(VertexId first, VertexId last, const Visits&... visits) const {
    graph_.ForEachOutRun(first, last, visits...);
  }
  template <typename... Visits>
  void ForEachInNeighbours(VertexId first, VertexId last, const Visits&... visits) const {
    graph_.ForEachOutNeighbours(first, last, visits...);
  }
  auto weighted_out(VertexId v) const { return graph_.weighted_in(v); }
  auto weighted_in(VertexId v) const { return graph_.weighted_out(v); }

 private:
  const Graph& graph_;
};

class InBlocks {
 public:
  // `graph`: a BulkGraphView or a TurnedRound.
  template <ListReading kReading, typename Graph>
  static InBlocks Of(const Graph& graph, bool keeps) {
    return InBlocks(graph, keeps, [](const Graph& from, VertexId first, VertexId last) {
      return RunBlock::InPlace<kReading>(from, first, last);
    });
  }

  static constexpr std::size_t kVertices = 1 << 9;  // ids in a block: a hub's row takes long

  std::size_t count() const { return count_; }

  // `swept` holds the block if blocks are not kept.
  const RunBlock& Get(std::size_t block, RunBlock& swept) const {
    if (kept_.empty()) return swept = read_(block);
    if (kept_[block].is_empty()) kept_[block] = read_(block);
    return kept_[block];
  }

 private:
  template <typename Graph, typename Read>
  InBlocks(const Graph& graph, bool keeps, Read read)
      : count_(BlockCount(graph.id_limit(), kVertices)), kept_(keeps ? count_ : 0) {
    const auto held = [&graph] {
      if constexpr (requires { Graph::kIsReference; }) {
        return graph;
      } else {
        return std::cref(graph);
      }
    }();
    read_ = [held, read](std::size_t block) {
      const Graph& from = held;
      const std::size_t first = block * kVertices;
      const std::size_t last = std::min<std::size_t>(from.id_limit(), first + kVertices);
      return read(from, static_cast<VertexId>(first), static_cast<VertexId>(last));
    };
  }

  std::size_t count_;
  std::function<RunBlock(std::size_t)> read_;
  // Each block allocates its own arrays: the allocator reuses such sizes, while one large array
  // would be returned to the system after each use and paged in again.
  mutable std::vector<RunBlock> kept_;
};

}  // namespace sash
