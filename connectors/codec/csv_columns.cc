#include "connectors/codec/csv_columns.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "connectors/codec/delimiter_guess.h"
#include "connectors/codec/envelope_field.h"
#include "connectors/codec/not_utf8.h"
#include "connectors/codec/quoted_text.h"

namespace sash {
namespace {

Error InvalidColumn(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

std::string Listed(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) {
    if (!list.empty()) list += ", ";
    list += name.starts_with(' ') || name.ends_with(' ') ? Quoted(name) : std::string(name);
  }
  return list;
}

// A name without the blanks around it, and in lower case.
std::string Plain(std::string_view name) {
  const std::size_t begin = std::min(name.find_first_not_of(" \t"), name.size());
  const std::size_t end = std::max(begin, name.find_last_not_of(" \t") + 1);
  std::string plain(name.substr(begin, end - begin));
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return plain;
}

// A name that the user probably meant.
std::string Nearest(std::string_view name, const std::vector<std::string_view>& names) {
  const auto is_alike = [&](std::string_view each) { return Plain(each) == Plain(name); };
  const auto found = std::ranges::find_if(names, is_alike);
  if (found == names.end()) return "";
  return fmt::format("; give {}, exactly as it is written there", Quoted(*found));
}

// The columns that have the name, as numbers from 1.
std::string NumbersOf(std::string_view name, const std::vector<std::string_view>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) list += fmt::format("{}{}", list.empty() ? "" : " and ", i + 1);
  }
  return list;
}

}  // namespace

Status ColumnFinder::Add(MappedField field, const CsvColumn& column) {
  if (const auto* beside = std::get_if<EnvelopeName>(&column)) return AddBeside(field, *beside);
  if (const auto* number = std::get_if<std::uint32_t>(&column)) {
    has_numbers_ = true;
    if (*number == 0) return InvalidColumn("columns are numbered from 1");
    columns_[static_cast<std::size_t>(field)] = {
        *number - 1, fmt::format("{} (column {})", Name(field), *number)};
  } else if (auto found = Find(std::get<std::string>(column)); found.ok()) {
    has_names_ = true;
    columns_[static_cast<std::size_t>(field)] = {
        found.value(),
        fmt::format("{} (column \"{}\")", Name(field), std::get<std::string>(column))};
  } else {
    return std::move(found).error();
  }
  if (has_numbers_ && has_names_)
    return InvalidColumn("columns must all be names or all be numbers");
  return Ok{};
}

Result<std::vector<std::size_t>> ColumnFinder::PositionsOf(const std::vector<FilterField>& fields) {
  std::vector<std::size_t> positions;
  for (const FilterField& field : fields) {
    positions.push_back(field.number == 0 ? 0 : field.number - std::size_t{1});
    if (field.from != FilterField::From::kColumnName) continue;
    Result<std::size_t> found = Find(field.name);
    if (!found.ok()) return std::move(found).error();
    positions.back() = found.value();
  }
  return positions;
}

std::vector<std::string> ColumnFinder::header() const {
  if (!has_names_) return {};
  return {header_.fields().begin(), header_.fields().end()};
}
Status ColumnFinder::AddBeside(MappedField field, const EnvelopeName& name) {
  Result<EnvelopeField> from = ParseEnvelopeField(name.text);
  if (!from.ok()) return std::move(from).error().Within(Name(field));
  if (from.value().pointer) {
    return InvalidColumn(
        fmt::format("{}: `{}` is a field of a key that is JSON, which a mapping of CSV cannot "
                    "read; give $key, or json in place of csv",
                    Name(field), name.text));
  }
  columns_[static_cast<std::size_t>(field)] = {kBeside,
                                               fmt::format("{} {}", Name(field), name.text)};
  beside_.push_back(
      {static_cast<std::size_t>(field), std::string(Name(field)), std::move(from).value()});
  return Ok{};
}

Result<std::size_t> ColumnFinder::Find(const std::string& name) {
  if (text_.empty())
    return InvalidColumn(fmt::format("column \"{}\": there is no header row", name));
  if (!simdjson::validate_utf8(text_.data(), text_.size())) {
    return InvalidColumn(NotUtf8("the header row", text_).detail);
  }
  if (const auto why = header_.Split(text_)) {
    return InvalidColumn(fmt::format("the header row is broken: {}{}", *why, Hint()));
  }
  const auto& names = header_.fields();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    return InvalidColumn(fmt::format("column \"{}\" is not in the header, which has: {}{}{}", name,
                                     Listed(names), Nearest(name, names), Hint()));
  }
  if (std::find(found + 1, names.end(), name) != names.end()) {
    return InvalidColumn(
        fmt::format("column \"{}\" is in the header twice, as columns {}: give all columns by "
                    "number, and skip the header with skip_rows; the header has: {}",
                    name, NumbersOf(name, names), Listed(names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::string ColumnFinder::Hint() const {
  const auto fits = [this](const auto& names, char) {
    const auto is_there = [&names](const CsvColumn& column) {
      if (std::holds_alternative<EnvelopeName>(column)) return true;
      const auto* const name = std::get_if<std::string>(&column);
      return name != nullptr && std::ranges::find(names, *name) != names.end();
    };
    const auto may_be_used = [&](const auto& column) { return !column || is_there(*column); };
    return is_there(mapping_.source) && is_there(mapping_.target) && may_be_used(mapping_.weight) &&
           may_be_used(mapping_.time) && may_be_used(mapping_.operation) &&
           may_be_used(mapping_.type) && may_be_used(mapping_.id) &&
           std::ranges::all_of(mapping_.time_rest.more, is_there) &&
           std::ranges::all_of(mapping_.source_parts.rest.more, is_there) &&
           std::ranges::all_of(mapping_.target_parts.rest.more, is_there) &&
           std::ranges::all_of(mapping_.type_parts.rest.more, is_there) &&
           std::ranges::all_of(mapping_.id_parts.rest.more, is_there);
  };
  return DelimiterHint(text_, mapping_.delimiter, mapping_.quotes, fits);
}

}  // namespace sash
