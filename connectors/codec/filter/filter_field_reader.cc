#include "connectors/codec/filter/filter_field_reader.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>

#include "connectors/codec/number_text.h"

namespace sash {

std::optional<FilterField> FilterFieldReader::OfDollar(const FilterToken& dollar) {
  using From = FilterField::From;
  if (fields_ == FilterFields::kMembers) {
    return tokens_.Fail(dollar.position, "fields are the names of members, without $");
  }
  const std::string& name = dollar.value;
  if (name == "key") return FilterField{.from = From::kKey};
  if (name == "topic") return FilterField{.from = From::kTopic};
  if (name == "partition") return FilterField{.from = From::kPartition};
  if (name == "timestamp") return FilterField{.from = From::kTimestamp};
  if (name == "header") return OfHeader(dollar);
  if (name == "record" && fields_ == FilterFields::kPointers) {
    return tokens_.Fail(dollar.position,
                        "a filter always reads the record; leave out $record, as in /user");
  }
  const Result<std::int64_t> column = ParseInteger(name);
  if (column.ok() && fields_ == FilterFields::kColumnNumbers && column.value() > 0 &&
      column.value() < std::numeric_limits<std::int32_t>::max()) {
    return FilterField{.from = From::kColumnNumber,
                       .number = static_cast<std::uint32_t>(column.value())};
  }
  return tokens_.Fail(dollar.position,
                      fields_ == FilterFields::kColumnNumbers
                          ? "there are $key, $header.NAME, $topic, $partition, $timestamp, and "
                            "columns by number from $1"
                          : "there are $key, $header.NAME, $topic, $partition and $timestamp");
}

std::optional<FilterField> FilterFieldReader::OfHeader(const FilterToken& dollar) {
  if (tokens_.Sees(".")) tokens_.Advance(false);
  const FilterToken header = tokens_.next();
  const bool is_quoted = header.kind == FilterToken::Kind::kField;
  if (header.kind != FilterToken::Kind::kName && !is_quoted) {
    return tokens_.Fail(dollar.position,
                        "a header is written $header.source, or $header.`x-source` if its name has "
                        "other characters than letters, digits and _");
  }
  tokens_.Advance(false);
  return FilterField{.from = FilterField::From::kHeader,
                     .name = is_quoted ? header.value : std::string(header.text)};
}

std::optional<FilterField> FilterFieldReader::OfValue(const FilterToken& token) {
  const std::string name =
      token.kind == FilterToken::Kind::kName ? std::string(token.text) : token.value;
  if (fields_ == FilterFields::kColumnNumbers) {
    return tokens_.Fail(token.position,
                        "the columns have no names; write a column by its number, like $3 (a "
                        "string needs quotes)");
  }
  if (fields_ == FilterFields::kPointers) {
    if (name.starts_with('/')) {
      return FilterField{.from = FilterField::From::kPointer, .name = name};
    }
    return tokens_.Fail(token.position,
                        fmt::format("`{0}` is not a field; fields of JSON are pointers, like /{0} "
                                    "(a string needs quotes)",
                                    name));
  }
  if (token.kind == FilterToken::Kind::kPointer) {
    return tokens_.Fail(token.position,
                        fmt::format("`{}` is a JSON pointer; write the name of a {}, in "
                                    "backquotes if it has special characters",
                                    name, fields_ == FilterFields::kMembers ? "member" : "column"));
  }
  if (fields_ == FilterFields::kMembers) {
    return FilterField{.from = FilterField::From::kMember, .name = name};
  }
  return FilterField{.from = FilterField::From::kColumnName, .name = name};
}

std::string_view FilterFieldReader::AboutPoints() const {
  return fields_ == FilterFields::kPointers
             ? "a member of an object is written /payer/id"
             : "a column whose name has a point needs backquotes, like `id.orig_h`";
}

}  // namespace sash
