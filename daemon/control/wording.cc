#include "daemon/control/wording.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "daemon/control/printable.h"

namespace sash {
namespace {

bool IsInteger(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

// At most three significant digits, for values below 1000: 0.85, 12.3, 999. Whole numbers in full.
std::string Short(double value) {
  if (value == std::floor(value)) return fmt::format("{:.0f}", value);
  return value >= 100  ? fmt::format("{:.0f}", value)
         : value >= 10 ? fmt::format("{:.1f}", value)
                       : fmt::format("{:.2f}", value);
}

// `digits` characters of `text` at `from` as a number; empty when they are not digits.
std::optional<int> DigitsAt(std::string_view text, std::size_t from, std::size_t digits) {
  if (text.size() < from + digits) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data() + from, text.data() + from + digits, value);
  if (error != std::errc{} || end != text.data() + from + digits || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::string FigureText(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return std::string(kNothing);
    case JsonValue::Kind::kBool:
      return value.is_true() ? "yes" : "no";
    case JsonValue::Kind::kNumber:
      return IsInteger(value.text) ? value.text : fmt::format("{:.4g}", *value.AsNumber());
    case JsonValue::Kind::kText:
      return Printable(value.text);
    case JsonValue::Kind::kList:
    case JsonValue::Kind::kObject:
      break;
  }
  std::string text;
  for (const JsonValue& item : value.items) text += (text.empty() ? "" : ", ") + FigureText(item);
  for (const JsonMember& member : value.members) {
    text += (text.empty() ? "" : ", ") + Printable(member.name) + " " + FigureText(member.value);
  }
  return text.empty() ? std::string(kNothing) : text;
}

std::string BytesText(const JsonValue& value) {
  const std::optional<double> number = value.AsNumber();
  if (!number) return std::string(kNothing);
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  double bytes = *number;
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, kUnits[unit]);
}

std::string DurationText(double seconds) {
  if (seconds < 0) return "-" + DurationText(-seconds);
  if (seconds == 0) return "0 s";
  if (seconds < 0.001) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 1) return Short(seconds * 1000) + " ms";
  if (seconds < 60) return Short(seconds) + " s";
  constexpr std::array<std::pair<double, std::string_view>, 4> kParts = {
      {{86'400, "d"}, {3'600, "h"}, {60, "min"}, {1, "s"}}};
  std::size_t first = 0;
  while (seconds < kParts[first].first) ++first;
  const auto [size, name] = kParts[first];
  const auto [next_size, next_name] = kParts[first + 1];  // minutes are not the last unit
  const double head = std::floor(seconds / size);
  const double tail = std::floor((seconds - head * size) / next_size);
  return tail > 0 ? fmt::format("{:.0f} {} {:.0f} {}", head, name, tail, next_name)
                  : fmt::format("{:.0f} {}", head, name);
}

std::string SecondsText(const JsonValue& value) {
  const std::optional<double> seconds = value.AsNumber();
  return seconds ? DurationText(*seconds) : std::string(kNothing);
}

std::string TimeText(const JsonValue& value) {
  if (value.kind != JsonValue::Kind::kText || !ParseApiTime(value.text)) return FigureText(value);
  std::string text = value.text;
  text[10] = ' ';
  if (const std::size_t at = text.find(".000Z"); at != std::string::npos) text.erase(at, 4);
  return Printable(text);
}

std::optional<std::chrono::milliseconds> ParseApiTime(std::string_view text) {
  // 2026-11-22T05:28:17.250Z
  const auto year = DigitsAt(text, 0, 4);
  const auto month = DigitsAt(text, 5, 2);
  const auto day = DigitsAt(text, 8, 2);
  const auto hour = DigitsAt(text, 11, 2);
  const auto minute = DigitsAt(text, 14, 2);
  const auto second = DigitsAt(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second || !text.ends_with('Z') ||
      text[10] != 'T') {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const std::optional<int> thousandths =
      text.size() > 20 && text[19] == '.' ? DigitsAt(text, 20, 3) : std::optional<int>(0);
  if (!thousandths) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::sys_days(date).time_since_epoch()) +
         std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second) +
         std::chrono::milliseconds(*thousandths);
}

std::string Plural(const JsonValue& count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", FigureText(count), count.text == "1" ? one : many);
}

}  // namespace sash
