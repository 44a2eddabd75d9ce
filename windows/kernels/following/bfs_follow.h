// FollowBfs: the depths of breadth-first searches in a window, computed from the depths in an
// earlier view of it and the edges that have come and left since. The depths are those of a new
// search.
//
// A vertex is in doubt when an edge through which it was reached has left. Level by level, each
// vertex in doubt looks for another neighbour one step nearer to a root. A vertex without one is
// cut off, and the vertices that were reached from it are in doubt, too. Then the cut-off vertices
// are reached again from the others, nearest first, together with the vertices that new edges bring
// nearer. So an edge that ages out is handled in the same way as an edge that comes. If so much is
// cut off that the repair would read too many edges, the search starts from its roots again. When
// more than a few of the edges have changed, nothing is followed: new searches cost no more then.
//
// Thread safety: pure functions. Neither the depths nor the choice of the searches that start again
// depends on the number of threads.
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

// Reports the steps that left to `repairs`, and returns the steps that came. Returns nothing if
// more than `most` edges changed.
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
          for_each_step(v, left, [&](BfsStep step) { repair.NoteLeft(part, step); });
        }
      });
  return changes ? std::optional(std::move(came_steps)) : std::nullopt;
}

// Searches again where a result is missing.
template <BulkGraphView Graph>
void SearchAgain(const Graph& graph, std::span<const EarlierBfs> searches,
                 std::span<const std::size_t> missing, const BfsOptions& options,
                 std::vector<BfsResult>& results) {
  std::vector<VertexId> roots;  // of the searches that run together
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
  std::vector<BfsResult> results{};  // one for each search
  std::size_t restarted = 0;         // searches that started again, since too much was cut off
  bool cancelled = false;            // `progress` said stop: there are no results
};

// `searches` are of `before` and followed edges in the same direction as now. Returns nothing if
// too much has changed.
template <FollowableView Graph>
std::optional<FollowedBfs> FollowBfs(const Graph& before, const Graph& after,
                                     std::span<const EarlierBfs> searches,
                                     const BfsOptions& options = {}) {
  constexpr std::uint64_t kLeastShareOfNewRun = 64;  // of the edges, changed
  constexpr std::uint64_t kLeastShareRead = 16;  // of the edges, read to repair one search
  constexpr std::size_t kTogether = 64;          // searches between two calls of `progress`
  options.progress.Begin(RunPhase::kPreparing);
  const std::uint64_t most = after.edge_count() / kLeastShareOfNewRun;
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
  bfs_follow::SearchAgain(after, searches, missing, options, followed.results);
  if (std::ranges::any_of(followed.results, &BfsResult::cancelled)) {
    return FollowedBfs{.cancelled = true};
  }
  followed.restarted = missing.size();
  options.progress.Begin(RunPhase::kFinishing);
  return followed;
}

}  // namespace sash
