// InBlocks: the in-edges of a graph by ids, in blocks that are read from the graph when they are
// first asked for. So a kernel's first pass follows the edges of a block while they are still in
// the cache.
//
// Kept blocks are read once. Of a graph whose lists do not fit the memory nothing is kept: each
// pass reads the lists anew, ascending by id (LLAMA thesis, chapter 5).
//
// Thread safety: a block is asked for by one thread at a time; different ones by any.
//
// Invariants
//   (1) Rows are ids; every vertex has one, and only vertices.
//   (2) The graph outlives it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/rows/run_block.h"

namespace sash {

// Reads the out-lists of a graph as if they were its in-lists: it turned round.
template <typename Graph>
class TurnedRound {
 public:
  static constexpr bool kIsReference = true;  // it may be copied, and go before what it refers to
  explicit TurnedRound(const Graph& graph) : graph_(graph) {}
  VertexId id_limit() const { return graph_.id_limit(); }
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

 private:
  const Graph& graph_;
};

class InBlocks {
 public:
  // `graph`: a GraphView, or one TurnedRound.
  template <ListReading kReading, typename Graph>
  static InBlocks Of(const Graph& graph, bool keeps) {
    return InBlocks(graph, keeps, [](const Graph& from, VertexId first, VertexId last) {
      return RunBlock::InPlace<kReading>(from, first, last);
    });
  }

  static constexpr std::size_t kVertices = 1 << 9;  // of a block; ids: a hub's row takes long

  std::size_t count() const { return count_; }

  // `swept` holds it if it is not kept.
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
  // What does not last is in arrays of each block's own: the allocator has such sizes at hand,
  // while one large array would be given back after each use and be paged in anew.
  mutable std::vector<RunBlock> kept_;
};

}  // namespace sash
