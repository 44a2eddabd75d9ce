#include "connectors/sinks/time_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>

namespace sash {
namespace {

using std::chrono::nanoseconds;

struct Decimals {
  std::int64_t value = 0;
  int digits = 0;
};

// The fraction with the fewest digits (0, 3, 6 or 9, at least `least`) that represent it exactly.
Decimals DecimalsOf(nanoseconds fraction, int least) {
  constexpr std::array<std::int64_t, 4> kUnits = {1'000'000'000, 1'000'000, 1'000, 1};
  for (std::size_t i = static_cast<std::size_t>(least) / 3; i < kUnits.size(); ++i) {
    if (fraction.count() % kUnits[i] == 0) {
      return {fraction.count() / kUnits[i], static_cast<int>(i) * 3};
    }
  }
  return {fraction.count(), 9};
}

struct DayAndTime {
  std::chrono::sys_days day;
  nanoseconds time;
};

// Does not use std::chrono::floor, which overflows on the first day that EventTime can represent.
DayAndTime Split(EventTime time) {
  constexpr std::int64_t kDay = nanoseconds(std::chrono::days(1)).count();
  const std::int64_t count = time.time_since_epoch().count();
  const std::int64_t rest = count % kDay;
  const std::int64_t days = count / kDay - (rest < 0 ? 1 : 0);
  return {std::chrono::sys_days(std::chrono::days(days)),
          nanoseconds(rest < 0 ? rest + kDay : rest)};
}

std::string TimeOfDay(EventTime time, int least_digits) {
  const std::chrono::hh_mm_ss parts(Split(time).time);
  const Decimals decimals = DecimalsOf(parts.subseconds(), least_digits);
  std::string text = fmt::format("{:02}:{:02}:{:02}", parts.hours().count(),
                                 parts.minutes().count(), parts.seconds().count());
  if (decimals.digits > 0) {
    fmt::format_to(std::back_inserter(text), ".{:0{}}", decimals.value, decimals.digits);
  }
  return text;
}

// The number in `text`, which must consist of digits only.
std::optional<std::int64_t> Digits(std::string_view text) {
  std::int64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size() || text.front() == '-') {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::string TimeText(EventTime time) { return DayText(time) + "T" + TimeOfDay(time, 3) + "Z"; }

std::string DayText(EventTime time) {
  const std::chrono::year_month_day date(Split(time).day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::chrono::sys_days DayOf(EventTime time) { return Split(time).day; }

std::string TimeOfDayText(EventTime time) { return TimeOfDay(time, 0); }

std::optional<EventTime> ParseTimeText(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";
  if (text.size() < kShape.size() || text.size() > kShape.size() + 6) return std::nullopt;
  const std::string_view decimals = text.substr(20, text.size() - 21);
  const auto year = Digits(text.substr(0, 4)), month = Digits(text.substr(5, 2));
  const auto day = Digits(text.substr(8, 2)), hour = Digits(text.substr(11, 2));
  const auto minute = Digits(text.substr(14, 2)), second = Digits(text.substr(17, 2));
  auto fraction = Digits(decimals);
  if (!year || !month || !day || !hour || !minute || !second || !fraction) return std::nullopt;
  for (std::size_t digits = decimals.size(); digits < 9; ++digits) *fraction *= 10;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  constexpr int kFirstYear = 1678, kLastYear = 2261;  // whole years that EventTime can represent
  if (!date.ok() || *year < kFirstYear || *year > kLastYear) return std::nullopt;
  const EventTime time = std::chrono::sys_days(date) + std::chrono::hours(*hour) +
                         std::chrono::minutes(*minute) + std::chrono::seconds(*second) +
                         nanoseconds(*fraction);
  if (TimeText(time) != text) return std::nullopt;
  return time;
}

}  // namespace sash
