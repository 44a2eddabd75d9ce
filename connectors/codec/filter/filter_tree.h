// FilterTree: a parsed expression. Nodes refer to each other by number; operands come before the
// operation that uses them.
//
// Thread safety: a value; it does not change after FilterTree::Parse().
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/filter/filter_field.h"
#include "connectors/codec/filter/filter_pattern.h"
#include "connectors/codec/filter/filter_value.h"
#include "windows/base/result.h"

namespace sash {

enum class FilterOperation : std::uint8_t {
  kConstant,
  kField,  // `first` is the number of the field
  kHas,    // the same
  kNot,
  kNegate,
  kMultiply,
  kDivide,
  kRemainder,
  kAdd,
  kSubtract,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kEqual,
  kUnequal,
  kIn,  // `second` is the number of the list
  kAnd,
  kOr,
  kChoose,  // first ? second : third
  kToInt,
  kToDouble,
  kToString,  // `second` is the number of its scratch space
  kToBool,
  kSize,
  kStartsWith,
  kEndsWith,
  kContains,
  kMatches,  // `second` is the number of the pattern
};

// The type that is known before a record is read. Fields of JSON have any type.
enum class FilterType : std::uint8_t { kAny, kNull, kBool, kInt, kDouble, kString };

struct FilterNode {
  FilterOperation operation = FilterOperation::kConstant;
  FilterType type = FilterType::kAny;
  std::uint32_t position = 0;  // in the text: of the operator, the function's name, or the operand
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t third = 0;
  FilterValue constant{};
};

struct FilterTree {
  static constexpr std::size_t kMostText = 16 << 10;  // bytes
  static constexpr std::size_t kMostNodes = 1000;
  static constexpr std::size_t kMostDepth = 64;   // of parentheses, signs and conditions
  static constexpr std::size_t kMostFields = 24;  // different ones

  FilterTree() = default;
  FilterTree(FilterTree&&) = default;  // not a copy: constants point into `strings`
  FilterTree& operator=(FilterTree&&) = default;

  // An error says line, column, what is wrong and what would be right.
  static Result<FilterTree> Parse(std::string_view text, FilterFields fields);

  std::string text;
  std::vector<FilterNode> nodes;  // the last one is the whole expression
  std::vector<FilterField> fields;
  std::vector<std::vector<std::uint32_t>> lists;
  std::vector<FilterPattern> patterns;
  std::deque<std::string> strings;  // of constants; they never move
  std::size_t scratches = 0;
};

// "line 2, column 7: message". Columns count characters.
Error FilterError(std::string_view text, std::size_t position, std::string_view message);
std::string FilterPlace(std::string_view text, std::size_t position);

}  // namespace sash
