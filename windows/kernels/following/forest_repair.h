// ForestRepair: brings a ComponentForest up to date after edges have come and left.
//
// A vertex that loses its parent looks for another neighbour whose level is lower than its own, or
// at least lower than those of its children; then it takes a level in between. Most vertices find
// one without looking at their children (ParentSearch). If there is none, the vertex is cut off,
// and its children must look for another parent. Then cut-off vertices are attached to neighbours
// that are not cut off, on whatever level. Those that are not connected with such a neighbour have
// become components of their own. An edge that comes between two components attaches the smaller to
// the larger; one that comes inside a component changes nothing.
//
// Thread safety: belongs to one thread, which may begin others.
//
// Source: Even, Shiloach: An on-line edge-deletion problem (J. ACM 28, 1981): levels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "windows/base/has_edge.h"
#include "windows/base/ids.h"
#include "windows/kernels/following/component_forest.h"
#include "windows/kernels/following/parent_search.h"
#include "windows/kernels/following/place_in_list.h"
#include "windows/kernels/graph_view.h"

namespace sash {

template <BulkGraphView Graph>
class ForestRepair {
 public:
  // It may read `may_read` edges.
  ForestRepair(ComponentForest& forest, const Graph& graph, std::uint64_t may_read)
      : forest_(forest), graph_(graph), may_read_(may_read) {}

  // `orphans`: the vertices that may have no edge to their parent any more, each once.
  // `bare_roots`: roots that may have no edges. `came`: the edges from a to b that came, and whose
  // ends have different names or no name. `bare_roots` and `came` may have the same element twice.
  // Returns false if more would have to be read; then the forest must begin again.
  bool Run(std::span<const VertexId> orphans, std::span<const VertexId> bare_roots,
           std::span<const ComponentForest::Edge> came, int threads) {
    forest_.Resize(graph_.id_limit());
    for (const VertexId v : bare_roots) LeaveIfGone(v);
    return HangAbove(orphans, threads) && CutOff() && Attach() && Separate() && Merge(came);
  }

 private:
  struct Orphan {
    std::int32_t level;
    VertexId vertex;
    friend auto operator<=>(const Orphan&, const Orphan&) = default;
  };
  static constexpr std::int32_t kCutOff = ComponentForest::kCutOff;

  void LeaveIfGone(VertexId v) {
    if (forest_.names_[v] == kNoVertex || HasEdge(graph_, v)) return;
    forest_.Leave(v);
    forest_.HaveNoPlace(v);
  }

  // Returns false if too much was read.
  template <typename Visit>
  bool VisitUntil(VertexId v, const Visit& visit) {
    const std::uint64_t read = ComponentForest::ReadNewestFirst(graph_, v, visit);
    const bool may = read <= may_read_;
    may_read_ -= std::min(may_read_, read);
    return may;
  }

  // Hangs each orphan on the neighbour that ParentSearch finds, if there is one; the others become
  // orphans_. A neighbour that is an orphan itself may be cut off later; then its children are
  // looked at again.
  bool HangAbove(std::span<const VertexId> orphans, int threads) {
    ParentSearch search(forest_, graph_, may_read_);
    if (!search.Run(orphans, threads)) return false;
    may_read_ -= search.read();
    for (const auto& [v, parent, place] : search.found()) {
      if (parent != kNoVertex && forest_.HasRoomBelow(parent, v)) {
        HangBetween(v, parent, place);
      } else {
        orphans_.push({forest_.levels_[v], v});
        LeaveIfGone(v);
      }
    }
    return !is_too_deep_;
  }

  // Keeps the level of v if it can.
  void HangBetween(VertexId v, VertexId parent, PlaceInList place) {
    const std::int32_t above = forest_.levels_[parent];
    if (above >= forest_.levels_[v]) {
      SetLevel(v, above + std::min(forest_.step_, (forest_.children_from_[v] - above) / 2));
    }
    forest_.HangOn(v, parent, place);
  }

  void SetLevel(VertexId v, std::int32_t level) {
    forest_.levels_[v] = level;
    is_too_deep_ = is_too_deep_ || level >= ComponentForest::kMostLevel / 2;
  }

  // In the order of levels. A vertex that hangs on one that is cut off later is looked at again.
  bool CutOff() {
    while (!orphans_.empty()) {
      const VertexId v = orphans_.top().vertex;
      orphans_.pop();
      if (forest_.names_[v] == kNoVertex || forest_.levels_[v] == kCutOff) continue;
      if (!FindParent(v)) return false;
    }
    return true;
  }

  // Hangs v on another vertex, or cuts it off. Returns false if too much was read.
  bool FindParent(VertexId v) {
    const std::int32_t level = forest_.levels_[v];
    std::int32_t lowest = ComponentForest::kMostLevel;
    std::int32_t lowest_child = ComponentForest::kMostLevel;
    VertexId parent = kNoVertex;
    PlaceInList parent_place;
    children_.clear();
    const auto look = [&](VertexId u, PlaceInList place) {
      if (forest_.levels_[u] == kCutOff) return true;
      if (forest_.names_[u] != forest_.names_[v] || u == v) return true;
      const std::int32_t other = forest_.levels_[u];
      if (forest_.IsParent(v, u)) {
        children_.push_back(u);
        lowest_child = std::min(lowest_child, other);
      } else if (other < lowest) {
        lowest = other;
        parent = u;
        parent_place = place;
      }
      return lowest >= level;
    };
    if (!VisitUntil(v, look)) return false;
    if (lowest < lowest_child - 1 || lowest < level) {
      if (lowest >= level) forest_.children_from_[v] = lowest_child;  // all have been seen
      HangBetween(v, parent, parent_place);
      return true;
    }
    forest_.HaveNoPlace(v);
    cut_off_.push_back(v);
    for (const VertexId child : children_) orphans_.push({forest_.levels_[child], child});
    return true;
  }

  // v has no children that stay.
  void Hang(VertexId v, VertexId parent, PlaceInList place) {
    SetLevel(v, forest_.levels_[parent] + forest_.step_);
    forest_.children_from_[v] = ComponentForest::kMostLevel;
    forest_.HangOn(v, parent, place);
    hung_.push_back(v);
  }

  // Hangs what is cut off on the vertices of `hung_` with which it is connected.
  bool HangTheRest() {
    for (std::size_t i = 0; i < hung_.size(); ++i) {
      const VertexId v = hung_[i];
      const auto hang = [&](VertexId u, PlaceInList place) {
        if (forest_.names_[u] == forest_.names_[v] && forest_.levels_[u] == kCutOff) {
          Hang(u, v, place.Across());
        }
        return true;
      };
      if (!VisitUntil(v, hang) || is_too_deep_) return false;
    }
    return true;
  }

  bool Attach() {
    std::vector<typename ParentSearch<Graph>::Found> found;
    for (const VertexId v : cut_off_) {
      const auto look = [&](VertexId u, PlaceInList place) {
        if (forest_.names_[u] != forest_.names_[v] || forest_.levels_[u] == kCutOff) return true;
        found.push_back({v, u, place});
        return false;
      };
      if (!VisitUntil(v, look)) return false;
    }
    for (const auto& [v, parent, place] : found) Hang(v, parent, place);
    return HangTheRest();
  }

  // What is still cut off is not connected with its root any more.
  bool Separate() {
    for (const VertexId root : cut_off_) {
      if (forest_.levels_[root] != kCutOff) continue;
      hung_.clear();
      BeRoot(root);
      if (!HangTheRest()) return false;
      for (const VertexId v : hung_) {
        forest_.Leave(v);
        forest_.Enter(v, root);
      }
    }
    return true;
  }

  void BeRoot(VertexId v) {
    forest_.BeRoot(v);
    hung_.push_back(v);
  }

  bool Merge(std::span<const ComponentForest::Edge> came) {
    for (const auto [a, b] : came) {
      for (const VertexId v : {a, b}) {
        if (forest_.names_[v] != kNoVertex) continue;
        BeRoot(v);
        forest_.Enter(v, v);
      }
      if (forest_.names_[a] == forest_.names_[b]) continue;
      const PlaceInList of_a{PlaceInList::List::kOut, 0};
      const bool a_is_less = forest_.size_of(a) < forest_.size_of(b);
      if (!(a_is_less ? Move(a, b, of_a) : Move(b, a, of_a.Across()))) return false;
    }
    return true;
  }

  // Hangs the component of v on `parent`, by v and the edge in this place.
  bool Move(VertexId v, VertexId parent, PlaceInList by) {
    const VertexId from = forest_.names_[v];
    hung_.clear();
    const auto take = [&](VertexId u, VertexId above, PlaceInList place) {
      Hang(u, above, place);
      forest_.Leave(u);
      forest_.Enter(u, forest_.names_[parent]);
    };
    take(v, parent, by);
    for (std::size_t i = 0; i < hung_.size(); ++i) {
      const VertexId above = hung_[i];
      const auto visit = [&](VertexId u, PlaceInList place) {
        if (forest_.names_[u] == from) take(u, above, place.Across());
        return true;
      };
      if (!VisitUntil(above, visit) || is_too_deep_) return false;
    }
    return true;
  }

  ComponentForest& forest_;
  const Graph& graph_;
  std::uint64_t may_read_;
  bool is_too_deep_ = false;  // levels would leave their range
  std::priority_queue<Orphan, std::vector<Orphan>, std::greater<>> orphans_;
  std::vector<VertexId> children_;  // of one vertex
  std::vector<VertexId> cut_off_;
  std::vector<VertexId> hung_;
};

}  // namespace sash
