// Reads the edges of a view vertex by vertex, in the order of a snapshot: by the place of the
// vertex, then as RowSorter orders its edges.
//
// Thread safety: the caller pins the view and its ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "connectors/export/row_sorter.h"
#include "connectors/export/window_outline.h"
#include "windows/base/fetch_step.h"

namespace sash {

// The lists of one direction of a view.
template <typename Graph>
struct OutLists {
  const Graph& graph;
  std::uint32_t degree(VertexId v) const { return graph.out_degree(v); }
  auto plain(VertexId v) const { return graph.out(v); }
  auto weighted(VertexId v) const { return graph.weighted_out(v); }
  void Fetch(VertexId v, FetchStep step) const { graph.FetchOut(v, step); }
};
template <typename Graph>
struct InLists {
  const Graph& graph;
  std::uint32_t degree(VertexId v) const { return graph.in_degree(v); }
  auto plain(VertexId v) const { return graph.in(v); }
  auto weighted(VertexId v) const { return graph.weighted_in(v); }
  void Fetch(VertexId v, FetchStep step) const { graph.FetchIn(v, step); }
};

template <typename Lists>
void ReadEdgeRow(const Lists& lists, VertexId v, const WindowOutline& outline, RowSorter& row) {
  row.Begin(lists.degree(v), outline.are_alike(), outline.has_types());
  std::size_t i = 0;
  if (outline.are_alike()) {
    for (const VertexId neighbour : lists.plain(v)) row.Set(i++, outline.order.places[neighbour]);
    return;
  }
  for (const auto& neighbor : lists.weighted(v)) {
    row.Set(i, outline.order.places[neighbor.vertex]);
    row.SetWeight(i, neighbor.weight);
    if (outline.has_types()) row.SetType(i, outline.type_places[neighbor.type]);
    ++i;
  }
}

// The lists of the next vertices are anywhere in memory.
template <typename Lists>
void FetchRowsAhead(const Lists& lists, const std::vector<VertexId>& vertices, std::size_t i) {
  constexpr std::size_t kState = 12;
  constexpr std::size_t kPlace = 8;
  constexpr std::size_t kFirst = 4;
  if (i + kState >= vertices.size()) return;
  lists.Fetch(vertices[i + kState], FetchStep::kState);
  lists.Fetch(vertices[i + kPlace], FetchStep::kPlace);
  lists.Fetch(vertices[i + kFirst], FetchStep::kFirst);
}

// Calls visit(row) for each vertex, in the order of places. `goes_on`: whether to read more; it is
// asked between some rows. False: it, or `stop`, ended the reading.
template <typename Lists, typename GoesOn, typename Visit>
bool ReadEdgeRows(const Lists& lists, const WindowOutline& outline, const std::stop_token& stop,
                  const GoesOn& goes_on, const Visit& visit) {
  constexpr std::size_t kBetweenStops = 1024;  // rows
  const std::vector<VertexId>& vertices = outline.order.by_place;
  RowSorter row;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (i % kBetweenStops == 0 && (stop.stop_requested() || !goes_on())) return false;
    FetchRowsAhead(lists, vertices, i);
    ReadEdgeRow(lists, vertices[i], outline, row);
    row.Sort();
    visit(row);
  }
  return true;
}

}  // namespace sash
