#include "connectors/codec/number_text.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

namespace sash {
namespace {

Error Wrong(std::string_view why) { return {ErrorCode::kInvalidArgument, std::string(why)}; }

// The number of digits in a run, and the index of the first digit that is not zero.
struct DigitWalk {
  std::size_t count = 0;
  std::optional<std::size_t> first_nonzero;
};

DigitWalk WalkDigits(std::string_view text, std::size_t& at) {
  DigitWalk walk;
  for (; at < text.size() && IsDigit(text[at]); ++at, ++walk.count) {
    if (!walk.first_nonzero && text[at] != '0') walk.first_nonzero = walk.count;
  }
  return walk;
}

// The value of the exponent's digits. It is clamped to a bound that the other digits of a record
// cannot offset.
std::int64_t ExponentValue(std::string_view digits) {
  std::int64_t value = 0;
  for (const char digit : digits)
    value = std::min<std::int64_t>(value * 10 + (digit - '0'), 1 << 30);
  return value;
}

}  // namespace

std::optional<DecimalSpelling> SpellingOf(std::string_view text) {
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') ++at;
  const std::size_t begin = at;
  const DigitWalk whole = WalkDigits(text, at);
  DecimalSpelling spelling{.is_integer = true};
  spelling.is_json = whole.count == 1 || (whole.count > 1 && text[begin] != '0');
  DigitWalk fraction;
  if (at < text.size() && text[at] == '.') {
    spelling.is_integer = false;
    fraction = WalkDigits(text, ++at);
    if (fraction.count == 0) spelling.is_json = false;
  }
  if (whole.count + fraction.count == 0) return std::nullopt;
  std::int64_t exponent = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    spelling.is_integer = false;
    ++at;
    const bool negative = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const std::size_t digits = at;
    if (WalkDigits(text, at).count == 0) return std::nullopt;
    exponent = ExponentValue(text.substr(digits, at - digits)) * (negative ? -1 : 1);
  }
  if (at != text.size()) return std::nullopt;
  spelling.is_zero = !whole.first_nonzero && !fraction.first_nonzero;
  if (!spelling.is_zero) {
    const std::int64_t magnitude =
        whole.first_nonzero ? static_cast<std::int64_t>(whole.count - *whole.first_nonzero) - 1
                            : -static_cast<std::int64_t>(*fraction.first_nonzero) - 1;
    spelling.is_large = magnitude + exponent > 0;
  }
  return spelling;
}

Result<std::int64_t> ParseInteger(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return Wrong("is not an integer");
  if (error == std::errc::result_out_of_range) return Wrong("does not fit a 64-bit integer");
  return value;
}

Result<double> ParseReal(std::string_view text) {
  const auto spelling = SpellingOf(text);
  if (!spelling) return Wrong("is not a decimal number");
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) return Wrong("is not a decimal number");
  if (error == std::errc::result_out_of_range) {
    if (spelling->is_large) return Wrong("is beyond the range of a double");
    return text.front() == '-' ? -0.0 : 0.0;
  }
  return value;
}

Result<Weight> ParseWeight(std::string_view text) {
  std::int64_t integer = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, integer);
  if (stop == end && error == std::errc()) return Weight::Integer(integer);
  Result<double> real = ParseReal(text);
  if (!real.ok()) return std::move(real).error();
  return Weight::Real(real.value());
}

}  // namespace sash
