// SimpleGraph: a graph without directions, self-loops and parallel edges, with ascending lists.
//
// Vertices get new numbers, by ascending degree, then by id. Each list holds either all neighbours,
// or only those with greater numbers. In the second case each edge is stored once, at the end with
// fewer edges. Then no list is longer than about the square root of twice the number of edges,
// however large the hubs are, and triangles are found by merging short lists.
//
// Built once, in parallel. Takes five bytes for each stored neighbour and sixteen for each vertex.
//
// Source: Schank, Wagner: Finding, counting and listing all triangles in large graphs, an
// experimental study (WEA 2005), algorithm "forward".
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/base/radix_sort.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/neighbour_sets.h"

namespace sash {

class SimpleGraph {
 public:
  using Number = std::uint32_t;  // of a vertex, by ascending degree

  enum class Kept : std::uint8_t { kAll, kGreater };

  struct List {
    std::span<const Number> others;      // ascending
    std::span<const std::uint8_t> arcs;  // for each, 1 or 2: edges lead one way or both
  };

  template <BulkGraphView Graph>
  SimpleGraph(const Graph& graph, Kept kept, int threads)
      : vertices_(ByDegree(graph)),
        starts_(vertices_.size()),
        degrees_(vertices_.size()),
        chunks_(BlockCount(vertices_.size(), kChunk)) {
    std::vector<Number> numbers(graph.id_limit());
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      numbers[vertices_[i]] = static_cast<Number>(i);
    }
    ParallelBlocks(vertices_.size(), kChunk, threads,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                     FillChunk(graph, kept, numbers, {begin, end}, chunks_[chunk]);
                   });
  }

  std::size_t size() const { return vertices_.size(); }
  VertexId vertex(Number n) const { return vertices_[n]; }
  std::uint32_t degree(Number n) const { return degrees_[n]; }  // counts all its neighbours
  List list(Number n) const {
    const Chunk& chunk = chunks_[n / kChunk];
    const std::size_t begin = starts_[n];
    const bool last = (n + 1) % kChunk == 0 || n + 1 == vertices_.size();
    const std::size_t count = (last ? chunk.others.size() : starts_[n + 1]) - begin;
    return {std::span(chunk.others).subspan(begin, count),
            std::span(chunk.arcs).subspan(begin, count)};
  }

 private:
  static constexpr std::size_t kChunk = 1 << 8;  // vertices

  struct Chunk {
    std::vector<Number> others;
    std::vector<std::uint8_t> arcs;
  };
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  // Parallel edges count here: any order gives a correct result, and this one a fast one.
  template <BulkGraphView Graph>
  static std::vector<VertexId> ByDegree(const Graph& graph) {
    struct Ranked {
      std::uint64_t degree;
      VertexId vertex;
    };
    std::vector<Ranked> ranked;
    ranked.reserve(graph.vertices().size());
    for (const VertexId v : graph.vertices()) {
      ranked.push_back({std::uint64_t{graph.out_degree(v)} + graph.in_degree(v), v});
    }
    RadixSort(ranked, [](const Ranked& r) { return r.degree; });
    std::vector<VertexId> vertices;
    vertices.reserve(ranked.size());
    for (const Ranked& r : ranked) vertices.push_back(r.vertex);
    return vertices;
  }

  template <BulkGraphView Graph>
  void FillChunk(const Graph& graph, Kept kept, const std::vector<Number>& numbers, Range range,
                 Chunk& chunk) {
    TieGatherer gatherer;
    for (std::size_t n = range.begin; n < range.end; ++n) {
      starts_[n] = chunk.others.size();
      const std::vector<Tie>& ties =
          gatherer.Gather(graph, vertices_[n], [&](VertexId u) { return numbers[u]; });
      degrees_[n] = static_cast<std::uint32_t>(ties.size());
      for (const Tie& tie : ties) {
        if (kept == Kept::kGreater && tie.other < n) continue;
        chunk.others.push_back(tie.other);
        chunk.arcs.push_back(tie.arcs);
      }
    }
    chunk.others.shrink_to_fit();
    chunk.arcs.shrink_to_fit();
  }

  std::vector<VertexId> vertices_;   // by number
  std::vector<std::size_t> starts_;  // in the chunk
  std::vector<std::uint32_t> degrees_;
  std::vector<Chunk> chunks_;
};

}  // namespace sash
