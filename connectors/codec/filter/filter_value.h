// FilterValue: a value that an expression works on while it judges a record.
//
// Texts point into the record, the expression or the scratch space of a FilterRun; a value owns
// nothing.
//
// Thread safety: a value.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace sash {

struct FilterValue {
  enum class Kind : std::uint8_t {
    kNull,  // also a missing field
    kBool,
    kInteger,
    kReal,
    kText,
    kNumeral,  // only of a field: a JSON number that is not read yet, in `text`
    kObject,   // only of a field: it can be asked for with has(), nothing more
    kArray,
    kFailure,  // no value: `bits` is the number of the node that failed
  };

  Kind kind = Kind::kNull;
  // Only for a kFailure: the kinds of the operands, for the message.
  Kind left = Kind::kNull;
  Kind right = Kind::kNull;
  std::uint64_t bits = 0;  // of a kBool, kInteger or kReal
  std::string_view text{};

  static FilterValue Null() { return {}; }
  static FilterValue Bool(bool value) { return Make(Kind::kBool, value ? 1 : 0); }
  static FilterValue Integer(std::int64_t value) {
    return Make(Kind::kInteger, std::bit_cast<std::uint64_t>(value));
  }
  static FilterValue Real(double value) {
    return Make(Kind::kReal, std::bit_cast<std::uint64_t>(value));
  }
  static FilterValue Text(std::string_view text) {
    FilterValue value = Make(Kind::kText, 0);
    value.text = text;
    return value;
  }
  static FilterValue Numeral(std::string_view text) {
    FilterValue value = Make(Kind::kNumeral, 0);
    value.text = text;
    return value;
  }
  static FilterValue Of(Kind kind) { return Make(kind, 0); }

  bool boolean() const { return bits != 0; }
  std::int64_t integer() const { return std::bit_cast<std::int64_t>(bits); }
  double real() const { return std::bit_cast<double>(bits); }

  bool Is(Kind asked) const { return kind == asked; }
  bool IsNumber() const { return kind == Kind::kInteger || kind == Kind::kReal; }

 private:
  static FilterValue Make(Kind kind, std::uint64_t bits) {
    FilterValue value;
    value.kind = kind;
    value.bits = bits;
    return value;
  }
};

// The name of the kind with its article, for messages: "a string".
constexpr std::string_view Name(FilterValue::Kind kind) {
  switch (kind) {
    case FilterValue::Kind::kNull:
      return "null";
    case FilterValue::Kind::kBool:
      return "a bool";
    case FilterValue::Kind::kInteger:
      return "an int";
    case FilterValue::Kind::kReal:
      return "a double";
    case FilterValue::Kind::kText:
      return "a string";
    case FilterValue::Kind::kNumeral:
      return "a number";
    case FilterValue::Kind::kObject:
      return "an object";
    case FilterValue::Kind::kArray:
      return "an array";
    case FilterValue::Kind::kFailure:
      break;
  }
  return "a failure";
}

}  // namespace sash
