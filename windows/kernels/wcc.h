// Weakly connected components: sets of vertices that edges connect, whatever their direction.
//
// The label of a component is its least id, so labels do not depend on the order of the threads.
// First, trees of parents grow along the first edges of each vertex only. Then most vertices of a
// real graph are in one component, and the edges among them need not be read any more. Parents
// always have lower ids than their children, so the least id becomes the root. Vertices with only
// self-loops are components of their own; ids without a vertex have kNoVertex.
//
// Thread safety: a pure function.
//
// Source: Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via subgraph
// sampling (IPDPS 2018): Afforest.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"

namespace sash {

struct WccOptions {
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct WccResult {
  std::vector<VertexId> labels;  // by id
  std::uint64_t components = 0;
  bool cancelled = false;  // `progress` said stop: the labels mean nothing
};

namespace wcc {

inline constexpr std::size_t kBlock = 1 << 12;
inline constexpr std::size_t kSampledEdges = 2;  // of each vertex, before most are settled

class Forest {
 public:
  explicit Forest(std::vector<VertexId>& parents) : parents_(parents) {}

  VertexId Parent(VertexId v) const {
    return std::atomic_ref(parents_[v]).load(std::memory_order_relaxed);
  }

  // Merges the trees of u and v: the greater root becomes a child of the lesser.
  void Link(VertexId u, VertexId v) {
    VertexId a = Parent(u);
    VertexId b = Parent(v);
    while (a != b) {
      const VertexId high = std::max(a, b);
      const VertexId low = std::min(a, b);
      VertexId above = Parent(high);
      if (above == low) return;
      if (above == high && std::atomic_ref(parents_[high])
                               .compare_exchange_strong(above, low, std::memory_order_relaxed)) {
        return;
      }
      a = Parent(Parent(high));
      b = Parent(low);
    }
  }

  // Makes the root of its tree the parent of v.
  void Compress(VertexId v) {
    VertexId root = Parent(v);
    for (VertexId above = Parent(root); above != root; above = Parent(root)) root = above;
    std::atomic_ref(parents_[v]).store(root, std::memory_order_relaxed);
  }

  // The most frequent parent in a sample of vertices that is spread over the graph.
  VertexId MostFrequent(std::span<const VertexId> vertices) const {
    constexpr std::size_t kSamples = 1024;
    std::array<VertexId, kSamples> samples;
    for (std::size_t i = 0; i < kSamples; ++i) {
      samples[i] = Parent(vertices[i * vertices.size() / kSamples]);
    }
    std::ranges::sort(samples);
    VertexId best = samples[0];
    std::size_t most = 0;
    for (std::size_t begin = 0; begin < kSamples;) {
      std::size_t end = begin;
      while (end < kSamples && samples[end] == samples[begin]) ++end;
      if (end - begin > most) {
        most = end - begin;
        best = samples[begin];
      }
      begin = end;
    }
    return best;
  }

 private:
  std::vector<VertexId>& parents_;
};

template <typename Each>
void ForEachVertex(std::span<const VertexId> vertices, int threads, const Each& each) {
  ParallelBlocks(vertices.size(), kBlock, threads,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (const VertexId v : vertices.subspan(begin, end - begin)) each(v);
                 });
}

// Links v along its first out-edges (LinkFirst), or along all other edges (LinkRest).
template <GraphView Graph>
void LinkFirst(const Graph& graph, VertexId v, Forest& forest) {
  std::size_t looked_at = 0;
  for (const VertexId u : graph.out(v)) {
    forest.Link(v, u);
    if (++looked_at == kSampledEdges) return;
  }
}

template <GraphView Graph>
void LinkRest(const Graph& graph, VertexId v, Forest& forest) {
  std::size_t looked_at = 0;
  for (const VertexId u : graph.out(v)) {
    if (++looked_at > kSampledEdges) forest.Link(v, u);
  }
  for (const VertexId u : graph.in(v)) forest.Link(v, u);
}

}  // namespace wcc

template <GraphView Graph>
WccResult Wcc(const Graph& graph, const WccOptions& options = {}) {
  WccResult result;
  const std::span<const VertexId> vertices = graph.vertices();
  result.labels.assign(graph.id_limit(), kNoVertex);
  if (vertices.empty()) return result;
  for (const VertexId v : vertices) result.labels[v] = v;
  options.progress.Begin(RunPhase::kComputing);
  wcc::Forest forest(result.labels);
  const auto compress = [&](VertexId v) { forest.Compress(v); };
  wcc::ForEachVertex(vertices, options.threads,
                     [&](VertexId v) { wcc::LinkFirst(graph, v, forest); });
  wcc::ForEachVertex(vertices, options.threads, compress);
  const VertexId settled = forest.MostFrequent(vertices);
  // An edge between a settled and another vertex is linked by the other vertex.
  result.cancelled =
      !SweepParts(vertices.size(), options.progress, [&](std::size_t begin, std::size_t end) {
        wcc::ForEachVertex(vertices.subspan(begin, end - begin), options.threads, [&](VertexId v) {
          if (forest.Parent(v) != settled) wcc::LinkRest(graph, v, forest);
        });
      });
  wcc::ForEachVertex(vertices, options.threads, compress);
  for (const VertexId v : vertices) result.components += result.labels[v] == v ? 1 : 0;
  return result;
}

}  // namespace sash
