#include "connectors/codec/time_plan.h"

#include <array>
#include <chrono>

namespace sash {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool StartsWith(std::string_view text, std::string_view name) {
  if (text.size() < name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (LowerCase(text[i]) != LowerCase(name[i])) return false;
  }
  return true;
}

// The place in `names` of the name at the front, long or cut to three letters; -1 without one.
template <std::size_t count>
int TakeName(TextPieces& pieces, const std::array<std::string_view, count>& names) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!StartsWith(pieces.rest(), names[i].substr(0, 3))) continue;
    pieces.Skip(StartsWith(pieces.rest(), names[i]) ? names[i].size() : 3);
    return static_cast<int>(i);
  }
  return -1;
}

// What may begin a fraction: not the character that comes after it.
std::string_view FractionMarks(char next) {
  if (next == '.') return ",";
  return next == ',' ? "." : ".,";
}

bool TakeFraction(TextPieces& pieces, std::int64_t& nanoseconds) {
  const std::string_view digits = pieces.TakeDigits();
  nanoseconds = FractionValue(digits, 9);
  return !digits.empty();
}

}  // namespace

struct TimePlan::Scratch {
  CalendarTime time;
  int day_of_year = 0;
  int weekday = -1;
  int half = -1;  // 0: AM, 1: PM

  // Completes the date and time from AM or PM and the day of the year, and checks them with the
  // weekday. Returns what is wrong; null: nothing.
  const char* Complete();
};

const char* TimePlan::Scratch::Complete() {
  if (half >= 0) {
    if (time.hour < 1 || time.hour > 12) return "is not a valid time of day";
    time.hour = time.hour % 12 + half * 12;
  }
  if (day_of_year > 0) {
    const auto first = std::chrono::sys_days(std::chrono::year(time.year) / 1 / 1);
    const std::chrono::year_month_day date(first + std::chrono::days(day_of_year - 1));
    if (date.year() != std::chrono::year(time.year)) return "is not a valid date";
    time.month = static_cast<int>(static_cast<unsigned>(date.month()));
    time.day = static_cast<int>(static_cast<unsigned>(date.day()));
  }
  if (const char* const why = WhyInvalid(time)) return why;
  if (weekday < 0) return nullptr;
  const std::chrono::weekday is(
      std::chrono::floor<std::chrono::days>(LocalSeconds(time) - std::chrono::hours(time.hour)));
  return static_cast<int>(is.c_encoding()) == weekday ? nullptr : "names another day of the week";
}

bool TimePlan::ReadStep(const Step& step, TextPieces& pieces, Scratch& found) {
  const auto number = [&](std::size_t digits, int& value) {
    value = step.exact ? pieces.TakeNumber(digits) : pieces.TakeShortNumber(digits);
    return value >= 0;
  };
  CalendarTime& time = found.time;
  switch (step.part) {
    case Part::kLiteral:
      return pieces.Take({&step.literal, 1});
    case Part::kBlanks:
      if (!pieces.Take(" \t")) return false;
      while (pieces.Take(" \t")) {
      }
      return true;
    case Part::kYear:
      time.year = pieces.TakeNumber(4);
      return time.year >= 0;
    case Part::kShortYear:
      time.year = pieces.TakeNumber(2);
      if (time.year < 0) return false;
      time.year += time.year < 69 ? 2000 : 1900;
      return true;
    case Part::kMonth:
      return number(2, time.month);
    case Part::kPaddedDay:
      pieces.Take(" ");
      return number(2, time.day);
    case Part::kDay:
      return number(2, time.day);
    case Part::kDayOfYear:
      found.day_of_year = pieces.TakeNumber(3);
      return found.day_of_year > 0;
    case Part::kHour:
    case Part::kHalfDayHour:
      return number(2, time.hour);
    case Part::kHalf:
      found.half = StartsWith(pieces.rest(), "PM") ? 1 : StartsWith(pieces.rest(), "AM") ? 0 : -1;
      if (found.half >= 0) pieces.Skip(2);
      return found.half >= 0;
    case Part::kMinute:
      return number(2, time.minute);
    case Part::kSecond:
      if (!number(2, time.second)) return false;
      if (!step.fraction || !pieces.Take(FractionMarks(step.literal))) return true;
      return TakeFraction(pieces, time.nanoseconds);
    case Part::kFraction:
      return TakeFraction(pieces, time.nanoseconds);
    case Part::kMonthName:
      time.month = TakeName(pieces, kMonths) + 1;
      return time.month > 0;
    case Part::kWeekday:
      found.weekday = TakeName(pieces, kWeekdays);
      return found.weekday >= 0;
    case Part::kOffset:
      time.offset = TakeOffset(pieces, true);
      return time.offset.has_value();
  }
  return false;
}

const char* TimePlan::Read(std::string_view text, CalendarTime& time) const {
  TextPieces pieces(text);
  Scratch found;
  for (const Step& step : steps_) {
    if (!ReadStep(step, pieces, found)) return kDoesNotFit;
  }
  if (!pieces.done()) return kDoesNotFit;
  const char* const why = found.Complete();
  time = found.time;
  return why;
}

}  // namespace sash
