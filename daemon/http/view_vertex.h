// The vertex of a key in a window.
//
// Thread safety: pure functions.
#pragma once

#include <optional>

#include "windows/base/has_edge.h"
#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/ingest/vertex_key.h"
#include "windows/store/window_view.h"

namespace sash {

// The id of a vertex of the window; nothing if it has no edge there. The caller pins the view.
std::optional<VertexId> FindInGraph(const auto& graph, const VertexKey& key,
                                    const VertexDictionary& keys) {
  const std::optional<VertexId> id = keys.Find(key);
  return id && HasEdge(graph, *id) ? id : std::nullopt;
}

inline std::optional<VertexId> FindInView(const WindowView& view, const VertexKey& key,
                                          const VertexDictionary& keys) {
  return VisitView(view, [&](const auto& graph) { return FindInGraph(graph, key, keys); });
}

}  // namespace sash
