// Event times as records spell them: numbers in a unit since 1970, or RFC 3339.
//
// Thread safety: pure functions.
//
// Invariants
//   (1) Every time that is returned lies in the years 1700 to 2200, so that windows around it fit
//       64 bits of nanoseconds. The message of an error says what is wrong, without naming the
//       text.
#pragma once

#include <cstdint>
#include <string_view>

#include "connectors/codec/format_spec.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

// `unit` of these three is not kRfc3339.
Result<EventTime> TimeFromInteger(std::int64_t value, TimeUnit unit);

// To the nearest microsecond: a double of this century holds no more.
Result<EventTime> TimeFromReal(double value, TimeUnit unit);

// An optional '-', digits, optionally a point and digits; exact, what is below a nanosecond is cut
// off. No exponent.
Result<EventTime> ParseDecimalTime(std::string_view text, TimeUnit unit);

// Strict: date, 'T', 't' or ' ', time, optional fraction (cut to nanoseconds), 'Z', 'z' or an
// offset. The second 60 is the next minute's first.
Result<EventTime> ParseRfc3339(std::string_view text);

}  // namespace sash
