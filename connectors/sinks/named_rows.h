// The rows of a result, each with the identity of the result and its place among the rows, so that
// each can be a line or a message of its own (configuration: sinks[].content: rows).
//
//   {"schema":1,"job":"features","window":"last-1h","window_end":"...","row":1,"rows":2,"source":...
//
// For windows by events, "accepted" follows "window_end"; "past" is before "row" in results on
// earlier windows. In CSV there is no column for "schema", nor for "past".
// A result without rows has no line.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/sinks/result_key.h"
#include "connectors/sinks/row_list.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"

namespace sash {

// Whether results of such a job list rows. A plug-in may declare none; then it has no lines.
bool HasRows(const JobParameters& parameters);

// Nothing if the result has no list. The columns are the same for all results of a job.
RowList NamedRows(const CompletedRun& run, VerticesWritten vertices, const VertexDictionary& keys);

// The beginning of the header row in CSV.
inline constexpr std::string_view kNamedRowsHeader = "job,window,window_end,";

// What a row says of itself.
struct RowName {
  ResultIdentity result;
  std::uint64_t row = 0;   // from 1
  std::uint64_t rows = 0;  // of the result
};

// Whether the columns of the header row are those of named rows.
bool IsNamedHeader(std::string_view header);
// Reads the name of a row of CSV under this header, without its line end. No value if it has none.
std::optional<RowName> NameOfCsvRow(std::string_view row, std::string_view header);

}  // namespace sash
