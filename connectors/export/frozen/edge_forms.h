// The forms in which the edges of a window are kept while its lists are placed (placed_lists.h). A
// form keeps what edges differ in, in as few bytes as that takes, because placing is a random write
// for each edge.
//
// A form has Edge; ListOf(graph, v), a list of a view; TargetOf(element of the list);
// Make(place of the source, element); Turned(edge, place of the target), the same edge of the other
// direction; PlaceOf(edge). If edges differ in more than their ends (kDiffer), it also has
// Less(edge, edge) for parallel edges, TypeOf(edge) and the weight, as IntegerOf() or RealOf().
//
// Thread safety: immutable.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "connectors/export/window_outline.h"
#include "windows/store/neighbor.h"

namespace sash {

// Edges that differ only in their ends.
struct AlikeForm {
  using Edge = std::uint32_t;
  static constexpr bool kDiffer = false;

  template <typename Graph>
  static auto ListOf(const Graph& graph, VertexId v) {
    return graph.out(v);
  }
  static VertexId TargetOf(VertexId element) { return element; }
  static Edge Make(std::uint32_t source, VertexId) { return source; }
  static Edge Turned(Edge, std::uint32_t target) { return target; }
  static std::uint32_t PlaceOf(Edge edge) { return edge; }
};

// Edges whose types and integer weights together have fewer than 2^32 values: the mark is their
// place among these, by type, then by weight.
class MarkedForm {
 public:
  struct Edge {
    std::uint32_t place;
    std::uint32_t mark;
  };
  static constexpr bool kDiffer = true;

  // Nothing: the edges of this outline do not have this form.
  static std::optional<MarkedForm> Of(const WindowOutline& outline);

  template <typename Graph>
  static auto ListOf(const Graph& graph, VertexId v) {
    return graph.weighted_out(v);
  }
  static VertexId TargetOf(const Neighbor& element) { return element.vertex; }
  Edge Make(std::uint32_t source, const Neighbor& element) const {
    std::uint32_t mark = 0;
    if (has_types_) mark = outline_.type_places[element.type] * weights_;
    if (weights_ > 1) mark += static_cast<std::uint32_t>(Above(element.weight));
    return {source, mark};
  }
  static Edge Turned(Edge edge, std::uint32_t target) { return {target, edge.mark}; }
  static std::uint32_t PlaceOf(Edge edge) { return edge.place; }
  static bool Less(Edge a, Edge b) { return a.mark < b.mark; }
  std::uint32_t TypeOf(Edge edge) const { return weights_ > 1 ? edge.mark / weights_ : edge.mark; }
  std::int64_t IntegerOf(Edge edge) const {
    const std::uint32_t above = has_types_ ? edge.mark % weights_ : edge.mark;
    return outline_.least_integer + std::int64_t{above};
  }
  double RealOf(Edge edge) const { return static_cast<double>(IntegerOf(edge)); }

 private:
  MarkedForm(const WindowOutline& outline, std::uint32_t weights)
      : outline_(outline), weights_(weights), has_types_(outline.has_types()) {}

  std::uint64_t Above(Weight weight) const {
    return static_cast<std::uint64_t>(weight.integer()) -
           static_cast<std::uint64_t>(outline_.least_integer);
  }

  const WindowOutline& outline_;
  std::uint32_t weights_;  // values that a weight can have; 1: all edges have one weight
  bool has_types_;
};

// Any edges. The weight is the bits of an integer, or of a double if the window has a real one.
class WholeForm {
 public:
  struct Edge {
    std::uint32_t place;
    std::uint32_t type;
    std::int64_t weight;
  };
  static constexpr bool kDiffer = true;

  explicit WholeForm(const WindowOutline& outline)
      : outline_(outline), has_types_(outline.has_types()), has_reals_(outline.has_reals) {}

  template <typename Graph>
  static auto ListOf(const Graph& graph, VertexId v) {
    return graph.weighted_out(v);
  }
  static VertexId TargetOf(const Neighbor& element) { return element.vertex; }
  Edge Make(std::uint32_t source, const Neighbor& element) const {
    return {source, has_types_ ? outline_.type_places[element.type] : 0,
            has_reals_ ? std::bit_cast<std::int64_t>(element.weight.AsDouble())
                       : element.weight.integer()};
  }
  static Edge Turned(const Edge& edge, std::uint32_t target) {
    return {target, edge.type, edge.weight};
  }
  static std::uint32_t PlaceOf(const Edge& edge) { return edge.place; }
  bool Less(const Edge& a, const Edge& b) const {
    if (a.type != b.type) return a.type < b.type;
    return has_reals_ ? RealOf(a) < RealOf(b) : a.weight < b.weight;
  }
  static std::uint32_t TypeOf(const Edge& edge) { return edge.type; }
  static std::int64_t IntegerOf(const Edge& edge) { return edge.weight; }
  static double RealOf(const Edge& edge) { return std::bit_cast<double>(edge.weight); }

 private:
  const WindowOutline& outline_;
  bool has_types_;
  bool has_reals_;
};

}  // namespace sash
