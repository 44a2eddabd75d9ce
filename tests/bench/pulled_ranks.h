// PulledRanks: PageRank in doubles that pulls along the in-lists of a graph, with loops over fixed
// blocks of vertices. It is the algorithm of daemon/plugins/examples/pagerank.cc, compiled into the
// program: on the view of a window, what a plug-in should cost; on the plain CSR, what a program of
// one's own would cost.
//
// Thread safety: one thread, which uses others.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"

namespace sash::bench {

template <typename Graph>
class PulledRanks {
 public:
  // Both outlive the object. `vertices`: ascending.
  PulledRanks(const Graph& graph, std::span<const VertexId> vertices, int threads)
      : graph_(graph),
        vertices_(vertices),
        threads_(threads),
        share_(1 / static_cast<double>(vertices.size())),
        ranks_(graph.id_limit()),
        shares_(graph.id_limit()),
        sums_(graph.id_limit()),
        degrees_(vertices.size()),
        dangling_((vertices.size() + kBlock - 1) / kBlock),
        changes_(dangling_.size()) {}

  // By id; 0 for ids that are not in the graph.
  std::vector<double> Run(double damping, int iterations) && {
    Each([&](std::size_t block, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        degrees_[i] = graph_.out_degree(vertices_[i]);
        ranks_[vertices_[i]] = share_;
      }
      Pass(block, first, last);
    });
    for (int i = 0; i < iterations; ++i) {
      const double spread = Sum(dangling_) * share_;
      Each([&](std::size_t block, std::size_t first, std::size_t last) {
        changes_[block] = Pull(first, last, damping, spread);
      });
      Each([&](std::size_t block, std::size_t first, std::size_t last) {
        Pass(block, first, last);
      });
    }
    return std::move(ranks_);
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  template <typename Body>
  void Each(const Body& body) {
    ParallelBlocks(vertices_.size(), kBlock, threads_, body);
  }
  static double Sum(const std::vector<double>& of_blocks) {
    double sum = 0;
    for (const double each : of_blocks) sum += each;
    return sum;
  }

  // The change of the ranks, in sum.
  double Pull(std::size_t first, std::size_t last, double damping, double spread) {
    for (std::size_t i = first; i < last; ++i) sums_[vertices_[i]] = 0;
    std::vector<VertexId> room_for_copies;
    graph_.ForEachInRun(
        vertices_[first], vertices_[last - 1] + 1,
        [&](VertexId v, std::span<const VertexId> run) {
          double sum = 0;
          for (const VertexId source : run) sum += shares_[source];
          sums_[v] += sum;
        },
        [&](VertexId, std::uint32_t count) {
          room_for_copies.resize(count);
          return room_for_copies.data();
        });
    double change = 0;
    for (std::size_t i = first; i < last; ++i) {
      const VertexId v = vertices_[i];
      const double rank = (1 - damping) * share_ + damping * (sums_[v] + spread);
      change += std::abs(rank - ranks_[v]);
      ranks_[v] = rank;
    }
    return change;
  }

  void Pass(std::size_t block, std::size_t first, std::size_t last) {
    double dangling = 0;
    for (std::size_t i = first; i < last; ++i) {
      const VertexId v = vertices_[i];
      if (degrees_[i] == 0) dangling += ranks_[v];
      shares_[v] = degrees_[i] == 0 ? 0 : ranks_[v] / degrees_[i];
    }
    dangling_[block] = dangling;
  }

  const Graph& graph_;
  const std::span<const VertexId> vertices_;
  const int threads_;
  const double share_;
  std::vector<double> ranks_;
  std::vector<double> shares_;
  std::vector<double> sums_;
  std::vector<std::uint32_t> degrees_;
  std::vector<double> dangling_;  // of blocks
  std::vector<double> changes_;   // likewise
};

template <typename Graph>
std::vector<double> RanksOf(const Graph& graph, std::span<const VertexId> vertices, int threads,
                            int iterations) {
  return PulledRanks<Graph>(graph, vertices, threads).Run(0.85, iterations);
}

}  // namespace sash::bench
