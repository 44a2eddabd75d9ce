// Core numbers: the greatest k for which a vertex is in a subgraph where each vertex has k
// neighbours.
//
// Directions, self-loops and parallel edges do not count. At each level, the vertices whose number
// of remaining neighbours is not above the level are removed together, and then the vertices that
// have too few neighbours left. Each vertex has a counter of its remaining neighbours, so a level
// costs only what is left of the graph. A vertex with only self-loops has the core number 0.
//
// Thread safety: a pure function. Core numbers do not depend on the number of threads.
//
// Source: Seidman: Network structure and minimum degree (Social Networks 5, 1983); Dasari, Desh,
// Zubair: ParK, an efficient algorithm for k-core decomposition on multicore processors (IEEE Big
// Data 2014).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/progress.h"
#include "windows/kernels/simple_graph.h"

namespace sash {

struct KcoreOptions {
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct KcoreResult {
  std::vector<std::uint64_t> cores;  // by id
  std::uint64_t degeneracy = 0;      // the greatest core number
  int iterations = 0;                // rounds in which vertices were removed
  bool cancelled = false;            // `progress` said stop: there are no core numbers
};

namespace kcore {

class Peeling {
 public:
  using Number = SimpleGraph::Number;

  Peeling(const SimpleGraph& graph, int threads) : graph_(graph), threads_(threads) {
    left_.resize(graph.size());
    degrees_.resize(graph.size());
    for (std::size_t n = 0; n < graph.size(); ++n) {
      left_[n] = static_cast<Number>(n);
      degrees_[n] = graph.degree(left_[n]);
    }
  }

  // Goes on to the next level; returns the vertices that it removes first, none at the end.
  std::vector<Number> NextLevel() {
    if (begun_) std::erase_if(left_, [&](Number n) { return degrees_[n] <= level_; });
    begun_ = true;
    std::vector<Number> first;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (const Number n : left_) {
      if (degrees_[n] > least) continue;
      if (degrees_[n] < least) first.clear();
      least = degrees_[n];
      first.push_back(n);
    }
    if (!first.empty()) level_ = least;
    return first;
  }

  // Removes the vertices; returns those that then have too few neighbours.
  std::vector<Number> TakeAway(std::span<const Number> taken) {
    std::vector<std::vector<Number>> fallen(BlockCount(taken.size(), kBlock));
    ParallelBlocks(taken.size(), kBlock, threads_,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     for (const Number n : taken.subspan(begin, end - begin)) {
                       for (const Number other : graph_.list(n).others) {
                         if (Lower(other)) fallen[block].push_back(other);
                       }
                     }
                   });
    std::vector<Number> next;
    for (const auto& part : fallen) next.insert(next.end(), part.begin(), part.end());
    return next;
  }

  std::uint32_t level() const { return level_; }
  // Only for a removed vertex: its degree is never lowered below the level, so it stays the core
  // number.
  std::uint32_t core(Number n) const { return degrees_[n]; }

 private:
  static constexpr std::size_t kBlock = 1 << 8;

  // True for the one caller that lowers the vertex to the level.
  bool Lower(Number n) {
    std::atomic_ref<std::uint32_t> degree(degrees_[n]);
    std::uint32_t held = degree.load(std::memory_order_relaxed);
    while (held > level_) {
      if (degree.compare_exchange_weak(held, held - 1, std::memory_order_relaxed)) {
        return held == level_ + 1;
      }
    }
    return false;
  }

  const SimpleGraph& graph_;
  const int threads_;
  std::vector<Number> left_;            // vertices left, and those removed at the last level
  std::vector<std::uint32_t> degrees_;  // neighbours left, at least the level
  std::uint32_t level_ = 0;
  bool begun_ = false;
};

}  // namespace kcore

template <BulkGraphView Graph>
KcoreResult Kcore(const Graph& graph, const KcoreOptions& options = {}) {
  using Number = SimpleGraph::Number;
  KcoreResult result;
  const SimpleGraph simple(graph, SimpleGraph::Kept::kAll, options.threads);
  kcore::Peeling peeling(simple, options.threads);
  options.progress.Begin(RunPhase::kComputing);
  for (std::vector<Number> taken = peeling.NextLevel(); !taken.empty();
       taken = peeling.NextLevel()) {
    result.degeneracy = peeling.level();
    while (!taken.empty()) {
      taken = peeling.TakeAway(taken);
      ++result.iterations;
      if (options.progress && !options.progress(result.iterations, 0)) {
        result.cancelled = true;
        return result;
      }
    }
  }
  options.progress.Begin(RunPhase::kFinishing);
  result.cores.resize(graph.id_limit());
  for (std::size_t n = 0; n < simple.size(); ++n) {
    const auto number = static_cast<Number>(n);
    result.cores[simple.vertex(number)] = peeling.core(number);
  }
  return result;
}

}  // namespace sash
