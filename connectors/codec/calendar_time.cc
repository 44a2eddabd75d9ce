#include "connectors/codec/calendar_time.h"

namespace sash {

const char* WhyInvalid(const CalendarTime& time) {
  const std::chrono::year_month_day date(std::chrono::year(time.year),
                                         std::chrono::month(static_cast<unsigned>(time.month)),
                                         std::chrono::day(static_cast<unsigned>(time.day)));
  if (!date.ok()) return "is not a valid date";
  if (time.hour > 23 || time.minute > 59 || time.second > 60) return "is not a valid time of day";
  return nullptr;
}

std::chrono::sys_seconds LocalSeconds(const CalendarTime& time) {
  const std::chrono::year_month_day date(std::chrono::year(time.year),
                                         std::chrono::month(static_cast<unsigned>(time.month)),
                                         std::chrono::day(static_cast<unsigned>(time.day)));
  return std::chrono::sys_days(date) + std::chrono::hours(time.hour) +
         std::chrono::minutes(time.minute) + std::chrono::seconds(time.second);
}

std::optional<std::chrono::minutes> TakeOffset(TextPieces& pieces, bool loose) {
  if (pieces.Take("Zz")) return std::chrono::minutes(0);
  const bool west = pieces.Take("-");
  if (!west && !pieces.Take("+")) return std::nullopt;
  const int hours = pieces.TakeNumber(2);
  const bool colon = pieces.Take(":");
  if (!colon && !loose) return std::nullopt;
  int minutes = pieces.TakeNumber(2);
  if (minutes < 0 && !colon) minutes = 0;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const auto offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
  return west ? -offset : offset;
}

bool TakeDateAndMinute(TextPieces& pieces, CalendarTime& time) {
  time.year = pieces.TakeNumber(4);
  if (time.year < 0 || !pieces.Take("-")) return false;
  time.month = pieces.TakeNumber(2);
  if (time.month < 0 || !pieces.Take("-")) return false;
  time.day = pieces.TakeNumber(2);
  if (time.day < 0 || !pieces.Take("Tt ")) return false;
  time.hour = pieces.TakeNumber(2);
  if (time.hour < 0 || !pieces.Take(":")) return false;
  time.minute = pieces.TakeNumber(2);
  return time.minute >= 0;
}

}  // namespace sash
