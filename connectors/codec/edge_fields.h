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

// The fields that a mapping can name. A key and the time may be several fields: those behind
// kOperation are the further parts of the source, then of the target, then of the time.
enum class MappedField : std::uint8_t { kSource, kTarget, kWeight, kTime, kOperation };
inline constexpr std::size_t kFirstFields = 5;
inline constexpr std::size_t kMappedFields = kFirstFields + 3 * (kMostParts - 1);

// Part `part`, from 0, of `whole`: the source, the target or the time.
constexpr MappedField PartOf(MappedField whole, std::size_t part) {
  if (part == 0) return whole;
  const std::size_t turn =
      whole == MappedField::kTime ? 2 : static_cast<std::size_t>(whole);  // source 0, target 1
  return static_cast<MappedField>(kFirstFields + turn * (kMostParts - 1) + part - 1);
}

// The name of the field, or of the field of which it is a part.
constexpr std::string_view Name(MappedField field) {
  constexpr std::array<std::string_view, kFirstFields> kNames = {"source", "target", "weight",
                                                                 "time", "operation"};
  const auto number = static_cast<std::size_t>(field);
  if (number < kFirstFields) return kNames[number];
  constexpr std::array<std::string_view, 3> kWholes = {"source", "target", "time"};
  return kWholes[(number - kFirstFields) / (kMostParts - 1)];
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
  bool is_skipped = false;  // the operation is one that leaves the record out
};

// The operation that a text means: add, remove and remove_vertex (lower case only), or the words of
// a mapping; empty text means add.
class OperationReader {
 public:
  explicit OperationReader(OperationWords words) : words_(std::move(words)) {}

  std::optional<Operation> Read(std::string_view text) const;
  // Whether a record with this text is to be left out.
  bool Skips(std::string_view text) const;
  bool has_own_words() const { return !words_.empty(); }
  // "it must be ...", for a message.
  std::string Expected() const;

 private:
  const OperationWords words_;
};

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
