#include "connectors/codec/time_text.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>

#include "connectors/codec/text_pieces.h"
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
    default:
      return -1;
  }
}

constexpr std::int64_t PowerOfTen(int exponent) {
  std::int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

std::int64_t NanosecondsIn(TimeUnit unit) {
  SASH_CHECK(CountsIn(unit));
  return PowerOfTen(FractionDigits(unit));
}

Result<EventTime> InRange(EventTime time) {
  if (time < kEarliest || time >= kEnd) return OutOfRange();
  return time;
}

// A number as text: an optional '-', digits, optionally a point and digits.
struct DecimalText {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
};

std::optional<DecimalText> SplitDecimal(std::string_view text) {
  TextPieces pieces(text);
  DecimalText decimal;
  decimal.negative = pieces.Take("-");
  decimal.whole = pieces.TakeDigits();
  if (decimal.whole.empty()) return std::nullopt;
  if (pieces.Take(".")) {
    decimal.fraction = pieces.TakeDigits();
    if (decimal.fraction.empty()) return std::nullopt;
  }
  if (!pieces.done()) return std::nullopt;
  return decimal;
}

// No value beyond 64 bits.
std::optional<std::int64_t> WholeValue(std::string_view digits) {
  std::int64_t value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return parsed.ec == std::errc() ? std::optional(value) : std::nullopt;
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
  std::int64_t integer = 0;  // mostly
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, integer);
  if (stop == end && error == std::errc()) return TimeFromInteger(integer, unit);
  const std::int64_t scale = NanosecondsIn(unit);
  const auto decimal = SplitDecimal(text);
  if (!decimal) return WrongTime("is not a decimal number");
  const auto whole = WholeValue(decimal->whole);
  // Checks the larger of the two bounds; InRange() decides the rest.
  if (!whole || *whole > -kEarliest.time_since_epoch().count() / scale) return OutOfRange();
  const std::int64_t count =
      *whole * scale + FractionValue(decimal->fraction, FractionDigits(unit));
  return InRange(EventTime(nanoseconds(decimal->negative ? -count : count)));
}

Result<EventTime> TimeFromSteps(std::int64_t value, const TimeSteps& steps) {
  std::int64_t count = 0;
  if (__builtin_mul_overflow(value, steps.step.count(), &count) ||
      __builtin_add_overflow(count, steps.base.time_since_epoch().count(), &count)) {
    return OutOfRange();
  }
  return InRange(EventTime(nanoseconds(count)));
}

Result<EventTime> TimeFromRealSteps(double value, const TimeSteps& steps) {
  const double nanoseconds_after = value * static_cast<double>(steps.step.count());
  // Within this bound, a microsecond and the sum fit 64 bits.
  if (!(std::fabs(nanoseconds_after) < 0x1p62)) return OutOfRange();
  const std::chrono::microseconds after(std::llround(nanoseconds_after / 1e3));
  std::int64_t count = 0;
  if (__builtin_add_overflow(nanoseconds(after).count(), steps.base.time_since_epoch().count(),
                             &count)) {
    return OutOfRange();
  }
  return InRange(EventTime(nanoseconds(count)));
}

Result<EventTime> ParseDecimalSteps(std::string_view text, const TimeSteps& steps) {
  const auto decimal = SplitDecimal(text);
  if (!decimal) return WrongTime("is not a decimal number");
  const auto whole = WholeValue(decimal->whole);
  std::int64_t count = 0;
  if (!whole || __builtin_mul_overflow(*whole, steps.step.count(), &count)) return OutOfRange();
  // Billionths of the step, exact: neither product needs more than 64 bits.
  constexpr std::int64_t kBillion = 1'000'000'000;
  const std::int64_t billionths = FractionValue(decimal->fraction, 9);
  const std::int64_t step = steps.step.count();
  const std::int64_t part =
      billionths * (step / kBillion) + billionths * (step % kBillion) / kBillion;
  if (__builtin_add_overflow(count, part, &count) ||
      __builtin_add_overflow(decimal->negative ? -count : count,
                             steps.base.time_since_epoch().count(), &count)) {
    return OutOfRange();
  }
  return InRange(EventTime(nanoseconds(count)));
}

Result<EventTime> ParseRfc3339(std::string_view text) {
  const auto malformed = [] {
    return WrongTime(
        "is not RFC 3339, as in 2026-01-31T08:15:00.250Z or 2026-01-31T09:15:00+01:00");
  };
  TextPieces pieces(text);
  CalendarTime time;
  if (!TakeDateAndMinute(pieces, time) || !pieces.Take(":")) return malformed();
  time.second = pieces.TakeNumber(2);
  if (time.second < 0) return malformed();
  if (pieces.Take(".")) {
    const std::string_view fraction = pieces.TakeDigits();
    if (fraction.empty()) return malformed();
    time.nanoseconds = FractionValue(fraction, 9);
  }
  time.offset = TakeOffset(pieces, false);
  if (!time.offset || !pieces.done()) return malformed();
  if (const char* const why = WhyInvalid(time)) return WrongTime(why);
  return TimeFromCalendar(time, *time.offset);
}

std::optional<CalendarTime> SplitIso8601(std::string_view text) {
  TextPieces pieces(text);
  CalendarTime time;
  if (!TakeDateAndMinute(pieces, time)) return std::nullopt;
  if (pieces.Take(":")) {
    time.second = pieces.TakeNumber(2);
    if (time.second < 0) return std::nullopt;
    if (pieces.Take(".,")) {
      const std::string_view fraction = pieces.TakeDigits();
      if (fraction.empty()) return std::nullopt;
      time.nanoseconds = FractionValue(fraction, 9);
    }
  }
  if (pieces.done()) return time;
  time.offset = TakeOffset(pieces, true);
  if (!time.offset || !pieces.done()) return std::nullopt;
  return time;
}

Result<EventTime> TimeFromCalendar(const CalendarTime& time, std::chrono::seconds offset) {
  // Offsets need one more year on each side; further out, days overflow.
  if (time.year < 1699 || time.year > 2201) return OutOfRange();
  return InRange(EventTime(LocalSeconds(time)) + nanoseconds(time.nanoseconds) - offset);
}

}  // namespace sash
