// BfsRepair: repairs the depths of one breadth-first search after steps have come and left.
//
// Thread safety: belongs to one thread, and reads lists with more threads. The result does not
// depend on their number.
//
// Invariants
//   (1) Between CutOff() and ReachAgain(), a vertex with a depth can be reached in that number of
//       steps.
//   (2) A vertex that can be reached in fewer steps is brought nearer by a step that came, or from
//       a vertex whose old path was removed.
//
// Source: Ramalingam, Reps: An incremental algorithm for a generalization of the shortest-path
// problem (J. Algorithms 21, 1996), sections 3 and 4, with all lengths 1: queues are levels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/present_vertices.h"

namespace sash {

// The result of a search in the earlier view, and the roots from which it starts in the later view.
struct EarlierBfs {
  std::span<const VertexId> roots{};       // of the later view
  std::span<const std::int32_t> depths{};  // by id
  std::span<const std::uint64_t> levels{};
};

// An edge in the direction in which it is followed.
struct BfsStep {
  VertexId from;
  VertexId to;
};

using BfsSteps = std::vector<std::vector<BfsStep>>;  // in parts, in any order

// Call NoteLeft() for every step that left, then Run().
template <BulkGraphView Graph>
class BfsRepair {
 public:
  // `parts`: their number in the changes. Run() may read `most_read` edges.
  BfsRepair(const Graph& graph, const EarlierBfs& earlier, const BfsOptions& options,
            std::size_t parts, std::uint64_t most_read)
      : graph_(graph),
        options_(options),
        roots_(PresentVertices(graph, earlier.roots)),
        may_read_(most_read),
        doubts_(parts + 1) {
    result_.depths.reserve(std::max<std::size_t>(earlier.depths.size(), graph.id_limit()));
    result_.depths.assign(earlier.depths.begin(), earlier.depths.end());
    if (result_.depths.size() < graph.id_limit()) {
      result_.depths.resize(graph.id_limit(), kUnreached);
    }
    result_.levels.assign(earlier.levels.begin(), earlier.levels.end());
  }

  // One thread at a time reports the steps of a part; different parts may be reported in parallel.
  // A vertex that other steps reach at the same depth is not in doubt until the sources of those
  // are cut off.
  void NoteLeft(std::size_t part, const BfsStep& step) {
    const std::int32_t to = depth(step.to);
    if (to <= 0 || depth(step.from) != to - 1) return;
    std::vector<Reach>& found = doubts_[part];
    const bool is_known = !found.empty() && found.back().vertex == step.to;
    if (!is_known && !HasReason(step.to, to).yes) found.push_back({to, step.to});
  }

  // `came`: the steps that came. Returns false if it gave up.
  bool Run(const BfsSteps& came) {
    FindLostRoots(doubts_.back());
    if (!CutOff(InOrder(doubts_)) || !ReachAgain(WithinReach(came))) return false;
    result_.depths.resize(graph_.id_limit());
    while (!result_.levels.empty() && result_.levels.back() == 0) result_.levels.pop_back();
    for (const std::uint64_t count : result_.levels) result_.reached += count;
    return true;
  }

  BfsResult& result() { return result_; }

 private:
  static constexpr std::size_t kBlock = 1 << 8;  // vertices whose lists are read

  struct Reach {
    std::int32_t depth;
    VertexId vertex;
    friend auto operator<=>(const Reach&, const Reach&) = default;
  };

  std::int32_t& depth(VertexId v) { return result_.depths[v]; }
  std::int32_t depth(VertexId v) const { return result_.depths[v]; }
  bool IsRoot(VertexId v) const { return std::ranges::binary_search(roots_, v); }

  // Whether a step brings its target (`to`) nearer.
  bool Brings(const BfsStep& step) const {
    const std::int32_t from = depth(step.from);
    const std::int32_t to = depth(step.to);
    return from != kUnreached && (to == kUnreached || from + 1 < to);
  }

  // Calls visit(u) backwards or forwards from v until it returns false. Returns the number of
  // visits.
  template <typename Visit>
  std::uint64_t VisitUntil(VertexId v, bool backwards, const Visit& visit) const {
    if (v >= graph_.id_limit()) return 0;
    std::uint64_t visited = 0;
    bfs::VisitUntil(graph_, options_.follow, v, backwards, [&](VertexId u) {
      ++visited;
      return visit(u);
    });
    return visited;
  }

  bool MayRead(std::uint64_t more) {
    const bool may = more <= may_read_;
    may_read_ -= std::min(may_read_, more);
    return may;
  }

  struct Reason {
    bool yes;
    std::uint64_t read;  // edges
  };

  // Whether v, of depth `at`, has a neighbour one step nearer to a root.
  Reason HasReason(VertexId v, std::int32_t at) const {
    if (at == 0) return {IsRoot(v), 0};
    bool yes = false;
    const std::uint64_t read = VisitUntil(v, true, [&](VertexId u) {
      yes = depth(u) == at - 1;
      return !yes;
    });
    return {yes, read};
  }

  // The vertices of all parts, ascending by depth.
  static std::vector<Reach> InOrder(const std::vector<std::vector<Reach>>& parts) {
    std::vector<Reach> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    std::ranges::sort(all);
    return all;
  }

  // Finds the earlier roots that are not roots any more.
  void FindLostRoots(std::vector<Reach>& lost) const {
    const auto still_root = [&](VertexId root) { return depth(root) == 0; };
    const auto kept = static_cast<std::uint64_t>(std::ranges::count_if(roots_, still_root));
    if (result_.levels.empty() || result_.levels.front() == kept) return;
    for (VertexId v = 0; v < result_.depths.size(); ++v) {
      if (depth(v) == 0 && !IsRoot(v)) lost.push_back({0, v});
    }
  }

  // `doubts` ascend. A vertex whose depth has no reason any more becomes unreached.
  bool CutOff(const std::vector<Reach>& doubts) {
    auto next = doubts.begin();
    std::vector<VertexId> level;  // in doubt, of one depth
    std::int32_t at = 0;
    while (next != doubts.end() || !level.empty()) {
      if (level.empty()) at = next->depth;
      for (; next != doubts.end() && next->depth == at; ++next) level.push_back(next->vertex);
      std::ranges::sort(level);  // each vertex once
      level.erase(std::ranges::unique(level).begin(), level.end());
      const std::optional<std::vector<VertexId>> lost = WithoutReason(level, at);
      if (!lost) return false;
      level.clear();
      for (const VertexId v : *lost) {
        depth(v) = kUnreached;
        cut_off_.push_back({at, v});
        --result_.levels[static_cast<std::size_t>(at)];
      }
      ++at;
      for (const VertexId v : *lost) {
        const std::uint64_t read = VisitUntil(v, false, [&](VertexId u) {
          if (depth(u) == at) level.push_back(u);
          return true;
        });
        if (!MayRead(read)) return false;
      }
    }
    return true;
  }

  // The vertices of `level` without a neighbour one step nearer to a root. Returns nothing if it
  // gave up.
  std::optional<std::vector<VertexId>> WithoutReason(const std::vector<VertexId>& level,
                                                     std::int32_t at) {
    std::vector<std::vector<VertexId>> parts(BlockCount(level.size(), kBlock));
    const auto read = ParallelSum<std::uint64_t>(level.size(), kBlock, options_.threads,
                                                 [&](std::size_t begin, std::size_t end) {
                                                   std::uint64_t visited = 0;
                                                   for (std::size_t i = begin; i < end; ++i) {
                                                     const Reason reason = HasReason(level[i], at);
                                                     visited += reason.read;
                                                     if (!reason.yes)
                                                       parts[begin / kBlock].push_back(level[i]);
                                                   }
                                                   return visited;
                                                 });
    if (!MayRead(read)) return std::nullopt;
    std::vector<VertexId> lost;
    for (const auto& part : parts) lost.insert(lost.end(), part.begin(), part.end());
    return lost;
  }

  // The places where reaching begins: new roots, cut-off vertices beside vertices that are not cut
  // off, and the targets of steps that bring them nearer.
  std::vector<Reach> WithinReach(const BfsSteps& came) const {
    const std::size_t cuts = BlockCount(cut_off_.size(), kBlock);
    std::vector<std::vector<Reach>> parts(1 + cuts + came.size());
    for (const VertexId root : roots_) {
      if (depth(root) != 0) parts[0].push_back({0, root});
    }
    ParallelBlocks(cut_off_.size(), kBlock, options_.threads,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     FindEdgeOfCut(begin, end, parts[1 + block]);
                   });
    ParallelBlocks(came.size(), 1, options_.threads,
                   [&](std::size_t part, std::size_t, std::size_t) {
                     for (const BfsStep& step : came[part]) {
                       if (!Brings(step)) continue;
                       parts[1 + cuts + part].push_back({depth(step.from) + 1, step.to});
                     }
                   });
    return InOrder(parts);
  }

  // Finds the vertices of cut_off_[begin, end) that an old edge reaches from a vertex that is not
  // cut off.
  void FindEdgeOfCut(std::size_t begin, std::size_t end, std::vector<Reach>& found) const {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [was, v] = cut_off_[i];
      std::int32_t nearest = kUnreached;
      VisitUntil(v, true, [&, was = was](VertexId u) {
        const std::int32_t near = depth(u);
        if (near != kUnreached && (nearest == kUnreached || near < nearest)) nearest = near;
        return nearest != was;  // no old edge comes from a nearer vertex
      });
      if (nearest != kUnreached) found.push_back({nearest + 1, v});
    }
  }

  // Reaches vertices again, nearest first; `candidates` ascend. Returns false if it gave up.
  bool ReachAgain(const std::vector<Reach>& candidates) {
    auto next = candidates.begin();
    std::vector<VertexId> level;
    std::vector<VertexId> reached;
    std::int32_t at = 0;
    while (next != candidates.end() || !level.empty()) {
      if (level.empty()) at = next->depth;
      for (; next != candidates.end() && next->depth == at; ++next) level.push_back(next->vertex);
      reached.clear();
      for (const VertexId v : level) {
        if (depth(v) != kUnreached && depth(v) <= at) continue;
        Settle(v, at);
        reached.push_back(v);
      }
      level.clear();
      ++at;
      for (const VertexId v : reached) {
        const std::uint64_t read = VisitUntil(v, false, [&](VertexId u) {
          if (depth(u) == kUnreached || depth(u) > at) level.push_back(u);
          return true;
        });
        if (!MayRead(read)) return false;
      }
    }
    return true;
  }

  void Settle(VertexId v, std::int32_t at) {
    const auto place = static_cast<std::size_t>(at);
    if (depth(v) != kUnreached) --result_.levels[static_cast<std::size_t>(depth(v))];
    if (result_.levels.size() <= place) result_.levels.resize(place + 1);
    ++result_.levels[place];
    depth(v) = at;
  }

  const Graph& graph_;
  const BfsOptions& options_;
  const std::vector<VertexId> roots_;  // ascending
  std::uint64_t may_read_;
  BfsResult result_;
  std::vector<std::vector<Reach>> doubts_;  // by part; the last part: lost roots
  std::vector<Reach> cut_off_;              // with their earlier depths
};

}  // namespace sash
