// Degrees: how many edges a vertex has, or how many different vertices they lead to (its fan-out).
//
// Edges: parallel edges each count. A self-loop counts once in each direction, so twice in both.
// Neighbours: each counts once, however many edges lead to it, in whichever direction. The vertex
// itself does not count.
//
// Thread safety: a pure function. Degrees do not depend on the number of threads.
//
// Source: fan-out as in Venkataraman, Song, Gibbons, Blum: New streaming algorithms for fast
// detection of superspreaders (NDSS 2005), counted exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/neighbour_sets.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"

namespace sash {

enum class DegreeCounts : std::uint8_t { kEdges, kNeighbours };

struct DegreeOptions {
  FollowedEdges follow = FollowedEdges::kBoth;
  DegreeCounts counts = DegreeCounts::kEdges;
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct DegreeResult {
  std::vector<std::uint64_t> degrees;  // by id
  bool cancelled = false;              // `progress` said stop: some are missing
};

namespace degree {

template <BulkGraphView Graph>
std::uint64_t Edges(const Graph& graph, VertexId v, FollowedEdges follow) {
  std::uint64_t edges = 0;
  if (follow != FollowedEdges::kIn) edges += graph.out_degree(v);
  if (follow != FollowedEdges::kOut) edges += graph.in_degree(v);
  return edges;
}

// Counts the neighbours of one vertex. The memory is reused for the next vertex.
class Neighbours {
 public:
  template <GraphView Graph>
  std::uint64_t Count(const Graph& graph, VertexId v, FollowedEdges follow) {
    const auto same = [](VertexId u) { return u; };
    switch (follow) {
      case FollowedEdges::kOut:
        FillSet(graph.out(v), v, same, set_);
        return set_.size();
      case FollowedEdges::kIn:
        FillSet(graph.in(v), v, same, set_);
        return set_.size();
      case FollowedEdges::kBoth:
        break;
    }
    return gatherer_.Gather(graph, v, same).size();
  }

 private:
  std::vector<VertexId> set_;
  TieGatherer gatherer_;
};

}  // namespace degree

template <BulkGraphView Graph>
DegreeResult Degree(const Graph& graph, const DegreeOptions& options = {}) {
  constexpr std::size_t kBlock = 1 << 10;
  const std::span<const VertexId> vertices = graph.vertices();
  DegreeResult result;
  result.degrees.resize(graph.id_limit());
  const auto sweep = [&](std::size_t first, std::size_t last) {
    ParallelBlocks(last - first, kBlock, options.threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     degree::Neighbours neighbours;
                     for (const VertexId v : vertices.subspan(first + begin, end - begin)) {
                       result.degrees[v] = options.counts == DegreeCounts::kEdges
                                               ? degree::Edges(graph, v, options.follow)
                                               : neighbours.Count(graph, v, options.follow);
                     }
                   });
  };
  result.cancelled = !SweepParts(vertices.size(), options.progress, sweep);
  return result;
}

}  // namespace sash
