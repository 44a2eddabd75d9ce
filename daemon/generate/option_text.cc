#include "daemon/generate/option_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "connectors/codec/time_text.h"
#include "daemon/config/scalar_text.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

Error InvalidOption(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
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
      return InvalidOption(fmt::format("'{}' is not one of {}", name, Listed(known)));
    }
    if (!fields.insert(std::move(field).value()).second) {
      return InvalidOption(fmt::format("'{}' is given twice", name));
    }
    if (comma == std::string_view::npos) return fields;
    text.remove_prefix(comma + 1);
  }
}

Status ReadDuration(const Fields& fields, std::string_view name, milliseconds& into) {
  const auto field = fields.find(name);
  if (field == fields.end()) return InvalidOption(fmt::format("'{}=' is missing", name));
  Result<milliseconds> duration = ParseMilliseconds(field->second);
  if (!duration) return std::move(duration).error().Within(name);
  into = duration.value();
  return Ok{};
}

// Leaves `into` unchanged when there is no such field.
template <typename Number, typename Parse>
Status ReadNumber(const Fields& fields, std::string_view name, const Parse& parse, Number& into) {
  const auto field = fields.find(name);
  if (field == fields.end()) return Ok{};
  auto number = parse(field->second);
  if (!number) return std::move(number).error().Within(name);
  into = static_cast<Number>(number.value());
  return Ok{};
}

template <typename Episode>
Status ReadSpan(const Fields& fields, Episode& episode) {
  if (Status at = ReadDuration(fields, "at", episode.at); !at) return at;
  if (Status length = ReadDuration(fields, "for", episode.length); !length) return length;
  return ReadNumber(fields, "share", ReadReal, episode.share);
}

}  // namespace

Result<std::uint64_t> ParseCount(std::string_view text) {
  Result<std::int64_t> number = ReadInteger(text);
  if (!number) return std::move(number).error();
  if (number.value() < 0) return InvalidOption(fmt::format("`{}` is negative", text));
  return static_cast<std::uint64_t>(number.value());
}

Result<milliseconds> ParseMilliseconds(std::string_view text) {
  Result<Duration> duration = ParseDuration(text);
  if (!duration) return std::move(duration).error();
  const auto whole = std::chrono::duration_cast<milliseconds>(duration.value());
  if (whole == duration.value()) return whole;
  return InvalidOption(fmt::format("`{}` is not a whole number of milliseconds", text));
}

Result<milliseconds> ParseMoment(std::string_view text) {
  if (Result<std::int64_t> number = ReadInteger(text)) return milliseconds(number.value());
  Result<EventTime> time = ParseRfc3339(text);
  if (time) return std::chrono::floor<milliseconds>(time.value()).time_since_epoch();
  return InvalidOption(fmt::format(
      "`{}` is neither an RFC 3339 time like 2026-01-01T00:00:00Z nor milliseconds since 1970",
      text));
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
  if (Status size = ReadNumber(fields.value(), "size", ParseCount, burst.size); !size) {
    return std::move(size).error();
  }
  return burst;
}

Result<std::pair<std::string, std::string>> ParsePair(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return InvalidOption(fmt::format("'{}' is not of the form name=value", text));
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

}  // namespace sash
