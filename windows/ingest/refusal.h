// Refusals: the records that do not enter any window, and the reasons.
//
// Thread safety: plain values; any thread may call a RefusalSink.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "windows/base/clock.h"
#include "windows/ingest/edge_places.h"
#include "windows/ingest/record_header.h"

namespace sash {

// The names are a metric label and a field of the dead letters: add, never rename.
enum class RefusalReason : std::uint8_t {
  kInvalidUtf8,
  kInvalidSyntax,  // not JSON, not CSV, wrong number of fields
  kMissingField,   // a mapped field is missing
  kWrongType,      // a mapped field has a type that the mapping does not accept
  kEmptyKey,
  kInvalidKey,  // not a 64-bit integer
  kInvalidWeight,
  kInvalidTime,
  kUnknownOperation,
  kWhere,  // `where` has no value for the record
  kTooLarge,
  kTombstone,  // null value, with tombstone: dead_letter
  kAhead,      // event time beyond ahead_limit
  kLate,       // the slice had closed, with late: dead_letter
  kSchema,     // the schema that the record names is unknown, broken or of another kind
  kTypes,      // the edge's type is new, and TypeTable is full
};
inline constexpr std::size_t kRefusalReasons = 16;

constexpr std::string_view Name(RefusalReason reason) {
  constexpr std::array<std::string_view, kRefusalReasons> kNames = {
      "invalid_utf8",   "invalid_syntax", "missing_field",
      "wrong_type",     "empty_key",      "invalid_key",
      "invalid_weight", "invalid_time",   "unknown_operation",
      "where",          "too_large",      "tombstone",
      "ahead",          "late",           "schema",
      "too_many_types"};
  return kNames[static_cast<std::size_t>(reason)];
}

// An edge that is refused of a record that gives several, or all edges of one of its mappings.
struct RefusedPlace {
  EdgePlace place;
  RefusalReason reason = RefusalReason::kInvalidSyntax;
  std::string detail{};
  std::string mapping{};  // its name, if the source has several mappings
  bool is_whole = false;  // all edges of the mapping; `place` is not used

  // As it is written in letters, and in the header of a record that is sent again.
  MappedPlace mapped() const { return {mapping, is_whole ? std::nullopt : std::optional(place)}; }
};

struct RefusedRecord {
  std::string_view topic;
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  // From Kafka: the record's timestamp, or the epoch if it has none. In a replay: the event time,
  // or the wall clock.
  EventTime timestamp;
  RefusalReason reason = RefusalReason::kInvalidSyntax;
  std::string_view detail;                    // for a person: the field, what was found
  std::string_view stage;                     // "decode" or "window"
  std::optional<std::string_view> payload{};  // the record's unchanged value; empty: it has none
  std::optional<std::string_view> key{};      // the record's unchanged key; empty: it has none
  // All headers of the record, if the mapping reads any and `stage` is "decode".
  std::span<const RecordHeader> headers{};
  // Only these edges of the record are refused; the others are used. Empty: the whole record is.
  std::span<const RefusedPlace> places{};
};

// Receives refused records. Called by the source thread and by the engine thread.
class RefusalSink {
 public:
  virtual ~RefusalSink() = default;
  virtual void Refuse(const RefusedRecord& record) = 0;  // thread-safe; never blocks on the network
};

}  // namespace sash
