// JsonTimes: reads the time of an edge: from one field, or from several that are joined.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "connectors/codec/decoder.h"
#include "connectors/codec/json_fields.h"
#include "connectors/codec/time_reader.h"
#include "windows/base/result.h"

namespace sash {

class JsonTimes {
 public:
  explicit JsonTimes(TimeReader time) : time_(std::move(time)) {}

  [[gnu::always_inline]] std::optional<Refused> Read(JsonFields& fields, EventTime& time) {
    if (fields.edge().time_parts > 1) return ReadJoined(fields, time);
    const JsonElement* element = fields.Element(MappedField::kTime);
    if (element == nullptr) return fields.Missing(MappedField::kTime);
    const bool is_plain = element->kind == JsonElement::Kind::kInteger && element->is_short &&
                          element->counts == JsonElement::Count::kNothing;
    if (is_plain && time_.reads_numbers()) {
      const Result<EventTime> parsed = time_.FromInteger(element->integer);
      if (!parsed.ok()) return WhyInvalid(element->integer, parsed.error(), fields);
      time = parsed.value();
      return std::nullopt;
    }
    return ReadElement(*element, fields, time);
  }
  // Whether the last time that was read is (zone_table.h).
  bool is_doubtful() const { return time_.doubtful(); }

  // The text of the time, of the fields that were read last.
  std::string AsWritten(JsonFields& fields) const;

 private:
  [[gnu::noinline]] std::optional<Refused> ReadElement(const JsonElement& element,
                                                       JsonFields& fields, EventTime& time);
  std::optional<Refused> ReadJoined(JsonFields& fields, EventTime& time);
  std::optional<Refused> ReadText(std::string_view text, JsonFields& fields, EventTime& time);

  [[gnu::cold]] static Refused WhyInvalid(std::int64_t found, const Error& error,
                                          const JsonFields& fields);

  TimeReader time_;
  std::string joined_;  // the text of several fields
};

}  // namespace sash
