// FilterParser: reads an expression. Precedence, from the weakest: ?:, ||, &&, comparisons and in,
// + -, * / %, ! and -, methods; as in CEL.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "connectors/codec/filter/filter_builder.h"
#include "connectors/codec/filter/filter_field_reader.h"
#include "connectors/codec/filter/filter_tokens.h"
#include "connectors/codec/filter/filter_tree.h"

namespace sash {

class FilterParser {
 public:
  FilterParser(std::string_view text, FilterFields fields);

  // Reads the whole text. False: see error().
  bool Parse();
  Error error() const { return tokens_.error(); }
  FilterTree tree() && { return std::move(builder_).TakeTree(); }

 private:
  // The number of the node that was read; none after a failure.
  using Read = FilterBuilder::Node;

  // Operands between signs of equal precedence, from the left.
  template <typename Signs>
  Read Row(const Signs& signs, Read (FilterParser::*operand)());

  Read Condition();
  Read Or();
  Read And();
  Read Comparison();
  Read Sum();
  Read Product();
  Read Sign();
  Read Member();
  Read Operand();
  Read Parentheses();
  Read Number(bool negative, std::uint32_t position);
  Read Word();
  Read Function(const FilterToken& name);
  Read Method(const FilterToken& name, std::uint32_t text);
  Read Has(const FilterToken& name);
  Read Matches(const FilterToken& name, std::uint32_t text);
  Read In(std::uint32_t position, std::uint32_t operand);

  const FilterToken& next() const { return tokens_.next(); }

  FilterTokens tokens_;
  FilterBuilder builder_;
  FilterFieldReader fields_;
  std::size_t depth_ = 0;
};

}  // namespace sash
