#include "daemon/generate/option_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

namespace sash {
namespace {

using std::chrono::milliseconds;

Error Invalid(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

// The whole text as a number, or nothing.
template <typename Number>
std::optional<Number> Whole(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Takes `width` digits from the front.
std::optional<unsigned> TakeDigits(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  const std::string_view digits = text.substr(0, width);
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return std::nullopt;
  }
  text.remove_prefix(width);
  return Whole<unsigned>(digits);
}

bool TakeOneOf(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<milliseconds> TakeDate(std::string_view& text) {
  const auto year = TakeDigits(text, 4);
  if (!year || !TakeOneOf(text, "-")) return std::nullopt;
  const auto month = TakeDigits(text, 2);
  if (!month || !TakeOneOf(text, "-")) return std::nullopt;
  const auto day = TakeDigits(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch();
}

std::optional<milliseconds> TakeHoursAndMinutes(std::string_view& text) {
  const auto hours = TakeDigits(text, 2);
  if (!hours || *hours > 23 || !TakeOneOf(text, ":")) return std::nullopt;
  const auto minutes = TakeDigits(text, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
}

std::optional<milliseconds> TakeTimeOfDay(std::string_view& text) {
  const auto minutes = TakeHoursAndMinutes(text);
  if (!minutes || !TakeOneOf(text, ":")) return std::nullopt;
  const auto seconds = TakeDigits(text, 2);
  if (!seconds || *seconds > 59) return std::nullopt;
  milliseconds time = *minutes + std::chrono::seconds(*seconds);
  if (!TakeOneOf(text, ".")) return time;
  int worth = 100;
  bool any = false;
  while (const auto digit = TakeDigits(text, 1)) {
    time += milliseconds(static_cast<int>(*digit) * worth);
    worth /= 10;
    any = true;
  }
  return any ? std::optional(time) : std::nullopt;
}

std::optional<milliseconds> TakeOffset(std::string_view& text) {
  if (TakeOneOf(text, "Zz")) return milliseconds(0);
  const bool west = !text.empty() && text.front() == '-';
  if (!TakeOneOf(text, "+-")) return std::nullopt;
  const auto offset = TakeHoursAndMinutes(text);
  if (!offset) return std::nullopt;
  return west ? -*offset : *offset;
}

// Not fmt::join: GCC 12 warns about fmt 9's formatter of string views at -O3.
std::string Listed(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

using Fields = std::map<std::string, std::string, std::less<>>;

Result<Fields> ParseFields(std::string_view text, std::initializer_list<std::string_view> known) {
  Fields fields;
  while (true) {
    const std::size_t comma = text.find(',');
    Result<std::pair<std::string, std::string>> field = ParsePair(text.substr(0, comma));
    if (!field) return std::move(field).error();
    const std::string name = field.value().first;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return Invalid(fmt::format("'{}' is not one of {}", name, Listed(known)));
    }
    if (!fields.insert(std::move(field).value()).second) {
      return Invalid(fmt::format("'{}' is given twice", name));
    }
    if (comma == std::string_view::npos) return fields;
    text.remove_prefix(comma + 1);
  }
}

Status ReadDuration(const Fields& fields, std::string_view name, milliseconds& into) {
  const auto field = fields.find(name);
  if (field == fields.end()) return Invalid(fmt::format("'{}=' is missing", name));
  Result<milliseconds> duration = ParseDuration(field->second);
  if (!duration) return std::move(duration).error().Within(name);
  into = duration.value();
  return Ok{};
}

template <typename Number>
Status ReadNumber(const Fields& fields, std::string_view name, Number& into) {
  const auto field = fields.find(name);
  if (field == fields.end()) return Ok{};
  const auto number = Whole<Number>(field->second);
  if (!number) return Invalid(fmt::format("{}: '{}' is not a number", name, field->second));
  into = *number;
  return Ok{};
}

template <typename Episode>
Status ReadSpan(const Fields& fields, Episode& episode) {
  if (Status at = ReadDuration(fields, "at", episode.at); !at) return at;
  if (Status length = ReadDuration(fields, "for", episode.length); !length) return length;
  return ReadNumber(fields, "share", episode.share);
}

}  // namespace

Result<std::uint64_t> ParseCount(std::string_view text) {
  if (const auto number = Whole<std::uint64_t>(text)) return *number;
  return Invalid(fmt::format("'{}' is not a whole number", text));
}

Result<double> ParseReal(std::string_view text) {
  const auto number = Whole<double>(text);
  if (number && std::isfinite(*number)) return *number;
  return Invalid(fmt::format("'{}' is not a number", text));
}

Result<milliseconds> ParseDuration(std::string_view text) {
  static const std::map<std::string_view, double> kUnits = {
      {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  const std::size_t split = text.find_first_not_of("0123456789.");
  const auto number = Whole<double>(text.substr(0, split));
  const auto unit =
      split == std::string_view::npos ? kUnits.end() : kUnits.find(text.substr(split));
  if (!number || unit == kUnits.end()) {
    return Invalid(fmt::format("'{}' is not a duration like 250ms, 30s, 5m or 1h", text));
  }
  const double length = *number * unit->second;
  if (length > 1e13) return Invalid(fmt::format("'{}' is too long", text));
  if (length != std::floor(length)) {
    return Invalid(fmt::format("'{}' is not a whole number of milliseconds", text));
  }
  return milliseconds(static_cast<std::int64_t>(length));
}

Result<milliseconds> ParseMoment(std::string_view text) {
  if (const auto number = Whole<std::int64_t>(text)) return milliseconds(*number);
  std::string_view rest = text;
  const auto date = TakeDate(rest);
  const bool separated = date && TakeOneOf(rest, "Tt ");
  const auto time = separated ? TakeTimeOfDay(rest) : std::nullopt;
  const auto offset = time ? TakeOffset(rest) : std::nullopt;
  if (!offset || !rest.empty()) {
    return Invalid(fmt::format(
        "'{}' is neither an RFC 3339 time like 2026-01-01T00:00:00Z nor milliseconds since 1970",
        text));
  }
  return *date + *time - *offset;
}

std::string MomentText(milliseconds since_epoch) {
  const std::chrono::sys_time<milliseconds> moment(since_epoch);
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<milliseconds> time(moment - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

Result<HubEpisode> ParseHub(std::string_view text) {
  Result<Fields> fields = ParseFields(text, {"at", "for", "share"});
  if (!fields) return std::move(fields).error();
  HubEpisode hub;
  if (Status span = ReadSpan(fields.value(), hub); !span) return std::move(span).error();
  return hub;
}

Result<BurstEpisode> ParseBurst(std::string_view text) {
  Result<Fields> fields = ParseFields(text, {"at", "for", "share", "size"});
  if (!fields) return std::move(fields).error();
  BurstEpisode burst;
  if (Status span = ReadSpan(fields.value(), burst); !span) return std::move(span).error();
  if (Status size = ReadNumber(fields.value(), "size", burst.size); !size) {
    return std::move(size).error();
  }
  return burst;
}

Result<std::pair<std::string, std::string>> ParsePair(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Invalid(fmt::format("'{}' is not of the form name=value", text));
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

}  // namespace sash
