// BfsEach: breadth-first searches from many roots, one search each, in one pass over the graph.
//
// Searches from different roots meet most vertices in the same few levels. So up to 64 searches run
// together: each vertex has a word with one bit for each search that has seen it, and a word with
// one bit for each search that has it on its frontier. Following an edge is one OR for all of them.
// Small frontiers push along their edges. For large ones, every vertex that some search has not
// seen pulls from its neighbours until no search is missing. For pulling, the visible parts of
// lists with dead slots are copied once, where they cannot be read in place.
//
// Thread safety: a pure function. Depths do not depend on the number of threads.
//
// Source: Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier:
// efficient multi-source graph traversal (VLDB 2014).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/has_edge.h"
#include "windows/base/ids.h"
#include "windows/base/large_array.h"
#include "windows/base/parallel.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/rows/fetch_ahead.h"
#include "windows/kernels/rows/in_blocks.h"

namespace sash {
namespace bfs_each {

// Searches from at most as many roots as Word has bits. `follow` is not kBoth.
template <BulkGraphView Graph, typename Word>
class Searches {
 public:
  Searches(const Graph& graph, std::span<const VertexId> roots, const BfsOptions& options)
      : graph_(graph),
        options_(options),
        all_(static_cast<Word>(std::numeric_limits<Word>::max() >> (kBits - roots.size()))),
        results_(roots.size()),
        seen_(Zeros()),
        frontier_(Zeros()),
        next_(Zeros()) {
    for (BfsResult& result : results_) result.depths.resize(graph.id_limit());
    ParallelBlocks(roots.size(), 1, options.threads, [&](std::size_t i, std::size_t, std::size_t) {
      std::ranges::fill(results_[i].depths, kUnreached);
    });
    Counts counts{};
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const VertexId root = roots[i];
      if (!HasEdge(graph, root)) continue;
      if (next_[root] == 0) vertices_.push_back(root);
      next_[root] = static_cast<Word>(next_[root] | Word{1} << i);
    }
    for (const VertexId root : vertices_) Reach(root, 0, counts);
    std::swap(frontier_, next_);
    CloseLevel(counts);
  }

  std::vector<BfsResult> Run() {
    options_.progress.Begin(RunPhase::kComputing);
    for (std::int32_t depth = 1; !vertices_.empty(); ++depth) {
      std::vector<Counts> counts;
      if (HasFewer(graph_.edge_count() / kPullShare)) {
        Push(depth, counts);
      } else {
        Pull(depth, counts);
      }
      CloseLevel(Sum(counts));
      if (options_.progress && !options_.progress(depth, 0)) {
        for (BfsResult& result : results_) result.cancelled = true;
        break;
      }
    }
    options_.progress.Begin(RunPhase::kFinishing);
    return std::move(results_);
  }

 private:
  static constexpr std::size_t kBits = std::numeric_limits<Word>::digits;
  static constexpr std::uint64_t kPullShare = 24;  // of the edges: pushing costs more per edge
  static constexpr std::size_t kBlock = 1 << 6;
  using Counts = std::array<std::uint64_t, kBits>;  // by search: vertices reached

  LargeArray<Word> Zeros() const {
    LargeArray<Word> words(graph_.id_limit());
    ParallelBlocks(words.size(), 1 << 16, options_.threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     std::fill(words.data() + begin, words.data() + end, Word{0});
                   });
    return words;
  }

  static Counts Sum(const std::vector<Counts>& parts) {
    Counts sum{};
    for (const Counts& part : parts) {
      for (std::size_t i = 0; i < kBits; ++i) sum[i] += part[i];
    }
    return sum;
  }

  void CloseLevel(const Counts& counts) {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (counts[i] == 0) continue;
      results_[i].levels.push_back(counts[i]);
      results_[i].reached += counts[i];
    }
  }

  bool follows_out() const { return options_.follow == FollowedEdges::kOut; }

  // Whether fewer than `edges` edges leave the frontier.
  bool HasFewer(std::uint64_t edges) const {
    std::uint64_t sum = 0;
    for (const VertexId v : vertices_) {
      sum += follows_out() ? graph_.out_degree(v) : graph_.in_degree(v);
      if (sum >= edges) return false;
    }
    return sum < edges;
  }

  // The searches in next_[v] have reached v.
  void Reach(VertexId v, std::int32_t depth, Counts& counts) {
    seen_[v] = static_cast<Word>(seen_[v] | next_[v]);
    for (std::uint64_t left = next_[v]; left != 0; left &= left - 1) {
      const auto search = static_cast<std::size_t>(std::countr_zero(left));
      results_[search].depths[v] = depth;
      ++counts[search];
    }
  }

  void Push(std::int32_t depth, std::vector<Counts>& counts) {
    std::vector<std::vector<VertexId>> found(BlockCount(vertices_.size(), kBlock));
    counts.resize(found.size());
    ParallelBlocks(vertices_.size(), kBlock, options_.threads,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     const auto fetch = [&](VertexId v, FetchStep step) {
                       bfs::Fetch(graph_, options_.follow, v, step);
                     };
                     const std::span some =
                         std::span<const VertexId>(vertices_).subspan(begin, end - begin);
                     FetchFirstLists(some, fetch);
                     for (std::size_t i = begin; i < end; ++i) {
                       FetchListsAhead(some, i - begin, fetch);
                       PushFrom(vertices_[i], found[block]);
                     }
                   });
    ParallelBlocks(found.size(), 1, options_.threads,
                   [&](std::size_t block, std::size_t, std::size_t) {
                     for (const VertexId v : found[block]) Reach(v, depth, counts[block]);
                   });
    TakeFrontier(found);
  }

  void PushFrom(VertexId v, std::vector<VertexId>& found) {
    const Word searches = frontier_[v];
    const auto follow = [&](VertexId u) {
      const auto come = static_cast<Word>(searches & ~seen_[u]);
      const std::atomic_ref<Word> word(next_[u]);
      if ((come & ~word.load(std::memory_order_relaxed)) == 0) return;
      if (word.fetch_or(come, std::memory_order_relaxed) == 0) found.push_back(u);
    };
    // Most neighbours have been reached. The others are selected without a branch for each, which
    // the processor could not predict.
    const auto read = [&](std::span<const VertexId> neighbours) {
      constexpr std::size_t kAtOnce = 64;
      std::array<VertexId, kAtOnce> left;
      while (!neighbours.empty()) {
        const std::span<const VertexId> some =
            neighbours.first(std::min(neighbours.size(), kAtOnce));
        std::size_t count = 0;
        for (const VertexId u : some) {
          left[count] = u;
          const std::atomic_ref<Word> word(next_[u]);
          count += (searches & ~seen_[u] & ~word.load(std::memory_order_relaxed)) != 0 ? 1 : 0;
        }
        for (const VertexId u : std::span(left).first(count)) follow(u);
        neighbours = neighbours.subspan(some.size());
      }
      return true;
    };
    if (follows_out()) {
      graph_.ReadOutNeighbours(v, read);
    } else {
      graph_.ReadInNeighbours(v, read);
    }
  }

  void Pull(std::int32_t depth, std::vector<Counts>& counts) {
    if (!against_) {
      options_.progress.Begin(RunPhase::kPreparing);
      if (follows_out()) {
        against_ = InBlocks::Of<ListReading::kNeighbours>(graph_, !options_.sweeps);
      } else {
        against_ = InBlocks::Of<ListReading::kNeighbours>(TurnedRound(graph_), !options_.sweeps);
      }
      options_.progress.Begin(RunPhase::kComputing);
    }
    std::vector<std::vector<VertexId>> found(against_->count());
    counts.resize(found.size());
    ParallelBlocks(found.size(), 1, options_.threads,
                   [&](std::size_t block, std::size_t, std::size_t) {
                     PullBlock(block, depth, found[block], counts[block]);
                   });
    TakeFrontier(found);
  }

  void PullBlock(std::size_t block, std::int32_t depth, std::vector<VertexId>& found,
                 Counts& counts) {
    Word come = 0;
    RunBlock swept;
    against_->Get(block, swept)
        .ForEachRun(
            [&](VertexId v, std::span<const VertexId> sources) {
              const auto lacks = static_cast<Word>(all_ & ~seen_[v]);
              if (lacks == 0) return false;
              constexpr std::size_t kBetweenLooks = 8;
              while (!sources.empty()) {
                const std::size_t some = std::min(sources.size(), kBetweenLooks);
                for (const VertexId u : sources.first(some)) {
                  come = static_cast<Word>(come | frontier_[u]);
                }
                if ((lacks & ~come) == 0) return false;
                sources = sources.subspan(some);
              }
              return true;
            },
            [&](VertexId v) {
              next_[v] = static_cast<Word>(come & ~seen_[v]);
              come = 0;
              if (next_[v] == 0) return;
              Reach(v, depth, counts);
              found.push_back(v);
            });
  }

  // next_ becomes the frontier; the old frontier is cleared for the next level.
  void TakeFrontier(const std::vector<std::vector<VertexId>>& found) {
    for (const VertexId v : vertices_) frontier_[v] = 0;
    std::swap(frontier_, next_);
    vertices_.clear();
    for (const auto& part : found) vertices_.insert(vertices_.end(), part.begin(), part.end());
    if (options_.sweeps) std::ranges::sort(vertices_);
  }

  const Graph& graph_;
  const BfsOptions& options_;
  const Word all_;
  std::vector<BfsResult> results_;  // by search
  std::vector<VertexId> vertices_;  // on the frontier of any search
  // By id, one bit for each search. next_ is 0 between the levels.
  LargeArray<Word> seen_;
  LargeArray<Word> frontier_;
  LargeArray<Word> next_;
  std::optional<InBlocks> against_;  // reversed edges, from the first pull on
};

}  // namespace bfs_each

// One result for each root. With edges in both directions, or a single root, searches run one by
// one.
template <BulkGraphView Graph>
std::vector<BfsResult> BfsEach(const Graph& graph, std::span<const VertexId> roots,
                               const BfsOptions& options = {}) {
  std::vector<BfsResult> results;
  while (!roots.empty() && (results.empty() || !results.back().cancelled)) {
    const bool is_single = roots.size() == 1 || options.follow == FollowedEdges::kBoth;
    const std::size_t count = is_single ? 1 : std::min<std::size_t>(roots.size(), 64);
    const std::span<const VertexId> some = roots.first(count);
    options.progress.Begin(RunPhase::kPreparing);
    if (is_single) {
      results.push_back(Bfs(graph, some, options));
    } else if (count <= 16) {
      std::ranges::move(bfs_each::Searches<Graph, std::uint16_t>(graph, some, options).Run(),
                        std::back_inserter(results));
    } else {
      std::ranges::move(bfs_each::Searches<Graph, std::uint64_t>(graph, some, options).Run(),
                        std::back_inserter(results));
    }
    roots = roots.subspan(count);
  }
  return results;
}

}  // namespace sash
