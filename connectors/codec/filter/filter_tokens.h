// FilterTokens: the words of an expression for its parser: the next one, and the first failure.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/codec/filter/filter_lexer.h"
#include "windows/base/result.h"

namespace sash {

class FilterTokens {
 public:
  // `text` must outlive the object.
  explicit FilterTokens(std::string_view text) : text_(text), lexer_(text) {}
  FilterTokens(const FilterTokens&) = delete;
  FilterTokens& operator=(const FilterTokens&) = delete;

  const FilterToken& next() const { return next_; }
  // `operand`: an operand is expected behind the next word.
  void Advance(bool operand);

  bool Sees(std::string_view sign) const {
    return next_.kind == FilterToken::Kind::kSign && next_.text == sign;
  }
  bool SeesWord(std::string_view word) const {
    return next_.kind == FilterToken::Kind::kName && next_.text == word;
  }
  // Advances over the sign. If it is not there, fails and returns false.
  bool Expect(std::string_view sign, std::string_view why, bool operand);
  // The text that the next word cannot be here.
  std::string Found() const;

  // Only the first failure counts.
  std::nullopt_t Fail(std::uint32_t position, std::string why);
  bool failed() const { return !wrong_.empty(); }
  Error error() const { return FilterError(text_, wrong_at_, wrong_); }

 private:
  const std::string_view text_;
  FilterLexer lexer_;
  FilterToken next_;
  std::uint32_t wrong_at_ = 0;
  std::string wrong_;
};

}  // namespace sash
