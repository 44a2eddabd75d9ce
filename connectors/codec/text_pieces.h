// TextPieces: removes pieces from the front of a text, one at a time.
//
// Thread safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "connectors/codec/number_text.h"

namespace sash {

class TextPieces {
 public:
  explicit TextPieces(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool Take(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A number of exactly `digits` digits, or -1.
  int TakeNumber(std::size_t digits) {
    if (rest_.size() < digits) return -1;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!IsDigit(rest_[i])) return -1;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  // A number of one to `most` digits, or -1.
  int TakeShortNumber(std::size_t most) {
    std::size_t digits = 0;
    while (digits < most && digits < rest_.size() && IsDigit(rest_[digits])) ++digits;
    return digits == 0 ? -1 : TakeNumber(digits);
  }
  std::string_view TakeDigits() {
    std::size_t count = 0;
    while (count < rest_.size() && IsDigit(rest_[count])) ++count;
    const std::string_view digits = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return digits;
  }
  void Skip(std::size_t bytes) { rest_.remove_prefix(bytes); }

 private:
  std::string_view rest_;
};

// The value of the first `digits` digits of a fraction; missing digits are zeros.
constexpr std::int64_t FractionValue(std::string_view fraction, int digits) {
  std::int64_t value = 0;
  for (int i = 0; i < digits; ++i) {
    const auto at = static_cast<std::size_t>(i);
    value = value * 10 + (at < fraction.size() ? fraction[at] - '0' : 0);
  }
  return value;
}

}  // namespace sash
