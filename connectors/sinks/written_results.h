// WrittenResults: what a file of results contains when a sink takes it over.
//
// In a file of rows, the rows of a result are behind each other, and each says its number and how
// many there are. So a result whose last rows are missing is recognised: its process was killed
// while it wrote them. Such a result does not count as written, and what there is of it is to be
// cut off.
//
// Thread safety: none; the owner serialises.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/held_results.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

// What the lines of a file are.
enum class ResultLines : std::uint8_t {
  kWhole,    // each a result, a diff or an alert, as JSON
  kRows,     // each a row of a result, as JSON
  kCsvRows,  // the same as CSV, under a header row
};
ResultLines LinesOf(const FileSinkSpec& spec);

struct WrittenResults {
  HeldResults held;
  std::vector<std::uint64_t> damaged;         // numbers of lines with a wrong checksum
  std::string header;                         // of CSV, with its line end; empty: the file is empty
  std::optional<std::uint64_t> unfinished{};  // where the last result begins, if rows are missing
};

// Reads the lines of `file` from its beginning, cuts off a torn last line and a last result of
// which rows are missing, and syncs the file. A line of another kind is an error that names the
// line, and leaves the file unchanged. A line with a wrong checksum is logged; it does not count,
// nor does the result whose row it is.
Result<WrittenResults> TakeOver(AppendFile& file, ResultLines lines, EventLog& log);

// How a line that is torn off begins; after the header of a CSV file, anything.
std::string_view HeadOfTornLine(ResultLines lines, const WrittenResults& written);

// Whether the first line of a file, or its first 64 KiB, is one of a sink of any kind.
bool BeginsLikeResults(std::string_view line);

}  // namespace sash
