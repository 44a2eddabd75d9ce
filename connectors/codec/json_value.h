// JsonValue: what an element of a record is: its type in words, its integer, the time that it
// counts.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "connectors/codec/json_scanner.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

inline bool IsNumber(const JsonElement& element) {
  return element.kind == JsonElement::Kind::kInteger || element.kind == JsonElement::Kind::kReal;
}

// The value of an integer of any length; nothing if it does not fit.
std::optional<std::int64_t> LongIntegerOf(const JsonElement& element);

// Nothing if the element is not a 64-bit integer.
inline std::optional<std::int64_t> IntegerOf(const JsonElement& element) {
  if (element.kind != JsonElement::Kind::kInteger) return std::nullopt;
  if (element.is_short) return element.integer;
  return LongIntegerOf(element);
}

// The type of the element with its article, for messages: "an array".
std::string_view TypeName(const JsonElement& element);

// The time that an integer counts, by its format.
Result<EventTime> TimeOf(std::int64_t integer, JsonElement::Count counts);

}  // namespace sash
