// FilterFieldReader: which field of a record a word of an expression means.
//
// Thread safety: belongs to one thread.
#pragma once

#include <optional>
#include <string_view>

#include "connectors/codec/filter/filter_field.h"
#include "connectors/codec/filter/filter_tokens.h"

namespace sash {

class FilterFieldReader {
 public:
  FilterFieldReader(FilterFields fields, FilterTokens& tokens) : fields_(fields), tokens_(tokens) {}

  // $key, $header.NAME, $3, ...; the name of a header is taken from the words that follow. If there
  // is no such field, fails.
  std::optional<FilterField> OfDollar(const FilterToken& dollar);
  // A pointer or the name of a column.
  std::optional<FilterField> OfValue(const FilterToken& token);

  // The remedy where a point stands in place of a method.
  std::string_view AboutPoints() const;

 private:
  std::optional<FilterField> OfHeader(const FilterToken& dollar);

  const FilterFields fields_;
  FilterTokens& tokens_;
};

}  // namespace sash
