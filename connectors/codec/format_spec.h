// FormatSpec: how a record maps to an edge event (configuration: source.format and source.time).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/edge_event.h"

namespace sash {

enum class TimeOrigin : std::uint8_t { kField, kKafka, kClock };
// How times are written. kStep: numbers, as in the units before; kFormat: as for strptime.
enum class TimeUnit : std::uint8_t {
  kSeconds,
  kMilliseconds,
  kMicroseconds,
  kNanoseconds,
  kRfc3339,
  kIso8601,
  kFormat,
  kStep
};
inline constexpr std::size_t kTimeUnitCount = 8;

// Whether times are numbers of s, ms, us or ns.
constexpr bool CountsIn(TimeUnit unit) { return unit <= TimeUnit::kNanoseconds; }
enum class TombstonePolicy : std::uint8_t { kIgnore, kRemove, kDeadLetter };

// Fields whose texts are put behind that of a first one.
template <typename Field>
struct JoinedFields {
  std::vector<Field> more{};
  std::string separator{};  // before each of them
  friend bool operator==(const JoinedFields&, const JoinedFields&) = default;
};
inline constexpr std::size_t kMostTimeParts = 4;  // a time is at most so many fields

// JSON pointers (RFC 6901). An empty optional: the records do not have this field.
struct JsonMapping {
  std::string source;
  std::string target;
  std::optional<std::string> weight;
  std::optional<std::string> time;
  std::optional<std::string> operation;
  JoinedFields<std::string> time_rest{};  // only with time
};

// A column, by its number (from 1) or by its name in the header row.
using CsvColumn = std::variant<std::uint32_t, std::string>;

// The delimiter of fields that runs of blanks and tabs separate.
inline constexpr char kBlanks = '\0';

// Either all columns are names, and the first row is the header; or all are numbers, and there is
// no header.
struct CsvMapping {
  CsvColumn source;
  CsvColumn target;
  std::optional<CsvColumn> weight;
  std::optional<CsvColumn> time;
  std::optional<CsvColumn> operation;
  char delimiter = ',';  // kBlanks: runs of blanks and tabs
  bool multiline =
      false;  // in files: mapped fields may contain line breaks, and any field may contain rows
  bool quotes = true;           // fields may be in quotes; false: a quote is an ordinary character
  std::string comment{};        // rows that begin with it are not edges; empty: there are none
  std::uint64_t skip_rows = 0;  // in files: this number of lines at the beginning is not read
  JoinedFields<CsvColumn> time_rest{};  // only with time
};

struct FormatSpec {
  std::variant<JsonMapping, CsvMapping> mapping;
  KeyKind keys = KeyKind::kString;
  TombstonePolicy tombstone = TombstonePolicy::kIgnore;
  TimeOrigin time_origin = TimeOrigin::kField;
  TimeUnit time_unit = TimeUnit::kMilliseconds;
  Duration time_step{};       // of kStep: the time that the number 1 counts
  EventTime time_base{};      // of numbers: the time that 0 means
  std::string time_format{};  // of kFormat
  std::string time_zone{};    // of kIso8601 and kFormat, for times without offset: an IANA name
  std::vector<std::string> nulls{};  // texts of mapped fields that mean "no value"
  std::string where{};               // connectors/codec/filter; empty: every record passes
};

}  // namespace sash
