#include "daemon/config/scalar_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "connectors/codec/number_text.h"
#include "connectors/codec/time_text.h"

namespace sash {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::array<Unit, 7> kTimeUnits = {{{"ns", 1},
                                             {"us", 1'000},
                                             {"ms", 1'000'000},
                                             {"s", 1'000'000'000},
                                             {"m", 60'000'000'000},
                                             {"h", 3'600'000'000'000},
                                             {"d", 86'400'000'000'000}}};
constexpr std::array<Unit, 5> kSizeUnits = {
    {{"B", 1}, {"KiB", 1ll << 10}, {"MiB", 1ll << 20}, {"GiB", 1ll << 30}, {"TiB", 1ll << 40}}};
constexpr std::int64_t kLargestSize = 1ll << 50;
constexpr std::string_view kDigits = "0123456789";

// number * factor, or nothing beyond `most`.
std::optional<std::int64_t> Scale(std::string_view digits, std::int64_t factor, std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failure != std::errc() || number > most / factor) return std::nullopt;
  return number * factor;
}

std::string FormatUnits(std::int64_t value, std::span<const Unit> units, std::string_view zero) {
  if (value == 0) return std::string(zero);
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (value % unit.factor == 0) best = &unit;
  }
  return fmt::format("{}{}", value / best->factor, best->name);
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

Result<std::string> ParseWord(std::string_view text, std::size_t longest, std::string_view what) {
  if (text.empty() || text.size() > longest || text == "." || text == ".." ||
      !std::ranges::all_of(text, IsNameCharacter)) {
    return Wrong(fmt::format("`{}` is not {}: 1 to {} of the characters A-Z a-z 0-9 _ . -", text,
                             what, longest));
  }
  return std::string(text);
}

}  // namespace

Result<std::int64_t> ReadInteger(std::string_view text) {
  Result<std::int64_t> value = ParseInteger(text);
  if (value) return value;
  const auto spelling = SpellingOf(text);
  const bool too_large = spelling && spelling->is_integer;
  return Wrong(fmt::format("`{}` is {}", text,
                           too_large ? "beyond a 64-bit integer" : "not a whole number"));
}

Result<double> ReadReal(std::string_view text) {
  Result<double> value = ParseReal(text);
  if (value) return value;
  return Wrong(fmt::format("`{}` is not a number such as 0.85 or 1e-6", text));
}

Result<EventTime> ReadInstant(std::string_view text) {
  Result<EventTime> time = ParseRfc3339(text);
  if (time) return time;
  return Wrong(fmt::format(
      "`{}` is not a time such as 2026-01-01T00:00:00Z or 2026-01-01T01:00:00.000+01:00", text));
}

Result<bool> ParseBool(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return Wrong(fmt::format("must be true or false, not `{}`", text));
}

Result<Duration> ParseDuration(std::string_view text) {
  static constexpr std::string_view kUnits = "ns, us, ms, s, m, h, d";
  if (text.starts_with('-')) return Wrong(fmt::format("`{}` must not be negative", text));
  const std::size_t split = std::min(text.find_first_not_of(kDigits), text.size());
  const std::string_view digits = text.substr(0, split);
  const std::string_view unit = text.substr(split);
  if (digits.empty()) {
    return Wrong(fmt::format("`{}` is not a duration; give a number and a unit ({}), such as 5m",
                             text, kUnits));
  }
  if (unit.empty()) {
    return Wrong(fmt::format("`{0}` needs a unit: {0}ms, {0}s, {0}m, {0}h or {0}d", text));
  }
  const auto found = std::ranges::find(kTimeUnits, unit, &Unit::name);
  if (found != kTimeUnits.end()) {
    const auto value = Scale(digits, found->factor, kLongestDuration.count());
    if (!value) return Wrong(fmt::format("`{}` is too long; at most 7300d", text));
    return Duration(*value);
  }
  if (unit.front() == '.' || unit.front() == ',') {
    return Wrong(
        fmt::format("`{}` has a fraction; use a smaller unit, as in 1500ms instead of 1.5s", text));
  }
  if (unit.find_first_of(kDigits) != std::string_view::npos) {
    return Wrong(
        fmt::format("`{}` must be one number and one unit, as in 90m instead of 1h30m", text));
  }
  return Wrong(fmt::format("`{}` has no known unit after the number; units are {}", text, kUnits));
}

std::string FormatDuration(Duration duration) {
  return FormatUnits(duration.count(), kTimeUnits, "0s");
}

Result<std::uint64_t> ParseSize(std::string_view text) {
  static constexpr std::string_view kUnits = "B, KiB, MiB, GiB, TiB";
  const std::size_t split = std::min(text.find_first_not_of(kDigits), text.size());
  const std::string_view digits = text.substr(0, split);
  const std::string_view unit = text.substr(split);
  if (digits.empty()) {
    return Wrong(fmt::format(
        "`{}` is not a size; give a whole number and a unit ({}), such as 64MiB", text, kUnits));
  }
  if (unit.empty()) {
    return Wrong(fmt::format("`{0}` needs a unit: {0}B, {0}KiB, {0}MiB, {0}GiB or {0}TiB", text));
  }
  const auto found = std::ranges::find(kSizeUnits, unit, &Unit::name);
  if (found == kSizeUnits.end()) {
    return Wrong(
        fmt::format("`{}` has no known unit after the whole number; units are {} (powers "
                    "of 1024, so MiB instead of MB)",
                    text, kUnits));
  }
  const auto value = Scale(digits, found->factor, kLargestSize);
  if (!value) return Wrong(fmt::format("`{}` is too large; at most 1024TiB", text));
  return static_cast<std::uint64_t>(*value);
}

std::string FormatSize(std::uint64_t bytes) {
  return FormatUnits(static_cast<std::int64_t>(bytes), kSizeUnits, "0B");
}

Result<std::string> ParseName(std::string_view text) { return ParseWord(text, 100, "a name"); }

Result<std::string> ParseTopic(std::string_view text) {
  return ParseWord(text, 249, "a topic name");
}

Result<std::string> ParseNonEmpty(std::string_view text) {
  if (text.empty()) return Wrong("must not be empty");
  return std::string(text);
}

Result<std::string> ParseFilePath(std::string_view text) {
  if (text.empty()) return Wrong("must not be empty; give the path of a file");
  if (text == "-") return Wrong("`-` is not a file to write to; give a path (./- is a file)");
  if (text.ends_with('/'))
    return Wrong(fmt::format("`{}` is a folder; give the path of a file", text));
  return std::string(text);
}

Result<std::string> ParseJsonPointer(std::string_view text) {
  if (!text.empty() && !text.starts_with('/')) {
    return Wrong(fmt::format("`{0}` is not a JSON pointer, which starts with a slash: /{0}", text));
  }
  for (std::size_t i = text.find('~'); i != std::string_view::npos; i = text.find('~', i + 1)) {
    if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) {
      return Wrong(fmt::format(
          "`{}` has a ~ that is not an escape; in a JSON pointer write ~0 for ~ and ~1 for /",
          text));
    }
  }
  return std::string(text);
}

Result<double> ParsePercentage(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string_view number = text;
  if (number.ends_with('%')) {
    number.remove_suffix(number.ends_with(" %") ? 2 : 1);
    const std::string_view whole = number.substr(0, number.find('.'));
    const bool has_point = whole.size() < number.size();
    const std::string_view decimals = has_point ? number.substr(whole.size() + 1) : "0";
    const bool is_number = !whole.empty() && whole.size() <= 3 && !decimals.empty() &&
                           decimals.size() <= 4 && std::ranges::all_of(whole, is_digit) &&
                           std::ranges::all_of(decimals, is_digit);
    double percent = 0;
    std::from_chars(number.data(), number.data() + number.size(), percent);
    if (is_number && percent <= 100) return percent;
  }
  return Wrong(fmt::format("`{}` is not a percentage; give 0% to 100%, such as 50%", text));
}

std::string FormatPercentage(double percent) { return fmt::format("{}%", percent); }

Result<std::int64_t> IntegerBetween::operator()(std::string_view text) const {
  Result<std::int64_t> value = ReadInteger(text);
  if (value && value.value() >= least && value.value() <= most) return value;
  const std::string reason =
      value ? fmt::format("`{}` is out of range", text) : value.error().message;
  if (most == std::numeric_limits<std::int64_t>::max()) {
    return Wrong(fmt::format("{}; give a whole number of at least {}", reason, least));
  }
  return Wrong(fmt::format("{}; give a whole number from {} to {}", reason, least, most));
}

Result<Duration> DurationFrom::operator()(std::string_view text) const {
  Result<Duration> value = ParseDuration(text);
  if (value && value.value() < least) {
    return Wrong(fmt::format("`{}` must be longer than 0, such as 5s", text));
  }
  return value;
}

Result<EventTime> ParsePointInTime(std::string_view text) {
  if (text.find('-', 1) == std::string_view::npos) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max() / 1'000'000;
    Result<std::int64_t> millis = ReadInteger(text);
    if (millis && millis.value() >= 0 && millis.value() <= kLast) {
      return EventTime(std::chrono::milliseconds(millis.value()));
    }
  } else if (Result<EventTime> time = ReadInstant(text)) {
    if (time.value() >= EventTime{}) return time;
  }
  return Wrong(
      fmt::format("`{}` is not a time from 1970 on; give RFC 3339, such as "
                  "2026-01-01T00:00:00Z, or milliseconds since 1970",
                  text));
}

}  // namespace sash
