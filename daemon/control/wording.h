// Figures for people. Times are UTC, marked with a Z.
//
// Thread safety: free functions over values.
// Invariants:
// (1) The returned text is printable (printable.h); missing values are kNothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/control/json_value.h"

namespace sash {

inline constexpr std::string_view kNothing = "–";

// Integers in full, other numbers with four significant digits, texts printable, true as yes.
std::string FigureText(const JsonValue& value);

// 1.2 MiB.
std::string BytesText(const JsonValue& value);

// 0.8 ms, 12 s, 3 min 20 s, 2 h 5 min, 4 d 3 h.
std::string DurationText(double seconds);
std::string SecondsText(const JsonValue& value);

// 2026-11-22 05:28:17Z, with milliseconds unless they are zero. Text that is not a time stays as it
// is.
std::string TimeText(const JsonValue& value);

// Time since 1970; empty: not in the API's format.
std::optional<std::chrono::milliseconds> ParseApiTime(std::string_view text);

// "1 edge", "2 edges".
std::string Plural(const JsonValue& count, std::string_view one, std::string_view many);

}  // namespace sash
