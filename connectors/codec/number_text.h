// Numbers as text: integer keys and weights of CSV, and the spelling of numbers in JSON.
//
// Thread safety: pure functions. The locale is never looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "windows/base/result.h"
#include "windows/base/weight.h"

namespace sash {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// How a decimal number is written: an optional '-', digits with an optional point among or beside
// them, an optional exponent. No '+' in front, no blanks, no hexadecimal, no names.
struct DecimalSpelling {
  bool is_integer = false;  // neither point nor exponent
  bool is_json = false;   // as RFC 8259 wants it: no leading zeros, digits on both sides of a point
  bool is_zero = false;   // every digit is
  bool is_large = false;  // at least 10: tells overflow from underflow
};

// Nothing when `text` is not a decimal number.
std::optional<DecimalSpelling> SpellingOf(std::string_view text);

// Digits with an optional '-', within 64 bits. The error's message says what is wrong with the
// text, without naming it.
Result<std::int64_t> ParseInteger(std::string_view text);

// The finite double nearest to a number spelled as above; too small ones become zero.
Result<double> ParseReal(std::string_view text);

// Without point or exponent a 64-bit integer, otherwise a finite double.
Result<Weight> ParseWeight(std::string_view text);

}  // namespace sash
