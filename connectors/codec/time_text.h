// Event times as they are written in records: numbers, RFC 3339, ISO 8601.
//
// Thread safety: pure functions.
//
// Invariants
//   (1) Every returned time is in the years 1700 to 2200, so that windows around it fit 64 bits of
//       nanoseconds. The message of an error says what is wrong, without repeating the text.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "connectors/codec/calendar_time.h"
#include "connectors/codec/format_spec.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

// In these three functions, `unit` must be s, ms, us or ns.
Result<EventTime> TimeFromInteger(std::int64_t value, TimeUnit unit);

// Rounds to the nearest microsecond: a double has no more precision for a time in this century.
Result<EventTime> TimeFromReal(double value, TimeUnit unit);

// An optional '-', digits, optionally a point and digits. Exact; fractions of a nanosecond are cut
// off. No exponent.
Result<EventTime> ParseDecimalTime(std::string_view text, TimeUnit unit);

// Numbers that count steps from a base: number × step + base.
struct TimeSteps {
  Duration step{1};
  EventTime base;
};
Result<EventTime> TimeFromSteps(std::int64_t value, const TimeSteps& steps);
Result<EventTime> TimeFromRealSteps(double value, const TimeSteps& steps);
Result<EventTime> ParseDecimalSteps(std::string_view text, const TimeSteps& steps);

// Strict: date, 'T', 't' or ' ', time, optional fraction (cut to nanoseconds), 'Z', 'z' or an
// offset. Second 60 means the first second of the next minute.
Result<EventTime> ParseRfc3339(std::string_view text);

// As above, but the seconds and the offset may be missing, the offset may be ±hhmm or ±hh, and a
// comma may begin the fraction. No value when `text` is something else. The caller checks with
// WhyInvalid() whether there is such a time.
std::optional<CalendarTime> SplitIso8601(std::string_view text);

// `time` must be valid; `offset` is that of its place and time.
Result<EventTime> TimeFromCalendar(const CalendarTime& time, std::chrono::seconds offset);

}  // namespace sash
