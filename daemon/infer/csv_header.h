// Whether the first row of a text in CSV names the columns.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sash {

using CsvFields = std::vector<std::string>;  // of one row

// The fields of a line; empty if it is not a row.
CsvFields FieldsOf(std::string_view line, char delimiter, bool quotes);

// Whether the names are those of columns: one is a known word, or all are known letters (u, v).
bool AreNames(const CsvFields& names);

// Whether `first` names the columns of `rows`, which follow it. The first and the last may have no
// name: that of an index, and what is behind a delimiter at the end.
bool IsHeader(const CsvFields& first, const std::vector<CsvFields>& rows);

}  // namespace sash
