// Event times as they are written in records: numbers in a unit since 1970, or RFC 3339.
//
// Thread safety: pure functions.
//
// Invariants
//   (1) Every returned time is in the years 1700 to 2200, so that windows around it fit 64 bits of
//       nanoseconds. The message of an error says what is wrong, without repeating the text.
#pragma once

#include <cstdint>
#include <string_view>

#include "connectors/codec/format_spec.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

// In these three functions, `unit` must not be kRfc3339.
Result<EventTime> TimeFromInteger(std::int64_t value, TimeUnit unit);

// To the nearest microsecond: a double has no more precision for a time in this century.
Result<EventTime> TimeFromReal(double value, TimeUnit unit);

// An optional '-', digits, optionally a point and digits. Exact; fractions of a nanosecond are cut
// off. No exponent.
Result<EventTime> ParseDecimalTime(std::string_view text, TimeUnit unit);

// Strict: date, 'T', 't' or ' ', time, optional fraction (cut to nanoseconds), 'Z', 'z' or an
// offset. Second 60 means the first second of the next minute.
Result<EventTime> ParseRfc3339(std::string_view text);

}  // namespace sash
