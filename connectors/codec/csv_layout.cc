#include "connectors/codec/csv_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "connectors/codec/delimiter_guess.h"
#include "connectors/codec/edge_fields.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

std::size_t FieldsNeeded(const MappedColumns& columns) {
  std::size_t needed = 0;
  for (const auto& column : columns) {
    if (column && column->position != kBeside) needed = std::max(needed, column->position + 1);
  }
  return needed;
}

}  // namespace

CsvLayout::CsvLayout(const CsvMapping& mapping, MappedColumns columns,
                     std::vector<std::string> header)
    : columns_(std::move(columns)),
      needed_(FieldsNeeded(columns_)),
      delimiter_(mapping.delimiter),
      quotes_(mapping.quotes),
      comment_(mapping.comment),
      header_(std::move(header)) {
  if (header_.empty()) return;
  row_size_ = header_.size();
  named_ = NamedColumn();
}

bool CsvLayout::IsMapped(std::size_t position) const {
  return std::ranges::any_of(columns_,
                             [&](const auto& each) { return each && each->position == position; });
}

Refused CsvLayout::RefusedForComment() const {
  return {RefusalReason::kInvalidSyntax,
          fmt::format("the record begins with {}, like a comment (source.format.csv.comment), so "
                      "it is not an edge",
                      Excerpt(comment_))};
}

Refused CsvLayout::WhyWrongSize(std::size_t size) const {
  if (row_size_ && size != *row_size_) {
    return {RefusalReason::kInvalidSyntax,
            fmt::format("the row has {} fields where {} are expected", size, *row_size_)};
  }
  const auto lacks = [&](const auto& each) {
    return each && each->position >= size && each->position != kBeside;
  };
  const auto lacking = std::ranges::find_if(columns_, lacks);
  return {RefusalReason::kInvalidSyntax,
          fmt::format("the row has {} fields, so there is no {}", size, (*lacking)->label)};
}

// Each of the files may begin with a byte order mark.
bool CsvLayout::IsWholeHeader(const Fields& row) const {
  Fields fields = row;
  if (fields[0].starts_with(kByteOrderMark)) fields[0].remove_prefix(kByteOrderMark.size());
  return std::ranges::equal(fields, header_);
}

// A mapped column: that of the target, if it is one. Others may hold the same in many rows.
std::size_t CsvLayout::NamedColumn() const {
  std::size_t named = column(MappedField::kTarget)->position;
  for (const auto& each : columns_) {
    if (named == kBeside && each) named = each->position;
  }
  return named;
}

Refused CsvLayout::WithHint(Refused refused, std::string_view record) const {
  if (refused.reason != RefusalReason::kInvalidSyntax) return refused;
  const auto fits = [&](const auto& fields, char other) {
    if (row_size_) return fields.size() == *row_size_;
    const bool is_blank = other == ' ' || other == kBlanks;
    return is_blank ? fields.size() == needed_ : fields.size() >= needed_;  // prose has blanks
  };
  refused.detail += DelimiterHint(record, delimiter_, quotes_, fits);
  return refused;
}

}  // namespace sash
