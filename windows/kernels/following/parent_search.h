// ParentSearch: looks for new parents of the vertices of a ComponentForest that have lost theirs.
//
// It changes nothing, so all threads search. A new parent is a neighbour with a lower level than
// those that the children of the vertex may have, as far as the forest knows them: the children are
// not looked at.
//
// Thread safety: belongs to one thread, which may begin others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/fetch_step.h"
#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/followed_edges.h"
#include "windows/kernels/following/component_forest.h"
#include "windows/kernels/following/place_in_list.h"
#include "windows/kernels/graph_view.h"
#include "windows/kernels/rows/fetch_ahead.h"

namespace sash {

template <BulkGraphView Graph>
class ParentSearch {
 public:
  struct Found {
    VertexId vertex;
    VertexId parent;  // to be; kNoVertex: none was found
    PlaceInList place;
  };

  // It may read `may_read` edges. The forest and the graph outlive it.
  ParentSearch(const ComponentForest& forest, const Graph& graph, std::uint64_t may_read)
      : forest_(forest), graph_(graph), may_read_(may_read) {}

  // `orphans`: each once. Returns false if more would have to be read.
  bool Run(std::span<const VertexId> orphans, int threads) {
    constexpr std::size_t kBlock = 1 << 7;
    found_.resize(orphans.size());
    std::atomic<std::uint64_t> read = 0;
    ParallelBlocks(orphans.size(), kBlock, threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     if (read.load(std::memory_order_relaxed) > may_read_) return;
                     const std::uint64_t here = FindAll(orphans.subspan(begin, end - begin), begin);
                     read.fetch_add(here, std::memory_order_relaxed);
                   });
    read_ = read;
    return read_ <= may_read_;
  }

  // In the order of the orphans.
  std::span<const Found> found() const { return found_; }
  std::uint64_t read() const { return read_; }  // edges

 private:
  // Each returns the number of edges that it read.
  std::uint64_t FindAll(std::span<const VertexId> orphans, std::size_t begin) {
    const auto fetch = [&](VertexId v, FetchStep step) {
      bfs::Fetch(graph_, FollowedEdges::kBoth, v, step);
    };
    FetchFirstLists(orphans, fetch);
    std::uint64_t read = 0;
    for (std::size_t i = 0; i < orphans.size(); ++i) {
      FetchListsAhead(orphans, i, fetch);
      found_[begin + i] = {orphans[i], kNoVertex, {}};
      if (orphans[i] < graph_.id_limit()) read += Find(found_[begin + i]);
    }
    return read;
  }

  // A lower level than that of the vertex itself is the best; after a few neighbours, any will do.
  std::uint64_t Find(Found& found) const {
    constexpr std::uint32_t kEnough = 8;  // neighbours
    const VertexId v = found.vertex;
    std::int32_t lowest = ComponentForest::kMostLevel;
    std::uint32_t seen = 0;
    return ComponentForest::ReadNewestFirst(graph_, v, [&](VertexId u, PlaceInList place) {
      const std::int32_t level = forest_.levels_[u];
      if (level < lowest && forest_.names_[u] == forest_.names_[v] && forest_.HasRoomBelow(u, v)) {
        lowest = level;
        found.parent = u;
        found.place = place;
      }
      return lowest >= forest_.levels_[v] &&
             (++seen < kEnough || lowest == ComponentForest::kMostLevel);
    });
  }

  const ComponentForest& forest_;
  const Graph& graph_;
  const std::uint64_t may_read_;
  std::vector<Found> found_;
  std::uint64_t read_ = 0;
};

}  // namespace sash
