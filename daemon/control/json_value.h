// JsonValue: an answer of the API as a tree. Numbers stay as they are written, and members in their
// order, so that what is shown is what was said.
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
  std::string text;  // of a text its characters; of numbers, true and false what is written
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;

  bool is_null() const { return kind == Kind::kNull; }
  bool is_object() const { return kind == Kind::kObject; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_scalar() const { return !is_object() && !is_list(); }
  bool is_true() const { return kind == Kind::kBool && text == "true"; }

  // Of an object; null when there is no such member, or this is no object.
  const JsonValue& operator[](std::string_view name) const;

  std::optional<double> AsNumber() const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// Fails, saying where, for what is no JSON.
Result<JsonValue> ReadJson(std::string_view text);

}  // namespace sash
