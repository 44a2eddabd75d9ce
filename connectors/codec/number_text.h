// Numbers as text: integer keys and weights of CSV, and the spelling of numbers in JSON.
//
// Thread safety: pure functions. The locale has no effect.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "windows/base/result.h"
#include "windows/base/weight.h"

namespace sash {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// How a decimal number is written: an optional '-', digits with an optional point before, between
// or after them, an optional exponent. No leading '+', no blanks, no hexadecimal, no names.
struct DecimalSpelling {
  bool is_integer = false;  // neither point nor exponent
  bool is_json = false;     // valid in RFC 8259: no leading zeros, digits on both sides of a point
  bool is_zero = false;     // all digits are zero
  bool is_large = false;    // at least 10: distinguishes overflow from underflow
};

// No value when `text` is not a decimal number.
std::optional<DecimalSpelling> SpellingOf(std::string_view text);

// Digits with an optional '-', within 64 bits. The error's message says what is wrong, without
// repeating the text.
Result<std::int64_t> ParseInteger(std::string_view text);

// The finite double nearest to a number spelled as above; a number that is too small becomes zero.
Result<double> ParseReal(std::string_view text);

// A 64-bit integer when there is neither point nor exponent; a number that has one, or is beyond 64
// bits, is the nearest finite double.
Result<Weight> ParseWeight(std::string_view text);

}  // namespace sash
