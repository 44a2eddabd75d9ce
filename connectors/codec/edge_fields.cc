#include "connectors/codec/edge_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "windows/base/utf8.h"

namespace sash {

bool NamesColumns(const CsvMapping& mapping) {
  bool names = false;
  ForEachField(mapping, [&](MappedField, const CsvColumn& column) {
    names = names || std::holds_alternative<std::string>(column);
  });
  return names;
}

std::optional<Operation> OperationReader::Read(std::string_view text) const {
  if (text.empty()) return Operation::kAdd;
  if (!has_own_words()) {
    if (text == "add") return Operation::kAdd;
    if (text == "remove") return Operation::kRemove;
    if (text == "remove_vertex") return Operation::kRemoveVertex;
    return std::nullopt;
  }
  const auto is_in = [text](const std::vector<std::string>& words) {
    return std::ranges::find(words, text) != words.end();
  };
  if (is_in(words_.add)) return Operation::kAdd;
  if (is_in(words_.remove)) return Operation::kRemove;
  if (is_in(words_.remove_vertex)) return Operation::kRemoveVertex;
  return std::nullopt;
}

bool OperationReader::Skips(std::string_view text) const {
  return std::ranges::find(words_.skip, text) != words_.skip.end();
}

std::string OperationReader::Expected() const {
  if (!has_own_words()) {
    return "it must be add, remove or remove_vertex, or the mapping must give its words "
           "(operation: {from, add, remove, skip})";
  }
  std::string list;
  for (const auto* words : {&words_.add, &words_.remove, &words_.remove_vertex, &words_.skip}) {
    for (const std::string& word : *words) list += (list.empty() ? "" : ", ") + Excerpt(word);
  }
  return "the words of the mapping are " + list;
}

TextRef StoreText(std::string_view text, std::string_view record, TextRef payload,
                  EventBatch& batch) {
  const std::less_equal<const char*> not_after;
  if (!text.empty() && not_after(record.data(), text.data()) &&
      not_after(text.data() + text.size(), record.data() + record.size())) {
    const auto offset = static_cast<std::uint32_t>(text.data() - record.data());
    return {payload.begin + offset, static_cast<std::uint32_t>(text.size())};
  }
  return batch.Store(text);
}

void AppendEvent(const EdgeFields& fields, KeyKind keys, std::string_view record, TextRef payload,
                 const RecordPlace& place, bool further, EventBatch& batch) {
  const bool needs_target = fields.operation != Operation::kRemoveVertex;
  KeyRef source;
  KeyRef target;
  if (keys == KeyKind::kInteger) {
    source = KeyRef::Integer(fields.source.integer);
    if (needs_target) target = KeyRef::Integer(fields.target.integer);
  } else {
    source = KeyRef::Text(StoreText(fields.source.text, record, payload, batch));
    if (needs_target) {
      target = KeyRef::Text(StoreText(fields.target.text, record, payload, batch));
    }
  }
  EdgeEvent& event = batch.Add();
  event.time = fields.time;
  event.offset = place.offset;
  event.source = source;
  event.target = target;
  event.weight = fields.weight;
  event.payload = payload;
  event.partition = place.partition;
  event.operation = fields.operation;
  event.further = further;
}

bool HasWayBack(const EdgeFields& fields, KeyKind keys) {
  if (fields.operation == Operation::kRemoveVertex) return false;
  return keys == KeyKind::kInteger ? fields.source.integer != fields.target.integer
                                   : fields.source.text != fields.target.text;
}

void AppendWayBack(EventBatch& batch) {
  EdgeEvent back = batch.events().back();
  std::swap(back.source, back.target);
  back.further = true;
  batch.Add(back);
}

void AppendFiltered(EventTime time, const RecordPlace& place, EventBatch& batch) {
  EdgeEvent& event = batch.Add();
  event.time = time;
  event.offset = place.offset;
  event.partition = place.partition;
  event.filtered = true;
}

std::optional<Refused> RefusedForSize(std::size_t bytes) {
  if (bytes <= kMaxRecordBytes) return std::nullopt;
  return Refused{RefusalReason::kTooLarge,
                 fmt::format("the record has more than {} bytes", kMaxRecordBytes)};
}

Refused RefusedForType(std::string_view label, std::string_view type) {
  return {RefusalReason::kWrongType,
          fmt::format("{}: {} has {} bytes; a type has at most {}", label, Excerpt(type),
                      type.size(), kMostTypeBytes)};
}

Refused RefusedForEdges() {
  return {RefusalReason::kTooLarge,
          fmt::format("the record gives more than {} edges", kMostEdgesOfARecord)};
}

std::string Excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return fmt::format("\"{}\"", text);
  return fmt::format("\"{}...\"", Beginning(text, kLongest));
}

}  // namespace sash
