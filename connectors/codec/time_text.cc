#include "connectors/codec/time_text.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>

#include "connectors/codec/number_text.h"
#include "windows/base/check.h"

namespace sash {
namespace {

using std::chrono::nanoseconds;

constexpr EventTime kEarliest =
    std::chrono::sys_days(std::chrono::year(1700) / std::chrono::January / 1);
constexpr EventTime kEnd =
    std::chrono::sys_days(std::chrono::year(2201) / std::chrono::January / 1);

Error WrongTime(std::string_view why) { return {ErrorCode::kInvalidArgument, std::string(why)}; }
Error OutOfRange() { return WrongTime("is not in the years 1700 to 2200 (is the unit right?)"); }

constexpr int FractionDigits(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds:
      return 9;
    case TimeUnit::kMilliseconds:
      return 6;
    case TimeUnit::kMicroseconds:
      return 3;
    case TimeUnit::kNanoseconds:
      return 0;
    case TimeUnit::kRfc3339:
      break;
  }
  return -1;
}

constexpr std::int64_t PowerOfTen(int exponent) {
  std::int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

std::int64_t NanosecondsIn(TimeUnit unit) {
  SASH_CHECK(unit != TimeUnit::kRfc3339);
  return PowerOfTen(FractionDigits(unit));
}

Result<EventTime> InRange(EventTime time) {
  if (time < kEarliest || time >= kEnd) return OutOfRange();
  return time;
}

// The first `digits` digits of a fraction; missing digits are zeros.
std::int64_t FractionValue(std::string_view fraction, int digits) {
  std::int64_t value = 0;
  for (int i = 0; i < digits; ++i) {
    const auto at = static_cast<std::size_t>(i);
    value = value * 10 + (at < fraction.size() ? fraction[at] - '0' : 0);
  }
  return value;
}

// Removes pieces from the front of a text, one at a time.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool Take(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A number of exactly `digits` digits, or -1.
  int TakeNumber(std::size_t digits) {
    if (rest_.size() < digits) return -1;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!IsDigit(rest_[i])) return -1;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  std::string_view TakeDigits() {
    std::size_t count = 0;
    while (count < rest_.size() && IsDigit(rest_[count])) ++count;
    const std::string_view digits = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return digits;
  }

 private:
  std::string_view rest_;
};

// 'Z' or ±hh:mm; no value when it is neither.
std::optional<std::chrono::minutes> TakeOffset(Pieces& pieces) {
  if (pieces.Take("Zz")) return std::chrono::minutes(0);
  const bool west = pieces.Take("-");
  if (!west && !pieces.Take("+")) return std::nullopt;
  const int hours = pieces.TakeNumber(2);
  if (!pieces.Take(":")) return std::nullopt;
  const int minutes = pieces.TakeNumber(2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const auto offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
  return west ? -offset : offset;
}

}  // namespace

Result<EventTime> TimeFromInteger(std::int64_t value, TimeUnit unit) {
  const std::int64_t scale = NanosecondsIn(unit);
  if (value < kEarliest.time_since_epoch().count() / scale ||
      value > kEnd.time_since_epoch().count() / scale) {
    return OutOfRange();
  }
  return InRange(EventTime(nanoseconds(value * scale)));
}

Result<EventTime> TimeFromReal(double value, TimeUnit unit) {
  const long double microseconds =
      static_cast<long double>(value) * static_cast<long double>(NanosecondsIn(unit)) / 1000.0L;
  constexpr long double kBound = 1e16L;  // far outside the years above, far inside 64 bits
  if (!(std::abs(microseconds) < kBound)) return OutOfRange();
  // Compared in microseconds: such distant times overflow nanoseconds.
  using Microseconds = std::chrono::microseconds;
  const Microseconds rounded(std::llround(microseconds));
  if (rounded < std::chrono::duration_cast<Microseconds>(kEarliest.time_since_epoch()) ||
      rounded >= std::chrono::duration_cast<Microseconds>(kEnd.time_since_epoch())) {
    return OutOfRange();
  }
  return EventTime(rounded);
}

Result<EventTime> ParseDecimalTime(std::string_view text, TimeUnit unit) {
  const std::int64_t scale = NanosecondsIn(unit);
  Pieces pieces(text);
  const bool negative = pieces.Take("-");
  const std::string_view whole_digits = pieces.TakeDigits();
  if (whole_digits.empty()) return WrongTime("is not a decimal number");
  std::string_view fraction;
  if (pieces.Take(".")) {
    fraction = pieces.TakeDigits();
    if (fraction.empty()) return WrongTime("is not a decimal number");
  }
  if (!pieces.done()) return WrongTime("is not a decimal number");
  std::int64_t whole = 0;
  const auto parsed =
      std::from_chars(whole_digits.data(), whole_digits.data() + whole_digits.size(), whole);
  // Checks the larger of the two bounds; InRange() decides the rest.
  if (parsed.ec != std::errc() || whole > -kEarliest.time_since_epoch().count() / scale) {
    return OutOfRange();
  }
  const std::int64_t count = whole * scale + FractionValue(fraction, FractionDigits(unit));
  return InRange(EventTime(nanoseconds(negative ? -count : count)));
}

Result<EventTime> ParseRfc3339(std::string_view text) {
  const auto malformed = [] {
    return WrongTime(
        "is not RFC 3339, as in 2026-01-31T08:15:00.250Z or 2026-01-31T09:15:00+01:00");
  };
  Pieces pieces(text);
  const int year = pieces.TakeNumber(4);
  if (year < 0 || !pieces.Take("-")) return malformed();
  const int month = pieces.TakeNumber(2);
  if (month < 0 || !pieces.Take("-")) return malformed();
  const int day = pieces.TakeNumber(2);
  if (day < 0 || !pieces.Take("Tt ")) return malformed();
  const int hour = pieces.TakeNumber(2);
  if (hour < 0 || !pieces.Take(":")) return malformed();
  const int minute = pieces.TakeNumber(2);
  if (minute < 0 || !pieces.Take(":")) return malformed();
  const int second = pieces.TakeNumber(2);
  if (second < 0) return malformed();
  std::string_view fraction;
  if (pieces.Take(".")) {
    fraction = pieces.TakeDigits();
    if (fraction.empty()) return malformed();
  }
  const auto offset = TakeOffset(pieces);
  if (!offset || !pieces.done()) return malformed();

  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return WrongTime("is not a valid date");
  if (hour > 23 || minute > 59 || second > 60) return WrongTime("is not a valid time of day");
  // Offsets need one more year on each side; further out, days overflow.
  if (year < 1699 || year > 2201) return OutOfRange();
  return InRange(EventTime(std::chrono::sys_days(date)) + std::chrono::hours(hour) +
                 std::chrono::minutes(minute) + std::chrono::seconds(second) +
                 nanoseconds(FractionValue(fraction, 9)) - *offset);
}

}  // namespace sash
