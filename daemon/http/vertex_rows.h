// Vertices of a window as rows: key and degrees.
//
// Thread safety: pure functions; the caller pins the view.
#pragma once

#include <cstddef>
#include <span>

#include "connectors/sinks/json_text.h"
#include "daemon/http/row_list.h"
#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/store/window_view.h"

namespace sash {

// The vertex of a graph as a JSON object.
void WriteVertexRow(const auto& graph, VertexId vertex, const VertexDictionary& keys,
                    JsonText& to) {
  to.BeginObject().Key("vertex").KeyValue(keys.KeyOf(vertex));
  to.Key("out_degree").Unsigned(graph.out_degree(vertex));
  to.Key("in_degree").Unsigned(graph.in_degree(vertex));
  to.EndObject();
}

// Likewise, of a published window.
inline void WriteVertexRow(const WindowView& view, VertexId vertex, const VertexDictionary& keys,
                           JsonText& to) {
  VisitView(view, [&](const auto& graph) { WriteVertexRow(graph, vertex, keys, to); });
}

// The arguments must outlive the rows. `view`: a graph, or a WindowView.
RowList VertexRows(const auto& view, std::span<const VertexId> vertices,
                   const VertexDictionary& keys) {
  return {.columns = {"vertex", "out_degree", "in_degree"},
          .rows = vertices.size(),
          .write = [&view, vertices, &keys](std::size_t i, JsonText& to) {
            WriteVertexRow(view, vertices[i], keys, to);
          }};
}

}  // namespace sash
