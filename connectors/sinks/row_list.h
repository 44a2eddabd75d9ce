// RowList: rows of a list, each a JSON object, and their text in CSV (RFC 4180, with a header row).
// Files and the API share it.
//
// Text in CSV is exact: it is quoted where RFC 4180 wants it, and not changed. An empty text is "",
// null is nothing. A value that is a list or an object is JSON text.
//
// Thread safety: pure functions; a row list belongs to its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/json_pieces.h"
#include "connectors/sinks/sink_spec.h"
#include "connectors/sinks/supplied_rows.h"
#include "windows/jobs/result_table.h"

namespace sash {

struct RowList {
  std::vector<std::string> columns;  // of CSV; a row may lack some of them
  std::size_t rows = 0;
  JsonPieces::WriteRow write;  // keeps alive what it needs
};

// Row number `i` (from 0) as a JSON object, without a line end.
std::string RowText(const RowList& list, std::size_t i);

// The header row, and the row with this JSON, each with its line end.
void AddCsvHeader(const std::vector<std::string>& columns, std::string& to);
void AddCsvRow(std::string_view row, const std::vector<std::string>& columns, std::string& to);

// All rows, each with its line end; in CSV behind their header.
std::string RowLines(const RowList& list, RowFormat format);

struct JoinedRows {
  RowList list;
  std::uint64_t wanted = 0;     // rows that are wanted and available, in all lists
  std::uint64_t available = 0;  // rows that exist
};

// The rows of all lists of `table`, one after the other; `table` must have a list. If each list has
// a root (bfs with `separate: true`), the first member of a row is its `root`. The limits of the
// listing hold for all rows together. `columns`: see ColumnsOfList().
JoinedRows JoinedRowsOf(const ResultTable& table, const RowSupply& supply, ListColumns columns);

}  // namespace sash
