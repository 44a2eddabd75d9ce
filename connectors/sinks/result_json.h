// A result as one JSON object (schema 1) without a line end; the API, files and Kafka use the same
// text. Its members and their order are an interface: add, never rename or reorder.
//
// Thread safety: everything may be called from any thread. A CompletedRun pins its view, and
// vertices are looked up in the dictionary without a lock.
//
// Numbers that JSON does not have are null; for example, a sum of weights can overflow to infinity.
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

// The schema of results and of diffs.
inline constexpr int kResultSchema = 1;

// How much a result lists.
struct Listing {
  std::optional<std::size_t> top{};                  // rows; none: the job's own number
  // A page: the rows after the first `offset` ones of each list. Then tell_cut tells the number of
  // available rows whenever the page has fewer.
  std::optional<std::size_t> offset{};
  VerticesWritten vertices = VerticesWritten::kTop;  // kAll: every vertex, or every edge
  // Limits of a list. Use them only with tell_cut, so that readers can see that a list is cut.
  std::size_t most_bytes = JsonPieces::kUnlimited;
  std::size_t most_rows = JsonPieces::kUnlimited;
  // A list that is shorter than the job's own list, or than the wanted and available rows, is
  // followed by "truncated": true and "rows": the number of available rows.
  bool tell_cut = false;
};

// Lists at most what `result` holds.
std::string ResultJson(const RunResult& result, std::optional<std::size_t> top = std::nullopt);

// Can list more rows than the result contains, from the whole vector and the view. If `whole` or
// `advance` is empty, it lists only what is available.
std::string ResultJson(const CompletedRun& run, const Listing& listing,
                       const VertexDictionary& keys);

// The same in pieces, which pin the run.
JsonPieces ResultPieces(const CompletedRun& run, const Listing& listing,
                        const VertexDictionary& keys);

// A vertex key as a JSON value: text; with integer keys, a number.
std::string KeyJson(const VertexKey& key);

}  // namespace sash
