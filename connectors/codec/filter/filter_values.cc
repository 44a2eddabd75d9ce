#include "connectors/codec/filter/filter_values.h"

#include <charconv>
#include <cmath>
#include <compare>
#include <limits>
#include <system_error>

#include "connectors/codec/number_text.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

using ValueKind = FilterValue::Kind;
using Op = FilterOperation;

constexpr double kTwoTo63 = 9223372036854775808.0;

// The order of an int and a double, without rounding the int.
std::partial_ordering OrderOf(std::int64_t left, double right) {
  if (std::isnan(right)) return std::partial_ordering::unordered;
  if (right >= kTwoTo63) return std::partial_ordering::less;
  if (right < -kTwoTo63) return std::partial_ordering::greater;
  const double whole = std::trunc(right);
  const auto rounded = static_cast<std::int64_t>(whole);
  if (left != rounded) return left <=> rounded;
  return whole <=> right;
}

// `left` and `right` have the same kind, or both are numbers.
std::partial_ordering OrderOf(const FilterValue& left, const FilterValue& right) {
  switch (left.kind) {
    case ValueKind::kInteger:
      return right.Is(ValueKind::kInteger) ? left.integer() <=> right.integer()
                                           : OrderOf(left.integer(), right.real());
    case ValueKind::kReal:
      return right.Is(ValueKind::kReal) ? left.real() <=> right.real()
                                        : 0 <=> OrderOf(right.integer(), left.real());
    case ValueKind::kText:
      return left.text <=> right.text;
    default:
      return left.bits <=> right.bits;
  }
}

bool Holds(Op operation, std::partial_ordering order) {
  switch (operation) {
    case Op::kLess:
      return order < 0;
    case Op::kLessOrEqual:
      return order <= 0;
    case Op::kGreater:
      return order > 0;
    case Op::kGreaterOrEqual:
      return order >= 0;
    case Op::kEqual:
      return order == 0;
    default:
      return order != 0;
  }
}

bool IsWhole(ValueKind kind) { return kind == ValueKind::kObject || kind == ValueKind::kArray; }

FilterOutcome CalculateInteger(Op operation, std::int64_t left, std::int64_t right) {
  std::int64_t value = 0;
  bool overflows = false;
  switch (operation) {
    case Op::kAdd:
      overflows = __builtin_add_overflow(left, right, &value);
      break;
    case Op::kSubtract:
      overflows = __builtin_sub_overflow(left, right, &value);
      break;
    case Op::kMultiply:
      overflows = __builtin_mul_overflow(left, right, &value);
      break;
    default:
      if (right == 0) return FilterFailure::kByZero;
      overflows = left == std::numeric_limits<std::int64_t>::min() && right == -1;
      if (!overflows) value = operation == Op::kDivide ? left / right : left % right;
  }
  if (overflows) return FilterFailure::kOverflow;
  return FilterValue::Integer(value);
}

FilterOutcome CalculateReal(Op operation, double left, double right) {
  switch (operation) {
    case Op::kAdd:
      return FilterValue::Real(left + right);
    case Op::kSubtract:
      return FilterValue::Real(left - right);
    case Op::kMultiply:
      return FilterValue::Real(left * right);
    case Op::kDivide:
      return FilterValue::Real(left / right);
    default:
      return FilterFailure::kUnlike;
  }
}

FilterOutcome ToInteger(const FilterValue& value) {
  if (value.Is(ValueKind::kInteger)) return value;
  if (value.Is(ValueKind::kReal)) {
    // Also false for NaN.
    const bool fits = value.real() > -kTwoTo63 && value.real() < kTwoTo63;
    if (!fits) return FilterFailure::kOverflow;
    return FilterValue::Integer(static_cast<std::int64_t>(value.real()));
  }
  if (!value.Is(ValueKind::kText)) return FilterFailure::kUnlike;
  const auto integer = ReadFilterInteger(value.text);
  if (!integer) return FilterFailure::kUnreadable;
  return FilterValue::Integer(*integer);
}

FilterOutcome ToReal(const FilterValue& value) {
  if (value.Is(ValueKind::kReal)) return value;
  if (value.Is(ValueKind::kInteger)) return FilterValue::Real(static_cast<double>(value.integer()));
  if (!value.Is(ValueKind::kText)) return FilterFailure::kUnlike;
  const auto real = ReadFilterReal(value.text);
  if (!real) return FilterFailure::kUnreadable;
  return FilterValue::Real(*real);
}

FilterOutcome ToText(const FilterValue& value, std::span<char, kFilterScratch> scratch) {
  if (value.Is(ValueKind::kText)) return value;
  if (value.Is(ValueKind::kBool)) return FilterValue::Text(value.boolean() ? "true" : "false");
  char* const begin = scratch.data();
  char* end = begin;
  if (value.Is(ValueKind::kInteger)) {
    end = std::to_chars(begin, begin + scratch.size(), value.integer()).ptr;
  } else if (value.Is(ValueKind::kReal)) {
    end = std::to_chars(begin, begin + scratch.size(), value.real()).ptr;
  } else {
    return FilterFailure::kUnlike;
  }
  return FilterValue::Text({begin, static_cast<std::size_t>(end - begin)});
}

FilterOutcome ToBool(const FilterValue& value) {
  if (value.Is(ValueKind::kBool)) return value;
  if (!value.Is(ValueKind::kText)) return FilterFailure::kUnlike;
  for (const std::string_view yes : {"true", "True", "TRUE", "t", "T", "1"}) {
    if (value.text == yes) return FilterValue::Bool(true);
  }
  for (const std::string_view no : {"false", "False", "FALSE", "f", "F", "0"}) {
    if (value.text == no) return FilterValue::Bool(false);
  }
  return FilterFailure::kUnreadable;
}

// A plain numeral: an optional '-', digits, and perhaps a point and digits, with at most 15 digits
// after leading zeros in all. Most numbers of records are written so.
struct PlainNumeral {
  std::int64_t digits = 0;  // as one int, with the sign
  std::size_t behind = 0;   // digits behind the point
  bool has_point = false;
};

std::optional<PlainNumeral> ReadPlain(std::string_view text) {
  constexpr std::size_t kLongest = 16;  // with the point
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kLongest) return std::nullopt;
  PlainNumeral plain;
  std::size_t count = 0;
  for (const char c : text) {
    if (IsDigit(c)) {
      plain.digits = plain.digits * 10 + (c - '0');
      plain.behind += plain.has_point ? 1 : 0;
      ++count;
    } else if (c == '.' && !plain.has_point) {
      plain.has_point = true;
    } else {
      return std::nullopt;
    }
  }
  if (count == 0 || count == kLongest) return std::nullopt;
  if (negative) plain.digits = -plain.digits;
  return plain;
}

// Exact: the digits and the power of ten are doubles, and a division is rounded correctly.
double RealOf(const PlainNumeral& plain, bool negative) {
  static constexpr double kPowers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (plain.digits == 0 && negative) return -0.0;
  return static_cast<double>(plain.digits) / kPowers[plain.behind];
}

}  // namespace

std::optional<std::int64_t> ReadFilterInteger(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error != std::errc()) return std::nullopt;
  return value;
}

std::optional<double> ReadFilterReal(std::string_view text) {
  if (const auto plain = ReadPlain(text)) return RealOf(*plain, text.front() == '-');
  // from_chars() also takes names like "inf".
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (first == text.size() || (!IsDigit(text[first]) && text[first] != '.')) return std::nullopt;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc()) return value;
  const auto spelling = SpellingOf(text);
  if (!spelling || spelling->is_large) return std::nullopt;
  return first == 1 ? -0.0 : 0.0;
}

FilterValue ReadNumeral(std::string_view text) {
  if (const auto plain = ReadPlain(text)) {
    if (!plain->has_point) return FilterValue::Integer(plain->digits);
    return FilterValue::Real(RealOf(*plain, text.front() == '-'));
  }
  if (const auto integer = ReadFilterInteger(text)) return FilterValue::Integer(*integer);
  const auto real = ReadFilterReal(text);
  constexpr double kBeyond = std::numeric_limits<double>::infinity();
  return FilterValue::Real(real.value_or(text.starts_with('-') ? -kBeyond : kBeyond));
}

FilterOutcome CompareValues(Op operation, const FilterValue& left, const FilterValue& right) {
  if (left.Is(ValueKind::kReal) && right.Is(ValueKind::kReal)) {
    return FilterValue::Bool(CompareAlike(operation, left.real(), right.real()));
  }
  if (left.Is(ValueKind::kFailure) || right.Is(ValueKind::kFailure)) return FilterFailure::kUnlike;
  if (left.Is(ValueKind::kNull) || right.Is(ValueKind::kNull)) return FilterValue::Bool(false);
  if (IsWhole(left.kind) || IsWhole(right.kind)) return FilterFailure::kUnlike;
  if (left.kind == right.kind || (left.IsNumber() && right.IsNumber())) {
    return FilterValue::Bool(Holds(operation, OrderOf(left, right)));
  }
  if (operation == Op::kEqual) return FilterValue::Bool(false);
  if (operation == Op::kUnequal) return FilterValue::Bool(true);
  return FilterFailure::kUnlike;
}

FilterOutcome Calculate(Op operation, const FilterValue& left, const FilterValue& right) {
  if (left.Is(ValueKind::kInteger) && right.Is(ValueKind::kInteger)) {
    return CalculateInteger(operation, left.integer(), right.integer());
  }
  if (left.Is(ValueKind::kReal) && right.Is(ValueKind::kReal)) {
    return CalculateReal(operation, left.real(), right.real());
  }
  const bool is_null = left.Is(ValueKind::kNull) || right.Is(ValueKind::kNull);
  return is_null ? FilterFailure::kNull : FilterFailure::kUnlike;
}

FilterOutcome Negate(const FilterValue& value) {
  if (value.Is(ValueKind::kReal)) return FilterValue::Real(-value.real());
  if (value.Is(ValueKind::kInteger)) return CalculateInteger(Op::kSubtract, 0, value.integer());
  return value.Is(ValueKind::kNull) ? FilterFailure::kNull : FilterFailure::kUnlike;
}

FilterOutcome Convert(Op operation, const FilterValue& value,
                      std::span<char, kFilterScratch> scratch) {
  if (value.Is(ValueKind::kNull)) return value;
  switch (operation) {
    case Op::kToInt:
      return ToInteger(value);
    case Op::kToDouble:
      return ToReal(value);
    case Op::kToString:
      return ToText(value, scratch);
    default:
      return ToBool(value);
  }
}

FilterOutcome AskText(Op operation, const FilterValue& text, const FilterValue& argument) {
  const bool has_argument = operation != Op::kSize;
  if (text.Is(ValueKind::kNull) || (has_argument && argument.Is(ValueKind::kNull))) {
    return FilterFailure::kNull;
  }
  if (!text.Is(ValueKind::kText) || (has_argument && !argument.Is(ValueKind::kText))) {
    return FilterFailure::kUnlike;
  }
  switch (operation) {
    case Op::kSize:
      return FilterValue::Integer(static_cast<std::int64_t>(CountCharacters(text.text)));
    case Op::kStartsWith:
      return FilterValue::Bool(text.text.starts_with(argument.text));
    case Op::kEndsWith:
      return FilterValue::Bool(text.text.ends_with(argument.text));
    default:
      return FilterValue::Bool(text.text.find(argument.text) != std::string_view::npos);
  }
}

}  // namespace sash
