// CalendarTime: a date and a time of day as they are written, with the offset from UTC if it is
// written too.
//
// Thread safety: pure functions and values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "connectors/codec/text_pieces.h"

namespace sash {

struct CalendarTime {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;  // 60 means the first second of the next minute
  std::int64_t nanoseconds = 0;
  std::optional<std::chrono::minutes> offset{};
};

// Why there is no such date or time of day; null when there is one.
const char* WhyInvalid(const CalendarTime& time);

// The date and time of day, read as if they were UTC; without the nanoseconds.
std::chrono::sys_seconds LocalSeconds(const CalendarTime& time);

// 'Z' or ±hh:mm; with `loose` also ±hhmm and ±hh. No value when it is none of these.
std::optional<std::chrono::minutes> TakeOffset(TextPieces& pieces, bool loose);

// Date, 'T', 't' or a blank, time of day to the minute. False when it is none.
bool TakeDateAndMinute(TextPieces& pieces, CalendarTime& time);

}  // namespace sash
