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
//   (3) children_from_ of a vertex is above its own level, and not above the level of any of its
//       children.
//   (4) Where edges leave a list only at its front, the place of a vertex is right: in the list
//       that it names, some edge between the vertex and its parent has at least the number of older
//       edges that the place says.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/following/place_in_list.h"
#include "windows/kernels/graph_view.h"

namespace sash {

template <BulkGraphView Graph>
class ForestRepair;
template <BulkGraphView Graph>
class ParentSearch;

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
  // The name of the greatest component, or of one that once was; kNoVertex if there are none.
  VertexId greatest() const { return greatest_; }

  // v has lost its `edges` oldest edges in this list, which is kOut or kIn. Returns whether the
  // edge to its parent may be among them; true only once until v has another parent.
  bool Lose(VertexId v, std::uint32_t edges, PlaceInList::List list) {
    return v < places_.size() && places_[v].Lose(list, edges);
  }
  bool IsRoot(VertexId v) const {
    return v < places_.size() && places_[v].list() == PlaceInList::List::kNone;
  }
  // Edges have left for which Lose() was not called; none of them connected a vertex and its
  // parent.
  void ForgetPlaces() {
    for (PlaceInList& place : places_) place = place.WithoutOlder();
  }

  // Takes over the depths of searches from the roots, one in each component, which went along the
  // edges in both directions. `roots`: by id, the root of each vertex. Parents are unknown yet.
  void Begin(std::vector<VertexId> roots, std::vector<std::int32_t> depths);
  // Finds the parent of a vertex after Begin(). Several threads may do this for different vertices.
  // The newest neighbours come first: their edges stay longest.
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
  template <BulkGraphView Graph>
  friend class ParentSearch;

  static constexpr std::int32_t kCutOff = -1;  // a level: the vertex has no place in the forest
  static constexpr std::int32_t kMostLevel = 1 << 30;

  // Calls visit(u, place) for the neighbours of v, the newest first in each direction, until it
  // returns false. Returns the number of calls. A place is right where edges leave a list only at
  // its front.
  template <BulkGraphView Graph, typename Visit>
  static std::uint64_t ReadNewestFirst(const Graph& graph, VertexId v, const Visit& visit) {
    bool goes_on = true;
    std::uint64_t read = 0;
    auto list = PlaceInList::List::kOut;
    std::uint32_t older = graph.out_degree(v);
    const auto piece = [&](std::span<const VertexId> neighbours) {
      for (std::size_t i = neighbours.size(); goes_on && i-- > 0; ++read) {
        if (older > 0) --older;
        goes_on = visit(neighbours[i], PlaceInList(list, older));
      }
      return goes_on;
    };
    if (older > 0) graph.ReadOutNeighbours(v, piece);
    list = PlaceInList::List::kIn;
    older = graph.in_degree(v);
    if (goes_on && older > 0) graph.ReadInNeighbours(v, piece);
    return read;
  }

  void Resize(std::size_t id_limit) {
    if (names_.size() >= id_limit) return;
    names_.resize(id_limit, kNoVertex);
    parents_.resize(id_limit, kNoVertex);
    places_.resize(id_limit);
    levels_.resize(id_limit, kCutOff);
    children_from_.resize(id_limit, kMostLevel);
    sizes_.resize(id_limit);
  }
  std::uint32_t size_of(VertexId v) const { return sizes_[names_[v]]; }
  // Whether there is a level for v between u and the children of v. Then u is not among its
  // descendants.
  bool HasRoomBelow(VertexId u, VertexId v) const {
    return levels_[u] + 1 < children_from_[v] && u != v;
  }
  // v already has its level. Several threads may call it if all children of a parent have the same
  // level.
  void HangOn(VertexId v, VertexId parent, PlaceInList place) {
    TakePlace(v, parent, place);
    std::atomic_ref<std::int32_t> from(children_from_[parent]);
    if (levels_[v] < from.load(std::memory_order_relaxed)) {
      from.store(levels_[v], std::memory_order_relaxed);
    }
  }
  // v has no children.
  void BeRoot(VertexId v) {
    TakePlace(v, v, {});
    levels_[v] = 0;
    children_from_[v] = kMostLevel;
  }
  void HaveNoPlace(VertexId v) {
    TakePlace(v, kNoVertex, {});
    levels_[v] = kCutOff;
    children_from_[v] = kMostLevel;
  }
  void TakePlace(VertexId v, VertexId parent, PlaceInList place) {
    parents_[v] = parent;
    places_[v] = place;
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
  std::vector<PlaceInList> places_;
  std::vector<std::int32_t> levels_;
  std::vector<std::int32_t> children_from_;
  std::int32_t step_ = 1;             // between the levels of a parent and a new child
  std::vector<std::uint32_t> sizes_;  // by name
  std::uint64_t components_ = 0;
  VertexId greatest_ = kNoVertex;
};

}  // namespace sash
