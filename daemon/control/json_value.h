// JsonValue: a response of the API as a tree. Numbers keep their text and members their order, so
// that the output matches the response.
//
// Thread safety: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"

namespace sash {

struct JsonMember;

struct JsonValue {
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kText, kList, kObject };

  Kind kind = Kind::kNull;
  std::string text;  // the characters of a string; numbers, true and false as written
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;

  bool is_null() const { return kind == Kind::kNull; }
  bool is_object() const { return kind == Kind::kObject; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_scalar() const { return !is_object() && !is_list(); }
  bool is_true() const { return kind == Kind::kBool && text == "true"; }

  // A member of an object; null if it is missing, or if this is not an object.
  const JsonValue& operator[](std::string_view name) const;

  std::optional<double> AsNumber() const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// For invalid JSON, returns an error with the place.
Result<JsonValue> ReadJson(std::string_view text);

}  // namespace sash
