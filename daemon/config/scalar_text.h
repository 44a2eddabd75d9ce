// Converts the text of a scalar to a value and back. An error has only a message, with the problem
// and a remedy; the caller adds file, line and key.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

inline constexpr Duration kLongestDuration = std::chrono::hours(24) * 7300;

inline Error Wrong(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

// Accept the spellings of connectors/codec for records, with messages for people.
Result<std::int64_t> ReadInteger(std::string_view text);
Result<double> ReadReal(std::string_view text);        // finite
Result<EventTime> ReadInstant(std::string_view text);  // RFC 3339
// RFC 3339, or milliseconds since 1970; from 1970 on.
Result<EventTime> ParsePointInTime(std::string_view text);
Result<bool> ParseBool(std::string_view text);

// One whole number and one unit of ns, us, ms, s, m, h, d; 0 to 7300 days.
Result<Duration> ParseDuration(std::string_view text);
std::string FormatDuration(Duration duration);

// One whole number and one unit of B, KiB, MiB, GiB, TiB; at most 1024TiB.
Result<std::uint64_t> ParseSize(std::string_view text);
std::string FormatSize(std::uint64_t bytes);

// A percentage of at most 100%, with at most four decimals.
Result<double> ParsePercentage(std::string_view text);
std::string FormatPercentage(double percent);

// Names of windows and jobs occur in URLs and metric labels: [A-Za-z0-9_.-]{1,100}, not "." or
// "..".
Result<std::string> ParseName(std::string_view text);
Result<std::string> ParseTopic(std::string_view text);  // Kafka's rule: as above, up to 249
Result<std::string> ParseNonEmpty(std::string_view text);
Result<std::string> ParseFilePath(std::string_view text);  // for a file to write
Result<std::string> ParseJsonPointer(std::string_view text);

// Readers with a range, to be handed to Section::Read().
struct IntegerBetween {
  std::int64_t least;
  std::int64_t most;
  Result<std::int64_t> operator()(std::string_view text) const;
};

struct DurationFrom {
  Duration least;
  Result<Duration> operator()(std::string_view text) const;
};

inline constexpr DurationFrom kAnyDuration{Duration(0)};
inline constexpr DurationFrom kPositiveDuration{Duration(1)};

}  // namespace sash
