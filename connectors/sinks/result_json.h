// A result as the one JSON object that the API, files and Kafka share (schema 1), without a line
// end. Its members and their order are an interface: add, never rename or reorder.
//
// Thread safety: everything may be called from any thread. A CompletedRun pins its view, and
// vertices are looked up in the dictionary without a lock.
//
// Numbers that JSON does not have are null: a sum of weights can overflow to infinity.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "connectors/sinks/json_pieces.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/ingest/vertex_key.h"
#include "windows/jobs/run_result.h"

namespace sash {

// Of results, and of diffs between them.
inline constexpr int kResultSchema = 1;

// How much a result lists.
struct Listing {
  std::optional<std::size_t> top{};                  // none: as many as the job lists
  VerticesWritten vertices = VerticesWritten::kTop;  // kAll: every vertex, or every edge
  // Lists end there. Only with tell_cut, so that nobody takes a part for the whole.
  std::size_t most_bytes = JsonPieces::kUnlimited;
  std::size_t most_rows = JsonPieces::kUnlimited;
  // A list that is shorter than the job's own, or than what was wanted and is there, is followed by
  // "truncated": true and "rows": how many there are.
  bool tell_cut = false;
};

// Lists at most what `result` holds.
std::string ResultJson(const RunResult& result, std::optional<std::size_t> top = std::nullopt);

// Lists beyond what the result holds too, from the whole vector and the view. With an empty `whole`
// or `advance` it lists what there is.
std::string ResultJson(const CompletedRun& run, const Listing& listing,
                       const VertexDictionary& keys);

// The same in pieces, which pin the run.
JsonPieces ResultPieces(const CompletedRun& run, const Listing& listing,
                        const VertexDictionary& keys);

// A vertex key as a JSON value: text, or a number with integer keys.
std::string KeyJson(const VertexKey& key);

}  // namespace sash
