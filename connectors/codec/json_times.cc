#include "connectors/codec/json_times.h"

#include <fmt/format.h>

#include <cstddef>

#include "connectors/codec/json_value.h"
#include "connectors/codec/number_text.h"

namespace sash {
namespace {

using Kind = JsonElement::Kind;

// `found`: what was read, for the message.
template <typename Found>
std::optional<Refused> TakeJsonTime(const Result<EventTime>& parsed, const Found& found,
                                    const JsonFields& fields, EventTime& time) {
  if (!parsed.ok()) {
    return Refused{RefusalReason::kInvalidTime, fmt::format("{}: {} {}", fields.edge().time_label,
                                                            found, parsed.error().message)};
  }
  time = parsed.value();
  return std::nullopt;
}

}  // namespace

std::string JsonTimes::AsWritten(JsonFields& fields) const {
  if (fields.edge().time_parts > 1) return joined_;
  const JsonElement* const element = fields.Element(MappedField::kTime);
  if (element == nullptr) return "";
  const bool is_string = element->kind == Kind::kString;
  return std::string(is_string ? fields.TextOf(MappedField::kTime, *element) : element->text);
}

std::optional<Refused> JsonTimes::ReadText(std::string_view text, JsonFields& fields,
                                           EventTime& time) {
  if (text.empty()) return fields.Missing(MappedField::kTime);
  const Result<EventTime> parsed = time_.FromText(text);
  return TakeJsonTime(parsed, parsed.ok() ? std::string() : Excerpt(text), fields, time);
}

Refused JsonTimes::WhyInvalid(std::int64_t found, const Error& error, const JsonFields& fields) {
  return {RefusalReason::kInvalidTime,
          fmt::format("{}: {} {}", fields.edge().time_label, found, error.message)};
}

std::optional<Refused> JsonTimes::ReadElement(const JsonElement& element, JsonFields& fields,
                                              EventTime& time) {
  if (element.kind == Kind::kString)
    return ReadText(fields.TextOf(MappedField::kTime, element), fields, time);
  if (element.counts != JsonElement::Count::kNothing) {
    return TakeJsonTime(TimeOf(element.integer, element.counts), element.integer, fields, time);
  }
  if (!time_.reads_numbers()) {
    if (time_.reads_digits() && element.kind == Kind::kInteger) {
      return ReadText(element.text, fields, time);
    }
    return fields.WrongType(MappedField::kTime, element,
                            "its times are strings (for numbers: unit: s, ms, us or ns)");
  }
  if (!IsNumber(element)) {
    return fields.WrongType(MappedField::kTime, element, "times are numbers or strings");
  }
  if (const auto integer = IntegerOf(element)) {
    return TakeJsonTime(time_.FromInteger(*integer), *integer, fields, time);
  }
  const Result<double> real = ParseReal(element.text);
  if (element.kind == Kind::kInteger || !real.ok()) {
    return Refused{RefusalReason::kInvalidTime, fmt::format("{} does not fit a 64-bit integer",
                                                            fields.Label(MappedField::kTime))};
  }
  return TakeJsonTime(time_.FromReal(real.value()), real.value(), fields, time);
}

std::optional<Refused> JsonTimes::ReadJoined(JsonFields& fields, EventTime& time) {
  joined_.clear();
  for (std::size_t part = 0; part < fields.edge().time_parts; ++part) {
    const MappedField field = PartOf(MappedField::kTime, part);
    const JsonElement* element = fields.Element(field);
    if (element == nullptr) return fields.Missing(field);
    if (element->kind != Kind::kString && element->kind != Kind::kInteger) {
      return fields.WrongType(field, *element, "joined fields are strings or integers");
    }
    const std::string_view text =
        element->kind == Kind::kString ? fields.TextOf(field, *element) : element->text;
    if (text.empty()) return fields.Missing(field);
    if (part > 0) joined_ += fields.edge().time_separator;
    joined_ += text;
  }
  return ReadText(joined_, fields, time);
}

}  // namespace sash
