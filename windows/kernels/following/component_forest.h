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
#pragma once

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

  // Takes over the depths of searches from the roots, one in each component, which went along the
  // edges in both directions. `roots`: by id, the root of each vertex. Parents are unknown yet.
  void Begin(std::vector<VertexId> roots, std::vector<std::int32_t> depths);
  // Finds the parent of a vertex. Several threads may do this for different vertices. The newest
  // neighbours come first: their edges stay longest.
  template <BulkGraphView Graph>
  void FindParent(const Graph& graph, VertexId v) {
    if (names_[v] == v) return;
    ReadNewestFirst(graph, v, [&](VertexId u) {
      const bool is_above = levels_[u] < levels_[v];
      if (is_above) parents_[v] = u;
      return !is_above;
    });
  }

 private:
  template <BulkGraphView Graph>
  friend class ForestRepair;

  static constexpr std::int32_t kCutOff = -1;  // a level: the vertex has no place in the forest
  static constexpr std::int32_t kMostLevel = 1 << 30;

  // Calls visit(u) for the neighbours of v, the newest first in each direction, until it returns
  // false. Returns the number of calls.
  template <BulkGraphView Graph, typename Visit>
  static std::uint64_t ReadNewestFirst(const Graph& graph, VertexId v, const Visit& visit) {
    bool goes_on = true;
    std::uint64_t read = 0;
    const auto piece = [&](std::span<const VertexId> neighbours) {
      for (std::size_t i = neighbours.size(); goes_on && i-- > 0; ++read) {
        goes_on = visit(neighbours[i]);
      }
      return goes_on;
    };
    if (graph.out_degree(v) > 0) graph.ReadOutNeighbours(v, piece);
    if (goes_on && graph.in_degree(v) > 0) graph.ReadInNeighbours(v, piece);
    return read;
  }

  void Resize(std::size_t id_limit) {
    if (names_.size() >= id_limit) return;
    names_.resize(id_limit, kNoVertex);
    parents_.resize(id_limit, kNoVertex);
    levels_.resize(id_limit, kCutOff);
    sizes_.resize(id_limit);
  }
  std::uint32_t size_of(VertexId v) const { return sizes_[names_[v]]; }
  void Enter(VertexId v, VertexId name) {
    names_[v] = name;
    components_ += sizes_[name]++ == 0 ? 1 : 0;
  }
  void Leave(VertexId v) {
    components_ -= --sizes_[names_[v]] == 0 ? 1 : 0;
    names_[v] = kNoVertex;
  }

  std::vector<VertexId> names_;
  std::vector<VertexId> parents_;
  std::vector<std::int32_t> levels_;
  std::int32_t step_ = 1;             // between the levels of a parent and a new child
  std::vector<std::uint32_t> sizes_;  // by name
  std::uint64_t components_ = 0;
};

}  // namespace sash
