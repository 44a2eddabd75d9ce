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

// The fields that a mapping can name. All but the weight and the operation may be several fields:
// those behind kOperation are the further parts of the source, then of the target, the time, the
// type and the id.
enum class MappedField : std::uint8_t { kSource, kTarget, kTime, kType, kId, kWeight, kOperation };
inline constexpr std::size_t kJoinedFields = 5;  // of which each may be several fields
inline constexpr std::size_t kFirstFields = 7;
inline constexpr std::size_t kMappedFields = kFirstFields + kJoinedFields * (kMostParts - 1);

// Part `part`, from 0, of `whole`: one of the first kJoinedFields.
constexpr MappedField PartOf(MappedField whole, std::size_t part) {
  if (part == 0) return whole;
  const auto turn = static_cast<std::size_t>(whole);
  return static_cast<MappedField>(kFirstFields + turn * (kMostParts - 1) + part - 1);
}

// The name of the field, or of the field of which it is a part.
constexpr std::string_view Name(MappedField field) {
  constexpr std::array<std::string_view, kFirstFields> kNames = {
      "source", "target", "time", "type", "id", "weight", "operation"};
  const auto number = static_cast<std::size_t>(field);
  return kNames[number < kFirstFields ? number : (number - kFirstFields) / (kMostParts - 1)];
}

// Calls visit(field, where it is) for every field that the mapping names, and for all their parts.
template <typename Mapping, typename Visit>
void ForEachField(const Mapping& mapping, const Visit& visit) {
  visit(MappedField::kSource, mapping.source);
  visit(MappedField::kTarget, mapping.target);
  if (mapping.weight) visit(MappedField::kWeight, *mapping.weight);
  if (mapping.time) visit(MappedField::kTime, *mapping.time);
  if (mapping.operation) visit(MappedField::kOperation, *mapping.operation);
  if (mapping.type) visit(MappedField::kType, *mapping.type);
  if (mapping.id) visit(MappedField::kId, *mapping.id);
  const auto visit_rest = [&](MappedField whole, const auto& rest) {
    for (std::size_t i = 0; i < rest.more.size(); ++i) visit(PartOf(whole, i + 1), rest.more[i]);
  };
  visit_rest(MappedField::kTime, mapping.time_rest);
  visit_rest(MappedField::kSource, mapping.source_parts.rest);
  visit_rest(MappedField::kTarget, mapping.target_parts.rest);
  visit_rest(MappedField::kType, mapping.type_parts.rest);
  visit_rest(MappedField::kId, mapping.id_parts.rest);
}

// Whether a record without a value must have the field: the keys, and a time from a field.
constexpr bool IsInTombstones(MappedField field, const FormatSpec& format) {
  const std::string_view name = Name(field);
  if (name == Name(MappedField::kTime)) return format.time_origin == TimeOrigin::kField;
  return name == Name(MappedField::kSource) || name == Name(MappedField::kTarget);
}

// Whether the columns of the rows have names, so that the first row is the header.
bool NamesColumns(const CsvMapping& mapping);

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

// The type and the id of an edge; empty: it has none.
struct EdgeLabels {
  std::string_view type;
  std::string_view id;
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

// The place of the text in the batch. A text that is part of the record refers to the payload, so
// that it is not copied a second time.
TextRef StoreText(std::string_view text, std::string_view record, TextRef payload,
                  EventBatch& batch);

// Adds an event with its keys, which may point into the record or elsewhere. `payload`: the place
// of the record in the batch. `further`: it is not the first event of the record.
void AppendEvent(const EdgeFields& fields, KeyKind keys, std::string_view record, TextRef payload,
                 const RecordPlace& place, bool further, EventBatch& batch);

// Whether an edge has a way back: it is not a self-loop, and not the removal of a vertex.
bool HasWayBack(const EdgeFields& fields, KeyKind keys);

// Adds the edge back of the event added last, as a further event of its record.
void AppendWayBack(EventBatch& batch);

// A filtered event.
void AppendFiltered(EventTime time, const RecordPlace& place, EventBatch& batch);

// Why a record of this size is refused; nothing when it is small enough.
std::optional<Refused> RefusedForSize(std::size_t bytes);

// Why a type of more than kMostTypeBytes is refused. `label`: the name of its field.
Refused RefusedForType(std::string_view label, std::string_view type);

// Why a record that gives more edges than kMostEdgesOfARecord is refused.
Refused RefusedForEdges();

// `text` in quotes for a message; a long text is cut at a character boundary.
std::string Excerpt(std::string_view text);

// Completes a message that says which field is not there.
inline constexpr std::string_view kWhenAbsent =
    "; correct the record or the mapping, or leave such records out with `where`";
// Completes a message about a key that is not an integer.
inline constexpr std::string_view kWhenNoInteger = "; with `keys: string` any text is a key";

}  // namespace sash
