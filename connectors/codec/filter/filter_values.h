// What operators and functions of an expression do with values. Nothing here allocates.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "connectors/codec/filter/filter_tree.h"
#include "connectors/codec/filter/filter_value.h"

namespace sash {

// Why an operation has no value.
enum class FilterFailure : std::uint8_t {
  kNull,      // an operand is null, and the operation needs a value
  kUnlike,    // the operands have types that the operation does not take
  kOverflow,  // the number does not fit its type
  kByZero,
  kUnreadable,  // the text is not a value of the type
  kNotBool,     // the whole expression is neither true nor false
};

// A value, or the reason why there is none.
struct FilterOutcome {
  FilterOutcome(const FilterValue& made) : value(made) {}
  FilterOutcome(FilterFailure why) : failure(why) {}

  FilterValue value{};
  std::optional<FilterFailure> failure{};
};

// Nothing when the text is not a decimal number, or beyond the type's range.
std::optional<std::int64_t> ReadFilterInteger(std::string_view text);
std::optional<double> ReadFilterReal(std::string_view text);

// A JSON number: an int when it is written as one and fits, else a double (infinite if beyond).
FilterValue ReadNumeral(std::string_view text);

// <, <=, >, >=, == and != of two values of one type.
template <typename T>
bool CompareAlike(FilterOperation operation, const T& left, const T& right) {
  switch (operation) {
    case FilterOperation::kLess:
      return left < right;
    case FilterOperation::kLessOrEqual:
      return left <= right;
    case FilterOperation::kGreater:
      return left > right;
    case FilterOperation::kGreaterOrEqual:
      return left >= right;
    case FilterOperation::kEqual:
      return left == right;
    default:
      return left != right;
  }
}

// Compares any values. An int and a double compare by their exact values. Null compares false
// with everything. Other values of different types are unequal and have no order.
FilterOutcome CompareValues(FilterOperation operation, const FilterValue& left,
                            const FilterValue& right);
// + - * / %
FilterOutcome Calculate(FilterOperation operation, const FilterValue& left,
                        const FilterValue& right);
FilterOutcome Negate(const FilterValue& value);

// int(), double(), string(), bool(); null becomes null. A text is written to `scratch`.
inline constexpr std::size_t kFilterScratch = 32;
FilterOutcome Convert(FilterOperation operation, const FilterValue& value,
                      std::span<char, kFilterScratch> scratch);

// size(), startsWith(), endsWith(), contains(); `argument` is not used by size().
FilterOutcome AskText(FilterOperation operation, const FilterValue& text,
                      const FilterValue& argument);

}  // namespace sash
