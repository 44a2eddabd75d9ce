// Vertices of a window as rows: key and degrees.
//
// Thread safety: pure functions; the caller pins the view.
#pragma once

#include <span>

#include "connectors/sinks/json_text.h"
#include "daemon/http/row_list.h"
#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/store/window_view.h"

namespace sash {

// The vertex as a JSON object.
void WriteVertexRow(const WindowView& view, VertexId vertex, const VertexDictionary& keys,
                    JsonText& to);

// The arguments must outlive the rows.
RowList VertexRows(const WindowView& view, std::span<const VertexId> vertices,
                   const VertexDictionary& keys);

}  // namespace sash
