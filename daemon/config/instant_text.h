// A point in time as text: RFC 3339 ("2026-01-01T00:00:00.000Z") in both directions.
#pragma once

#include <string>
#include <string_view>

#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

// Up to nine decimals, Z or an offset; years 1678 to 2261. Leap seconds are refused.
Result<EventTime> ParseInstant(std::string_view text);

// Three decimals, or nine when it is not whole milliseconds.
std::string FormatInstant(EventTime time);

}  // namespace sash
