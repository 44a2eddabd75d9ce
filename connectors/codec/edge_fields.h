// EdgeFields: the fields that every format reads from a record, before they enter the batch.
//
// Thread safety: pure functions and values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "windows/base/weight.h"
#include "windows/ingest/event_batch.h"

namespace sash {

// The fields that a mapping can name. The time may be several fields.
enum class MappedField : std::uint8_t {
  kSource,
  kTarget,
  kWeight,
  kTime,
  kOperation,
  kSecondTime,
  kThirdTime,
  kFourthTime
};
inline constexpr std::size_t kMappedFields = 8;

// The field with part `part` of the time, from 0.
constexpr MappedField TimePart(std::size_t part) {
  constexpr std::array<MappedField, kMostTimeParts> kParts = {
      MappedField::kTime, MappedField::kSecondTime, MappedField::kThirdTime,
      MappedField::kFourthTime};
  return kParts[part];
}

constexpr std::string_view Name(MappedField field) {
  constexpr std::array<std::string_view, kMappedFields> kNames = {
      "source", "target", "weight", "time", "operation", "time", "time", "time"};
  return kNames[static_cast<std::size_t>(field)];
}

// One key, as text or as a number, depending on the stream's KeyKind.
struct DecodedKey {
  std::string_view text;
  std::int64_t integer = 0;
};

struct EdgeFields {
  DecodedKey source;
  DecodedKey target;  // not set for remove_vertex
  Weight weight;
  EventTime time;
  Operation operation = Operation::kAdd;
};

// The operation that `text` names (lower case only); empty text means add.
std::optional<Operation> ParseOperation(std::string_view text);

// Stores the record as payload, and the keys. The keys may point into the record or elsewhere.
void AppendEvent(const EdgeFields& fields, KeyKind keys, std::string_view record,
                 const RecordPlace& place, EventBatch& batch);

// A filtered event.
void AppendFiltered(EventTime time, const RecordPlace& place, EventBatch& batch);

// Why a record of this size is refused; nothing when it is small enough.
std::optional<Refused> RefusedForSize(std::size_t bytes);

// `text` in quotes for a message; a long text is cut at a character boundary.
std::string Excerpt(std::string_view text);

}  // namespace sash
