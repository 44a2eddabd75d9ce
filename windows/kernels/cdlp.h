// Communities by label propagation, synchronous and deterministic.
//
// Every vertex begins with its own label. In each iteration it takes the most frequent label that
// its neighbours had before the iteration; on a tie, the least. An edge brings the label of its
// other end to both its ends. So two vertices with edges both ways count twice for each other, and
// parallel edges each count. Self-loops do not count. A vertex without other edges keeps its label.
// The iterations end when no label changes, or after `max_iterations`: labels can oscillate for
// ever.
//
// Thread safety: a pure function. Labels do not depend on the number of threads.
//
// Source: Raghavan, Albert, Kumara: Near linear time algorithm to detect community structures in
// large-scale networks (Physical Review E 76, 2007), as made deterministic by LDBC Graphalytics
// (specification, algorithm CDLP).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/progress.h"

namespace sash {

// The first label of a vertex. The order of labels defines "the least". 32 bits, like ids.
using CommunityLabel = std::uint32_t;
inline constexpr CommunityLabel kNoCommunity = kNoVertex;

struct CdlpOptions {
  int max_iterations = 10;
  // By id: different for any two vertices, below kNoCommunity. Empty: the ids, which mean nothing
  // outside the process. With the places in the order of keys, labels are the same in every run.
  std::span<const CommunityLabel> first_labels{};
  int threads = 0;  // 0: all the cores
  KernelProgress progress{};
};

struct CdlpResult {
  std::vector<CommunityLabel> labels;  // by id; kNoCommunity where there is no vertex
  int iterations = 0;                  // the last one changed nothing when it converged
  bool converged = false;
  bool cancelled = false;  // `progress` said stop: the labels are those of an earlier iteration
};

namespace cdlp {

inline constexpr std::size_t kBlock = 1 << 9;

// The votes for one vertex. The memory is reused for the next vertex.
class Votes {
 public:
  void Clear() { labels_.clear(); }
  void Add(CommunityLabel label) { labels_.push_back(label); }
  bool empty() const { return labels_.empty(); }

  // The least of the labels with the most votes.
  CommunityLabel Winner() {
    if (labels_.size() <= kSorted) return WinnerOfFew();
    return WinnerOfMany();
  }

 private:
  static constexpr std::size_t kSorted = 48;

  struct Slot {
    CommunityLabel label = kNoCommunity;
    std::uint32_t votes = 0;
  };

  CommunityLabel WinnerOfFew() {
    std::ranges::sort(labels_);
    CommunityLabel winner = labels_[0];
    std::size_t most = 0;
    for (std::size_t begin = 0; begin < labels_.size();) {
      std::size_t end = begin;
      while (end < labels_.size() && labels_[end] == labels_[begin]) ++end;
      if (end - begin > most) {
        most = end - begin;
        winner = labels_[begin];
      }
      begin = end;
    }
    return winner;
  }

  CommunityLabel WinnerOfMany() {
    const std::size_t size = std::bit_ceil(2 * labels_.size());
    const int shift = 64 - std::countr_zero(size);
    slots_.assign(size, Slot());
    Slot best;
    for (const CommunityLabel label : labels_) {
      std::size_t at = label * std::uint64_t{0x9E3779B97F4A7C15} >> shift;
      while (slots_[at].label != label && slots_[at].label != kNoCommunity) {
        at = (at + 1) & (size - 1);
      }
      slots_[at].label = label;
      const std::uint32_t votes = ++slots_[at].votes;
      if (votes > best.votes || (votes == best.votes && label < best.label)) best = slots_[at];
    }
    return best.label;
  }

  std::vector<CommunityLabel> labels_;
  std::vector<Slot> slots_;
};

// One iteration from `before` to `after`; returns how many labels changed.
template <GraphView Graph>
std::uint64_t Iterate(const Graph& graph, const std::vector<CommunityLabel>& before, int threads,
                      std::vector<CommunityLabel>& after) {
  const std::span<const VertexId> vertices = graph.vertices();
  return ParallelSum<std::uint64_t>(
      vertices.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
        std::uint64_t changed = 0;
        Votes votes;
        for (const VertexId v : vertices.subspan(begin, end - begin)) {
          votes.Clear();
          for (const VertexId u : graph.out(v)) {
            if (u != v) votes.Add(before[u]);
          }
          for (const VertexId u : graph.in(v)) {
            if (u != v) votes.Add(before[u]);
          }
          after[v] = votes.empty() ? before[v] : votes.Winner();
          changed += after[v] != before[v] ? 1 : 0;
        }
        return changed;
      });
}

}  // namespace cdlp

template <GraphView Graph>
CdlpResult Cdlp(const Graph& graph, const CdlpOptions& options = {}) {
  CdlpResult result;
  const std::span<const VertexId> vertices = graph.vertices();
  result.labels.assign(graph.id_limit(), kNoCommunity);
  result.converged = vertices.empty();
  for (const VertexId v : vertices) {
    result.labels[v] = options.first_labels.empty() ? v : options.first_labels[v];
  }
  std::vector<CommunityLabel> next = result.labels;
  options.progress.Begin(RunPhase::kComputing);
  while (!result.converged && result.iterations < options.max_iterations) {
    result.converged = cdlp::Iterate(graph, result.labels, options.threads, next) == 0;
    result.labels.swap(next);
    ++result.iterations;
    if (options.progress && !options.progress(result.iterations, 0)) {
      result.cancelled = true;
      break;
    }
  }
  options.progress.Begin(RunPhase::kFinishing);
  return result;
}

}  // namespace sash
