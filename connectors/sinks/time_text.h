// Times as text, for people and in results. Always UTC; the locale and time zone of the process
// have no effect.
//
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "windows/base/clock.h"

namespace sash {

// "2026-01-01T00:05:00.000Z": RFC 3339 with 3 decimals, or 6 or 9 if 3 are not exact.
std::string TimeText(EventTime time);

// The inverse of TimeText(). No value for other texts.
std::optional<EventTime> ParseTimeText(std::string_view text);

std::chrono::sys_days DayOf(EventTime time);

// "2026-01-01".
std::string DayText(EventTime time);

// "00:05:00", with decimals only if they are needed.
std::string TimeOfDayText(EventTime time);

}  // namespace sash
