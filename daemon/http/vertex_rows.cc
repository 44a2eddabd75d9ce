#include "daemon/http/vertex_rows.h"

#include <cstddef>

namespace sash {

void WriteVertexRow(const WindowView& view, VertexId vertex, const VertexDictionary& keys,
                    JsonText& to) {
  to.BeginObject().Key("vertex").KeyValue(keys.KeyOf(vertex));
  VisitView(view, [&](const auto& graph) {
    to.Key("out_degree").Unsigned(graph.out_degree(vertex));
    to.Key("in_degree").Unsigned(graph.in_degree(vertex));
  });
  to.EndObject();
}

RowList VertexRows(const WindowView& view, std::span<const VertexId> vertices,
                   const VertexDictionary& keys) {
  return {.columns = {"vertex", "out_degree", "in_degree"},
          .rows = vertices.size(),
          .write = [&view, vertices, &keys](std::size_t i, JsonText& to) {
            WriteVertexRow(view, vertices[i], keys, to);
          }};
}

}  // namespace sash
