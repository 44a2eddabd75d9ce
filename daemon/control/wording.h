// Figures as people read them. Times are UTC, and say so by a Z.
//
// Thread safety: free functions over values.
// Invariants:
// (1) What is returned is printable (printable.h); what is not there is kNothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/control/json_value.h"

namespace sash {

inline constexpr std::string_view kNothing = "–";

// Integers whole, other numbers with four digits that count, texts printable, true as yes.
std::string FigureText(const JsonValue& value);

// 1.2 MiB.
std::string BytesText(const JsonValue& value);

// 0.8 ms, 12 s, 3 min 20 s, 2 h 5 min, 4 d 3 h.
std::string DurationText(double seconds);
std::string SecondsText(const JsonValue& value);

// 2026-11-22 05:28:17Z, with milliseconds where there are any. What is no time stays as it is.
std::string TimeText(const JsonValue& value);

// Since 1970; none: not as the API writes times.
std::optional<std::chrono::milliseconds> ParseApiTime(std::string_view text);

// "1 edge", "2 edges".
std::string Plural(const JsonValue& count, std::string_view one, std::string_view many);

}  // namespace sash
