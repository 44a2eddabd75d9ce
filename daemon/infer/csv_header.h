// Whether the first row of a text in CSV names the columns.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sash {

using CsvFields = std::vector<std::string>;  // of one row

// Empty if the line is not a row.
CsvFields FieldsOf(std::string_view line, char delimiter, bool quotes);

// Whether the names are those of columns: one is a known word, or all are known letters (u, v).
bool AreNames(const CsvFields& names);

// Whether `first` names the columns of `rows`, which follow it.
bool IsHeader(const CsvFields& first, const std::vector<CsvFields>& rows);

}  // namespace sash
