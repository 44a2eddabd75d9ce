#include "daemon/config/instant_text.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sash {
namespace {

// Takes the fields of the text from left to right; once something does not fit, it stays failed.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  int Digits(std::size_t count) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') {
        ok_ = false;
        return 0;
      }
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }

  // One of `choices`, upper or lower case as listed.
  char OneOf(std::string_view choices) {
    if (rest_.empty() || choices.find(rest_.front()) == std::string_view::npos) {
      ok_ = false;
      return '\0';
    }
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    return taken;
  }

  bool Optional(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // The decimals, as nanoseconds.
  std::int64_t Fraction() {
    std::int64_t value = 0;
    int count = 0;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      if (++count > 9) ok_ = false;
      if (ok_) value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    if (count == 0) ok_ = false;
    for (; count < 9; ++count) value *= 10;
    return value;
  }

  bool at_end() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::optional<EventTime> Read(std::string_view text) {
  using namespace std::chrono;
  FieldReader reader(text);
  const int years = reader.Digits(4);
  reader.OneOf("-");
  const int months = reader.Digits(2);
  reader.OneOf("-");
  const int days_of_month = reader.Digits(2);
  reader.OneOf("Tt");
  const int hour = reader.Digits(2);
  reader.OneOf(":");
  const int minute = reader.Digits(2);
  reader.OneOf(":");
  const int second = reader.Digits(2);
  const std::int64_t fraction = reader.Optional('.') ? reader.Fraction() : 0;
  const char zone = reader.OneOf("Zz+-");
  int ahead_minutes = 0;
  if (zone == '+' || zone == '-') {
    const int zone_hours = reader.Digits(2);
    reader.OneOf(":");
    const int zone_minutes = reader.Digits(2);
    if (zone_hours > 23 || zone_minutes > 59) return std::nullopt;
    ahead_minutes = (zone_hours * 60 + zone_minutes) * (zone == '-' ? -1 : 1);
  }
  const year_month_day date{year(years), month(static_cast<unsigned>(months)),
                            day(static_cast<unsigned>(days_of_month))};
  if (!reader.at_end() || !date.ok() || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  if (years < 1678 || years > 2261) return std::nullopt;
  const auto whole = sys_days(date).time_since_epoch() + hours(hour) +
                     minutes(minute - ahead_minutes) + seconds(second);
  return EventTime(nanoseconds(whole) + nanoseconds(fraction));
}

}  // namespace

Result<EventTime> ParseInstant(std::string_view text) {
  if (const auto time = Read(text)) return *time;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("`{}` is not a time such as 2026-01-01T00:00:00Z or "
                           "2026-01-01T01:00:00.000+01:00",
                           text)};
}

std::string FormatInstant(EventTime time) {
  using namespace std::chrono;
  const auto midnight = floor<days>(time);
  const year_month_day date(midnight);
  const hh_mm_ss clock(time - midnight);
  const std::int64_t fraction = clock.subseconds().count();
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (fraction % 1'000'000 == 0) return text + fmt::format(".{:03}Z", fraction / 1'000'000);
  return text + fmt::format(".{:09}Z", fraction);
}

}  // namespace sash
