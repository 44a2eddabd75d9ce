// The edges of a window as JSON.
//
// Thread safety: a pure function; the caller pins the view and its ids.
#pragma once

#include "connectors/sinks/json_text.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"

namespace sash {

// Writes every visible edge of `view` (with duplicates: keep, every copy) as a JSON array of
// {source, target, weight, type}, ordered by source key, target key, type and weight. Edges without
// a type have no such member, and come first. The caller must pin the view. Time: O(edges · log
// degree + vertices · log vertices). Memory: the text and four bytes per vertex id.
void WriteEdges(const WindowView& view, const VertexDictionary& keys, JsonText& json);

}  // namespace sash
