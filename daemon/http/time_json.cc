#include "daemon/http/time_json.h"

#include <fmt/format.h>

#include <chrono>

namespace sash {

std::string TimeJson(EventTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  auto fraction = clock.subseconds().count();
  int digits = 9;
  while (digits > 3 && fraction % 1000 == 0) {
    fraction /= 1000;
    digits -= 3;
  }
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:0{}}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     fraction, digits);
}

}  // namespace sash
