// PairLists: the neighbours of each vertex without directions, self-loops and parallel edges, kept
// beside a window and changed with it. A neighbour stays as long as an edge leads to it or from it.
//
// A change has steps, between which its user can look at the lists:
//   Begin     flags the pairs that leave; the lists are still those before
//   Exchange  takes these away, and inserts the pairs that come, flagged
//   Settle    removes the flags
// It takes five bytes for each end of a pair and eight for each vertex.
//
// Thread safety: belongs to one thread, which may let several read the lists.
//
// Invariants
//   (1) A list ascends. b is in the list of a exactly if a is in the list of b, with equal flags.
//   (2) Between two changes there are no flags, and the edges of a pair are counted exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/base/radix_sort.h"
#include "windows/kernels/graph_view.h"

namespace sash {

// Edges that came (or left, if negative) between a vertex and another, seen from the vertex.
struct PairChange {
  VertexId vertex = 0;
  VertexId other = 0;
  std::int64_t edges = 0;
};

class PairLists {
 public:
  struct Pair {
    VertexId low = 0;
    VertexId high = 0;  // > low
  };

  class List {
   public:
    List(std::span<const VertexId> others, std::span<const std::uint8_t> marks)
        : others_(others), marks_(marks) {}
    std::size_t size() const { return others_.size(); }
    VertexId other(std::size_t i) const { return others_[i]; }
    bool is_flagged(std::size_t i) const { return (marks_[i] & kFlag) != 0; }
    std::span<const VertexId> others() const { return others_; }

   private:
    std::span<const VertexId> others_;
    std::span<const std::uint8_t> marks_;
  };

  template <BulkGraphView Graph>
  void Fill(const Graph& graph, int threads) {
    chunks_.clear();
    Resize(graph.id_limit());
    ParallelBlocks(id_limit_, kChunk, threads,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                     FillChunk(graph, begin, end, chunks_[chunk]);
                   });
  }

  // `changes` has each change of a pair twice, once from each end, in any order; several changes of
  // a pair are added. Returns the pairs that leave. Returns nothing if an edge leaves that was not
  // there: the lists are of another graph, and must be filled again.
  std::optional<std::vector<Pair>> Begin(std::vector<PairChange> changes, VertexId id_limit,
                                         int threads);
  // Returns the pairs that came.
  std::vector<Pair> Exchange(int threads);
  void Settle(int threads);

  VertexId id_limit() const { return id_limit_; }
  List list(VertexId v) const {
    const Chunk& chunk = chunks_[v / kChunk];
    const std::size_t begin = chunk.begin(v % kChunk);
    const std::size_t count = chunk.ends[v % kChunk] - begin;
    return {std::span(chunk.others).subspan(begin, count),
            std::span(chunk.marks).subspan(begin, count)};
  }

 private:
  static constexpr std::size_t kChunk = 1 << 8;  // vertices
  // A mark is the number of edges of a pair, or kMany: then `many` has it. With kFlag: flagged.
  static constexpr std::uint8_t kFlag = 1 << 7;
  static constexpr std::uint8_t kMany = kFlag - 1;

  struct Chunk {
    std::size_t begin(std::size_t place) const { return place == 0 ? 0 : ends[place - 1]; }
    void Append(std::uint64_t place, VertexId other, std::uint64_t edges, std::uint8_t flag);
    std::uint64_t edges(std::size_t place, std::size_t i) const;

    std::vector<std::size_t> ends{};  // of the list of each vertex, in `others` and `marks`
    std::vector<VertexId> others{};
    std::vector<std::uint8_t> marks{};
    std::unordered_map<std::uint64_t, std::uint64_t> many{};  // by place in the chunk, and other
    // Within a change.
    std::vector<PairChange> coming{};  // by vertex, then other
    std::vector<Pair> leaving{};       // seen from their lower end
    bool is_flagged = false;           // pairs leave
  };

  static std::uint64_t ManyKey(std::uint64_t place, VertexId other) { return place << 32 | other; }

  template <BulkGraphView Graph>
  static void FillChunk(const Graph& graph, std::size_t begin, std::size_t end, Chunk& chunk) {
    std::vector<VertexId> ends;
    for (std::size_t v = begin; v < end; ++v) {
      ends.clear();
      const auto append = [&](const auto& list) {
        for (const VertexId u : list) {
          if (u != v) ends.push_back(u);
        }
      };
      append(graph.out(static_cast<VertexId>(v)));
      append(graph.in(static_cast<VertexId>(v)));
      RadixSort(ends, [](VertexId u) { return u; });
      for (std::size_t i = 0; i < ends.size();) {
        const std::size_t first = i;
        while (i < ends.size() && ends[i] == ends[first]) ++i;
        chunk.Append(v - begin, ends[first], i - first, 0);
      }
      chunk.ends[v - begin] = chunk.others.size();
    }
    chunk.others.shrink_to_fit();
    chunk.marks.shrink_to_fit();
  }

  void Resize(VertexId id_limit);
  static bool BeginChunk(std::span<PairChange> changes, Chunk& chunk);
  static void ExchangeChunk(Chunk& chunk);

  VertexId id_limit_ = 0;
  std::vector<Chunk> chunks_;
};

}  // namespace sash
