// Where the fields of a mapping are: in the rows of CSV, or beside them.
//
// Thread safety: belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/envelope_reader.h"
#include "connectors/codec/filter/filter_field.h"
#include "connectors/codec/format_spec.h"
#include "windows/base/result.h"

namespace sash {

// The position of fields that are beside the row, greater than that of any field in a row.
inline constexpr std::size_t kBeside = std::numeric_limits<std::size_t>::max();

struct MappedColumn {
  std::size_t position = 0;  // from 0, or kBeside
  std::string label;         // for messages
};
using MappedColumns = std::array<std::optional<MappedColumn>, kMappedFields>;

// Finds the columns of a mapping; named columns are looked up in the header.
class ColumnFinder {
 public:
  // Both must outlive it. `header`: the row; empty when there is none.
  ColumnFinder(const CsvMapping& mapping, std::string_view header)
      : mapping_(mapping), header_(mapping.delimiter, mapping.quotes), text_(header) {}

  // An error: there is no such column, or the header is broken.
  Status Add(MappedField field, const CsvColumn& column);

  // The position of each field that filters ask for, which need not be a column of the mapping.
  Result<std::vector<std::size_t>> PositionsOf(const std::vector<FilterField>& fields);

  // The fields beside the row.
  std::vector<EnvelopeReader::Asked> beside() && { return std::move(beside_); }
  // The names of all columns; empty when columns are numbered.
  std::vector<std::string> header() const;
  MappedColumns columns() && { return std::move(columns_); }

 private:
  Status AddBeside(MappedField field, const EnvelopeName& name);
  Result<std::size_t> Find(const std::string& name);
  // Suggests the delimiter with which the header has every mapped column.
  std::string Hint() const;

  const CsvMapping& mapping_;
  CsvRow header_;
  const std::string_view text_;
  MappedColumns columns_;
  std::vector<EnvelopeReader::Asked> beside_;
  bool has_names_ = false;
  bool has_numbers_ = false;
};

}  // namespace sash
