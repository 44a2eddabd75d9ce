// FilterParser: builds the tree of an expression, and finds its type on the way. Precedence, from
// the weakest: ?:, ||, &&, comparisons and in, + -, * / %, ! and -, methods; as in CEL.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/filter/filter_lexer.h"
#include "connectors/codec/filter/filter_tree.h"

namespace sash {

class FilterParser {
 public:
  FilterParser(std::string_view text, FilterFields fields);

  // Reads the whole text. False: see error().
  bool Parse();
  Error error() const { return FilterError(tree_.text, wrong_at_, wrong_); }
  FilterTree tree() && { return std::move(tree_); }

 private:
  // The number of the node that was read; none after a failure.
  using Read = std::optional<std::uint32_t>;

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
  Read Dollar();
  Read Function(const FilterToken& name);
  Read Method(const FilterToken& name, std::uint32_t text);
  Read Has(const FilterToken& name);
  Read Matches(const FilterToken& name, std::uint32_t text);
  Read In(std::uint32_t position, std::uint32_t operand);
  Read Field(std::uint32_t position, FilterField field);
  Read ValueField(const FilterToken& token);
  Read Constant(std::uint32_t position, FilterType type, FilterValue value);
  Read Add(FilterNode node);
  Read AddTwo(FilterOperation operation, std::uint32_t position, std::uint32_t left, Read right);

  void Advance(bool operand);
  bool Sees(std::string_view sign) const {
    return token_.kind == FilterToken::Kind::kSign && token_.text == sign;
  }
  bool SeesWord(std::string_view word) const {
    return token_.kind == FilterToken::Kind::kName && token_.text == word;
  }
  bool Expect(std::string_view sign, std::string_view why, bool operand);
  std::nullopt_t Fail(std::uint32_t position, std::string why);
  std::string Found() const;

  FilterTree tree_;
  FilterLexer lexer_;
  const FilterFields fields_;
  FilterToken token_;  // the next one
  std::size_t depth_ = 0;
  std::uint32_t wrong_at_ = 0;
  std::string wrong_;  // the first failure
};

}  // namespace sash
