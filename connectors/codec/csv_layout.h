// CsvLayout: what the rows of a source have in common: the columns that are mapped, the number of
// fields, the header, the mark of comments.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/csv_columns.h"
#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"

namespace sash {

class CsvLayout {
 public:
  using Fields = std::vector<std::string_view>;  // of a row

  // `header`: the names of all columns; empty when columns are numbered.
  CsvLayout(const CsvMapping& mapping, MappedColumns columns, std::vector<std::string> header);

  const std::optional<MappedColumn>& column(MappedField field) const {
    return columns_[static_cast<std::size_t>(field)];
  }
  // Whether a field of the mapping is in this column, from 0.
  bool IsMapped(std::size_t position) const;

  bool IsComment(std::string_view record) const {
    return !comment_.empty() && record.starts_with(comment_);
  }
  Refused RefusedForComment() const;

  // Why the row has a wrong number of fields; nothing if the number is right.
  std::optional<Refused> CheckSize(const Fields& fields) const {
    const bool fits = fields.size() >= needed_ && (!row_size_ || fields.size() == *row_size_);
    if (fits) return std::nullopt;
    return WhyWrongSize(fields.size());
  }
  // The row has become an edge: all later rows must have as many fields.
  void NoteAccepted(const Fields& fields) { row_size_ = fields.size(); }

  // Whether the row repeats the header, as in concatenated files. Its size is right.
  bool IsHeader(const Fields& fields) const {
    if (header_.empty() || fields[named_] != header_[named_]) return false;
    return IsWholeHeader(fields);
  }

  // Adds the delimiter with which a row would have the right number of fields, if there is one.
  Refused WithHint(Refused refused, std::string_view record) const;

 private:
  [[gnu::cold]] Refused WhyWrongSize(std::size_t size) const;
  bool IsWholeHeader(const Fields& fields) const;
  std::size_t NamedColumn() const;

  const MappedColumns columns_;
  const std::size_t needed_;  // the number of fields that a row must have for the mapped ones
  const char delimiter_;
  const bool quotes_;
  const std::string comment_;
  const std::vector<std::string> header_;
  std::size_t named_ = 0;                // with a header: the position of a mapped column
  std::optional<std::size_t> row_size_;  // the number of fields per row, once it is known
};

}  // namespace sash
