#include "connectors/codec/json_value.h"

#include <charconv>
#include <chrono>

#include "connectors/codec/number_text.h"
#include "connectors/codec/time_reader.h"

namespace sash {
namespace {

using Kind = JsonElement::Kind;

// Whether a number fits neither a 64-bit integer, signed or unsigned, nor a double.
bool IsWide(const JsonElement& number) {
  if (number.kind == Kind::kReal) return !ParseReal(number.text).ok();
  const char* const end = number.text.data() + number.text.size();
  std::uint64_t value = 0;
  return !IntegerOf(number) && std::from_chars(number.text.data(), end, value).ec != std::errc();
}

}  // namespace

std::optional<std::int64_t> LongIntegerOf(const JsonElement& element) {
  const Result<std::int64_t> parsed = ParseInteger(element.text);
  if (!parsed.ok()) return std::nullopt;
  return parsed.value();
}

std::string_view TypeName(const JsonElement& element) {
  if (IsNumber(element) && IsWide(element)) return "a number";
  switch (element.kind) {
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
    case Kind::kInteger:
      return "an integer";
    case Kind::kReal:
      return "a number with a fraction or an exponent";
    case Kind::kString:
      return "a string";
    case Kind::kBoolean:
      return "a boolean";
    case Kind::kBytes:
      return "bytes that are not UTF-8";
  }
  return "something else";
}

Result<EventTime> TimeOf(std::int64_t integer, JsonElement::Count counts) {
  switch (counts) {
    case JsonElement::Count::kDays:
      return TimeFromSteps(integer, {.step = std::chrono::hours(24), .base = {}});
    case JsonElement::Count::kMicroseconds:
      return TimeFromInteger(integer, TimeUnit::kMicroseconds);
    case JsonElement::Count::kNanoseconds:
      return TimeFromInteger(integer, TimeUnit::kNanoseconds);
    default:
      return TimeFromInteger(integer, TimeUnit::kMilliseconds);
  }
}

}  // namespace sash
