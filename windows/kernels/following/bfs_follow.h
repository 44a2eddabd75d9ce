// FollowBfs: the depths of breadth-first searches in a window, from those in an earlier view of it
// and the edges that have come and left since. They are what a search from nothing finds.
//
// A vertex is in doubt when an edge left by which it was reached. Level by level, the ones in doubt
// look for another neighbour one step nearer to a root; who has none is cut off, and puts in doubt
// what was reached from there. Then all that is cut off is reached anew from what is not, together
// with what edges that came have brought nearer, nearest first. So an edge that ages out is no
// different from one that comes. Where very much is cut off a search begins anew, and where more
// than a few of the edges have changed all would have to: that is no dearer then.
//
// Thread safety: pure functions. Neither depths nor what begins anew depends on the number of
// threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/bfs_each.h"
#include "windows/kernels/following/bfs_repair.h"
#include "windows/kernels/view_changes.h"

namespace sash {

namespace bfs_follow {

// Tells `repairs` of the steps that left; those that came are returned, or nothing: more changed
// than `most`.
template <FollowableView Graph>
std::optional<BfsSteps> TellChanges(const Graph& before, const Graph& after, std::size_t most,
                                    const BfsOptions& options,
                                    std::vector<BfsRepair<Graph>>& repairs) {
  BfsSteps came_steps(ChangePartCount(before, after));
  const auto for_each_step = [&](VertexId v, std::span<const VertexId> sources, const auto& step) {
    for (const VertexId u : sources) {
      if (options.follow != FollowedEdges::kIn) step(BfsStep{u, v});
      if (options.follow != FollowedEdges::kOut) step(BfsStep{v, u});
    }
  };
  const auto changes = VisitChanges(
      before, after, most, options.threads,
      [&](std::size_t part, VertexId v, std::span<const VertexId> came,
          std::span<const VertexId> left) {
        for_each_step(v, came, [&](BfsStep step) { came_steps[part].push_back(step); });
        for (BfsRepair<Graph>& repair : repairs) {
          for_each_step(v, left, [&](BfsStep step) { repair.TellLeft(part, step); });
        }
      });
  return changes ? std::optional(std::move(came_steps)) : std::nullopt;
}

// Searches those whose results are missing.
template <GraphView Graph>
void SearchAnew(const Graph& graph, std::span<const EarlierBfs> searches,
                std::span<const std::size_t> missing, const BfsOptions& options,
                std::vector<BfsResult>& results) {
  std::vector<VertexId> roots;  // of searches that go together
  std::vector<std::size_t> places;
  for (const std::size_t i : missing) {
    if (searches[i].roots.size() == 1) {
      roots.push_back(searches[i].roots.front());
      places.push_back(i);
    } else {
      results[i] = Bfs(graph, searches[i].roots, options);
      if (results[i].cancelled) return;
    }
  }
  std::vector<BfsResult> found = BfsEach(graph, roots, options);
  for (std::size_t i = 0; i < found.size(); ++i) results[places[i]] = std::move(found[i]);
}

}  // namespace bfs_follow

struct FollowedBfs {
  std::vector<BfsResult> results{};  // of each search
  std::size_t anew = 0;              // of them from nothing, since too much was cut off
  bool cancelled = false;            // `progress` said stop: there are no results
};

// `searches` followed the same edges in `before` as they do now. Nothing: too much has changed.
template <FollowableView Graph>
std::optional<FollowedBfs> FollowBfs(const Graph& before, const Graph& after,
                                     std::span<const EarlierBfs> searches,
                                     const BfsOptions& options = {}) {
  constexpr std::uint64_t kLeastShareAnew = 64;  // of the edges, changed
  constexpr std::uint64_t kLeastShareRead = 16;  // of the edges, read to repair one search
  constexpr std::size_t kTogether = 64;          // searches between two calls of `progress`
  options.progress.Begin(RunPhase::kPreparing);
  const std::uint64_t most = after.edge_count() / kLeastShareAnew;
  if (after.RoughChanges(before) > most) return std::nullopt;  // before depths are copied
  std::vector<BfsRepair<Graph>> repairs;
  for (const EarlierBfs& earlier : searches) {
    repairs.emplace_back(after, earlier, options, ChangePartCount(before, after),
                         after.edge_count() / kLeastShareRead);
  }
  const auto came = bfs_follow::TellChanges(before, after, most, options, repairs);
  if (!came) return std::nullopt;
  options.progress.Begin(RunPhase::kComputing);
  FollowedBfs followed{.results = std::vector<BfsResult>(searches.size())};
  std::vector<char> done(searches.size());
  int steps = 0;
  for (std::size_t first = 0; first < searches.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, searches.size() - first);
    ParallelBlocks(count, 1, options.threads, [&](std::size_t i, std::size_t, std::size_t) {
      done[first + i] = repairs[first + i].Run(*came) ? 1 : 0;
    });
    if (options.progress && !options.progress(++steps, 0)) return FollowedBfs{.cancelled = true};
  }
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    if (done[i] != 0) {
      followed.results[i] = std::move(repairs[i].result());
    } else {
      missing.push_back(i);
    }
  }
  repairs.clear();
  bfs_follow::SearchAnew(after, searches, missing, options, followed.results);
  if (std::ranges::any_of(followed.results, &BfsResult::cancelled)) {
    return FollowedBfs{.cancelled = true};
  }
  followed.anew = missing.size();
  options.progress.Begin(RunPhase::kFinishing);
  return followed;
}

}  // namespace sash
