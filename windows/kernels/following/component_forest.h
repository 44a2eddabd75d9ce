// ComponentForest: a spanning forest of a graph, from which the components of the graph are known.
// ForestRepair brings it up to date after edges have come and left.
//
// Each vertex has a level, and each vertex but the roots has a parent: a neighbour of a lower
// level. Levels are not distances: there is room between them, so that a vertex can often change
// its parent and keep its children. A component has the name of its root.
//
// Thread safety: belongs to one thread, which may let several read it.
//
// Invariants, between two repairs
//   (1) The level of a parent is lower than that of its children; a root is its own parent.
//   (2) Following the parents leads from each vertex to the root whose id is its name.
//   (3) Where edges leave a list only at its front: in the list that its place names, at least as
//       many edges as the place says are older than some edge between a vertex and its parent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/graph_view.h"

namespace sash {

template <BulkGraphView Graph>
class ForestRepair;

// Where an edge is among those of a vertex: in one of its lists, behind so many older edges.
struct PlaceInList {
  enum class List : std::uint8_t { kOut, kIn, kNone };
  List list = List::kNone;
  std::uint32_t older = 0;

  // The place of this edge in the list of its other end, of which nothing else is known.
  PlaceInList Across() const { return {list == List::kOut ? List::kIn : List::kOut, 0}; }
};

class ComponentForest {
 public:
  struct Edge {
    VertexId a = 0;
    VertexId b = 0;
  };

  // By id. Vertices that are not in the graph have no name (kNoVertex).
  const std::vector<VertexId>& names() const { return names_; }
  std::uint64_t components() const { return components_; }
  VertexId name(VertexId v) const { return v < names_.size() ? names_[v] : kNoVertex; }
  bool IsParent(VertexId parent, VertexId child) const {
    return parent != child && parents_[child] == parent;
  }
  // The name of the greatest component, or of one that was; kNoVertex if there are none.
  VertexId greatest() const { return greatest_; }

  // v has lost its `edges` oldest edges in this list, which is not kNone. Returns whether the edge
  // to its parent may be among them. Several threads may tell of different lists.
  bool Lose(VertexId v, std::uint32_t edges, PlaceInList::List list) {
    if (v >= lists_.size() || lists_[v] != list) return false;
    const bool stays = older_[v] >= edges;
    if (stays) older_[v] -= edges;
    return !stays;
  }
  bool IsRoot(VertexId v) const {
    return v < lists_.size() && lists_[v] == PlaceInList::List::kNone;
  }
  // Edges have left that Lose() was not told of, none of them between a vertex and its parent.
  void ForgetPlaces() { std::ranges::fill(older_, 0); }

  // Takes over the depths of searches from the roots, one in each component, which went along the
  // edges in both directions. `roots`: by id, the root of each vertex. Parents are unknown yet.
  void Begin(std::vector<VertexId> roots, std::vector<std::int32_t> depths);
  // Finds the parent of a vertex. Several threads may do this for different vertices. The newest
  // neighbours come first: their edges stay longest.
  template <BulkGraphView Graph>
  void FindParent(const Graph& graph, VertexId v) {
    if (names_[v] == v) return;
    ReadNewestFirst(graph, v, [&](VertexId u, PlaceInList place) {
      const bool is_above = levels_[u] < levels_[v];
      if (is_above) HangOn(v, u, place);
      return !is_above;
    });
  }

 private:
  template <BulkGraphView Graph>
  friend class ForestRepair;

  static constexpr std::int32_t kCutOff = -1;  // a level: the vertex has no place in the forest
  static constexpr std::int32_t kMostLevel = 1 << 30;

  // Calls visit(u, place) for the neighbours of v, the newest first in each direction, until it
  // returns false. Returns the number of calls. A place is right where edges leave a list only at
  // its front.
  template <BulkGraphView Graph, typename Visit>
  static std::uint64_t ReadNewestFirst(const Graph& graph, VertexId v, const Visit& visit) {
    bool goes_on = true;
    std::uint64_t read = 0;
    PlaceInList place;
    const auto piece = [&](std::span<const VertexId> neighbours) {
      for (std::size_t i = neighbours.size(); goes_on && i-- > 0; ++read) {
        if (place.older > 0) --place.older;
        goes_on = visit(neighbours[i], place);
      }
      return goes_on;
    };
    place = {PlaceInList::List::kOut, graph.out_degree(v)};
    if (place.older > 0) graph.ReadOutNeighbours(v, piece);
    place = {PlaceInList::List::kIn, graph.in_degree(v)};
    if (goes_on && place.older > 0) graph.ReadInNeighbours(v, piece);
    return read;
  }

  void Resize(std::size_t id_limit) {
    if (names_.size() >= id_limit) return;
    names_.resize(id_limit, kNoVertex);
    parents_.resize(id_limit, kNoVertex);
    lists_.resize(id_limit, PlaceInList::List::kNone);
    older_.resize(id_limit, 0);
    levels_.resize(id_limit, kCutOff);
    sizes_.resize(id_limit);
  }
  std::uint32_t size_of(VertexId v) const { return sizes_[names_[v]]; }
  void HangOn(VertexId v, VertexId parent, PlaceInList place) {
    parents_[v] = parent;
    lists_[v] = place.list;
    older_[v] = place.older;
  }
  void Enter(VertexId v, VertexId name) {
    names_[v] = name;
    components_ += sizes_[name]++ == 0 ? 1 : 0;
    if (greatest_ == kNoVertex || sizes_[name] > sizes_[greatest_]) greatest_ = name;
  }
  void Leave(VertexId v) {
    components_ -= --sizes_[names_[v]] == 0 ? 1 : 0;
    names_[v] = kNoVertex;
  }

  std::vector<VertexId> names_;
  std::vector<VertexId> parents_;
  // The place of the edge to the parent; kNone for roots, and for vertices without a place.
  std::vector<PlaceInList::List> lists_;
  std::vector<std::uint32_t> older_;
  std::vector<std::int32_t> levels_;
  std::int32_t step_ = 1;             // between the levels of a parent and a new child
  std::vector<std::uint32_t> sizes_;  // by name
  std::uint64_t components_ = 0;
  VertexId greatest_ = kNoVertex;
};

}  // namespace sash
