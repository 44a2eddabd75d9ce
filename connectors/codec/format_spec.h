// FormatSpec: how a record maps to an edge event (configuration: source.format and source.time).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "windows/ingest/edge_event.h"

namespace sash {

enum class TimeOrigin : std::uint8_t { kField, kKafka, kClock };
enum class TimeUnit : std::uint8_t {
  kSeconds,
  kMilliseconds,
  kMicroseconds,
  kNanoseconds,
  kRfc3339
};
enum class TombstonePolicy : std::uint8_t { kIgnore, kRemove, kDeadLetter };

// JSON pointers (RFC 6901). An empty optional: the records do not have this field.
struct JsonMapping {
  std::string source;
  std::string target;
  std::optional<std::string> weight;
  std::optional<std::string> time;
  std::optional<std::string> operation;
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
};

struct FormatSpec {
  std::variant<JsonMapping, CsvMapping> mapping;
  KeyKind keys = KeyKind::kString;
  TombstonePolicy tombstone = TombstonePolicy::kIgnore;
  TimeOrigin time_origin = TimeOrigin::kField;
  TimeUnit time_unit = TimeUnit::kMilliseconds;
  std::vector<std::string> nulls{};  // texts of mapped fields that mean "no value"
};

}  // namespace sash
