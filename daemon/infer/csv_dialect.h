// CsvDialect: how the rows of a text are written, found from the rows themselves.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "connectors/codec/row_splitter.h"

namespace sash {

struct CsvDialect {
  char delimiter = ',';
  bool quotes = true;
  std::string comment{};               // the beginning of comment lines; empty: there are none
  std::uint64_t skip_rows = 0;         // lines before the header, or before the first row
  bool has_header = false;             // the first row after them names the columns
  std::vector<std::string> names{};    // of the columns, also from a comment; empty: none
  std::vector<std::string> nulls{};    // texts that the file itself calls empty
  std::size_t columns = 0;             // 0: the text is not rows of at least two fields
  double share = 0;                    // of the rows that have so many fields
  std::vector<std::string> reasons{};  // sentences for people
};

// Looks at the beginning of `text`.
CsvDialect FindDialect(std::string_view text);
// The same for records of a topic, each a row: there are neither headers nor comments.
CsvDialect FindRecordDialect(std::string_view text);

// The rows of a whole text, as a replay finds them.
RowSplitter RowsOf(const FormatSpec& format, std::string_view text);

}  // namespace sash
