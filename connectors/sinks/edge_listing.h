#pragma once

#include "connectors/sinks/json_text.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"

namespace sash {

// Writes every visible edge of `view` (every copy in keep) as a JSON array of {source, target,
// weight}, ordered by source key, target key and weight. The view must be pinned by the caller.
// O(edges · log degree + vertices · log vertices), and four bytes an id beside the text.
void WriteEdges(const WindowView& view, const VertexDictionary& keys, JsonText& json);

}  // namespace sash
