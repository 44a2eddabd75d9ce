// Reads the rows of a worker's answer: {"sources": [...], "targets": [...], "scores": [...]} with
// the ids of the frozen snapshot, or a list of {"source": ..., "target": ..., "score": ...} by key.
// Scores may be missing, from all rows.
//
// Thread safety: free functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/external_answer.h"

namespace sash {

// The error says, for the worker, what is wrong.
Result<ExternalAnswer> ReadRows(const nlohmann::json& rows, const Advance& advance,
                                const VertexDictionary& keys);

}  // namespace sash
