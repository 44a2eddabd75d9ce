// KeyOrder: the vertices of a view in the order of their keys. A vertex's place in this order is
// its id in a frozen snapshot, so equal windows give equal snapshots.
//
// Thread safety: immutable once made.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "windows/ingest/vertex_dictionary.h"
#include "windows/store/window_view.h"

namespace sash {

struct KeyOrder {
  std::vector<VertexId> by_place;
  std::vector<std::uint32_t> places;  // by id; ids that are not vertices of the view have 0
};

// Keys are ordered by their UTF-8 bytes, or numerically. The caller pins the view and its ids.
// Costs a sweep over the ids and a sort of the vertices; does not use the view's own list of
// vertices, whose first reader makes all others wait. The order is cut short when stop is
// requested.
KeyOrder OrderByKey(const WindowView& view, const VertexDictionary& keys,
                    const std::stop_token& stop);

// All of `vertices`, by key alone.
std::vector<VertexId> ByKey(std::span<const VertexId> vertices, const VertexDictionary& keys);

}  // namespace sash
