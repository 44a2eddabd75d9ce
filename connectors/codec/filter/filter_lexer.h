// FilterLexer: the words of an expression, one after the other.
//
// Whether a '/' begins a JSON pointer or divides depends on the word before it: a pointer is where
// an operand is expected.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "connectors/codec/filter/filter_tree.h"

namespace sash {

struct FilterToken {
  enum class Kind : std::uint8_t {
    kEnd,
    kInteger,  // digits, or 0x and hexadecimal digits
    kReal,
    kText,   // in `value`: without quotes, escapes decoded
    kName,   // a word
    kField,  // in backquotes; in `value`: without them
    kPointer,
    kDollar,  // $name or $3; in `value`: without the dollar
    kSign,    // an operator, parenthesis, bracket, comma or point
    kWrong,   // in `value`: what is wrong
  };
  Kind kind = Kind::kEnd;
  std::uint32_t position = 0;
  std::string_view text{};  // as written
  std::string value{};
};

class FilterLexer {
 public:
  explicit FilterLexer(std::string_view text) : text_(text) {}

  // `operand`: an operand is expected here.
  FilterToken Next(bool operand);

 private:
  FilterToken Made(FilterToken::Kind kind, std::size_t end, std::string value = {});
  FilterToken Wrong(std::size_t position, std::string why);
  FilterToken Number();
  FilterToken Quoted(bool raw);
  FilterToken Backquoted();
  FilterToken Pointer();
  FilterToken Dollar();
  // Decodes the escape at `at`, behind its backslash; false: it is unknown.
  bool Escape(std::size_t& at, std::string& value) const;
  char At(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  const std::string_view text_;
  std::size_t next_ = 0;
};

}  // namespace sash
