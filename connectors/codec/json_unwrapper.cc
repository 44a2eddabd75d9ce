#include "connectors/codec/json_unwrapper.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <utility>

#include "connectors/codec/base64.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/filter/filter_tree.h"
#include "connectors/codec/scan_json.h"

namespace sash {
namespace {

// The numbers of the envelope's members. Those of all fields are less.
constexpr std::size_t kPayload = JsonScanner::kMostFields;
constexpr std::size_t kData = kPayload + 1;
constexpr std::size_t kBase64 = kPayload + 2;
constexpr std::size_t kSpecVersion = kPayload + 3;
constexpr std::size_t kText = kPayload + 4;
static_assert(kText < JsonScanner::kEach);

constexpr FieldSet kFields = ((FieldSet{1} << kPayload) - 1) | FieldSet{1} << JsonScanner::kEach;
constexpr std::string_view kPrefix = "ce_";

std::string PointerTo(std::string_view member) {
  std::string pointer = "/";
  for (const char c : member) {
    if (c == '~' || c == '/') {
      pointer += c == '~' ? "~0" : "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::span<const RecordHeader> HeadersOf(const RecordEnvelope* envelope) {
  if (envelope == nullptr) return {};
  return envelope->headers;
}

}  // namespace

Result<std::unique_ptr<JsonUnwrapper>> JsonUnwrapper::Make(
    const JsonMapping& mapping, const std::vector<Asked>& pointers, std::vector<Asked> attributes,
    const JsonScanner::EachElement& each_element) {
  const bool is_event = mapping.unwrap == Unwrap::kCloudEvents;
  const std::string content = is_event ? "/data" : "/payload";
  const bool is_plain = mapping.unwrap == Unwrap::kNone || mapping.unwrap == Unwrap::kDebezium;
  if (is_plain && !mapping.text_at) return std::unique_ptr<JsonUnwrapper>();
  PointerNode wrapped;
  PointerNode around_text;
  Status added = AddPointer(content, is_event ? kData : kPayload, wrapped);
  if (added.ok() && is_event) added = AddPointer("/data_base64", kBase64, wrapped);
  if (added.ok() && is_event) added = AddPointer("/specversion", kSpecVersion, wrapped);
  if (added.ok() && mapping.text_at) {
    added = AddPointer(content + *mapping.text_at, kText, wrapped);
    if (added.ok()) added = AddPointer(*mapping.text_at, kText, around_text);
    if (!added.ok()) return std::move(added).error().Within("text_at");
  }
  for (const Asked& each : pointers) {
    if (mapping.text_at) break;  // they are looked for in the string
    if (added.ok()) added = AddPointer(content + each.name, each.number, wrapped);
  }
  for (const Asked& each : attributes) {
    const std::string pointer = PointerTo(std::string_view(each.name).substr(kPrefix.size()));
    if (added.ok()) added = AddPointer(pointer, each.number, wrapped);
  }
  if (!added.ok()) return std::move(added).error();
  const bool by_element = mapping.each && !mapping.text_at;
  if (by_element) {
    added = AddArray(content + *mapping.each, JsonScanner::kEach, wrapped);
    if (!added.ok()) return std::move(added).error().Within("each");
  }
  JsonScanner scanner =
      by_element ? JsonScanner(std::move(wrapped), each_element) : JsonScanner(std::move(wrapped));
  return std::unique_ptr<JsonUnwrapper>(new JsonUnwrapper(
      mapping, std::move(scanner), std::move(around_text), std::move(attributes)));
}

JsonUnwrapper::JsonUnwrapper(const JsonMapping& mapping, JsonScanner wrapped,
                             PointerNode around_text, std::vector<Asked> attributes)
    : unwrap_(mapping.unwrap),
      is_in_text_(mapping.text_at.has_value()),
      text_label_(fmt::format("the text at \"{}\" (source.format.json.text_at)",
                              mapping.text_at.value_or(""))),
      attributes_(std::move(attributes)),
      wrapped_(std::move(wrapped)),
      around_text_(std::move(around_text)),
      unescaped_(attributes_.size()) {
  for (const Asked& each : attributes_) attribute_set_ |= FieldSet{1} << each.number;
}

EnvelopeNeeds JsonUnwrapper::needs() const {
  const bool is_event = unwrap_ == Unwrap::kCloudEvents;
  return {.any = is_event, .headers = is_event};
}

std::optional<Refused> JsonUnwrapper::Read(std::string_view record, const RecordEnvelope* envelope,
                                           JsonScanner& fields) {
  if (unwrap_ == Unwrap::kNone) return ReadContent(record, "the record", fields);
  if (unwrap_ == Unwrap::kConnect) return ReadConnect(record, fields);
  if (!FindHeader(HeadersOf(envelope), "ce_specversion")) return ReadStructured(record, fields);
  if (auto refused = ReadContent(record, "the record", fields)) return refused;
  return PutHeaders(envelope, fields);
}

std::optional<Refused> JsonUnwrapper::ReadKey(std::string_view key, const RecordEnvelope* envelope,
                                              JsonScanner& fields) {
  if (unwrap_ == Unwrap::kConnect) return ReadConnect(key, fields);
  if (auto refused = ReadContent(key, "the record", fields)) return refused;
  return PutHeaders(envelope, fields);
}

std::optional<Refused> JsonUnwrapper::ReadContent(std::string_view text, std::string_view what,
                                                  JsonScanner& fields) {
  if (!is_in_text_) return ScanJson(text, what, fields);
  if (auto refused = ScanJson(text, what, around_text_)) return refused;
  return ReadText(around_text_, fields);
}

std::optional<Refused> JsonUnwrapper::ReadText(const JsonScanner& around, JsonScanner& fields) {
  const JsonElement* const string = around.Find(kText);
  if (string == nullptr) {
    return Refused{RefusalReason::kMissingField,
                   text_label_ + " is missing or null" + std::string(kWhenAbsent)};
  }
  if (string->kind != JsonElement::Kind::kString) {
    return Refused{RefusalReason::kWrongType,
                   text_label_ +
                       " is not a string; if it is JSON already, leave out text_at and let the "
                       "pointers begin with it"};
  }
  std::string_view text = string->text;
  if (string->has_escapes) {
    JsonScanner::Unescape(text, text_);
    text = text_;
  }
  return ScanJson(text, text_label_, fields);
}

std::optional<Refused> JsonUnwrapper::ReadConnect(std::string_view record, JsonScanner& fields) {
  fields.Forget();
  if (auto refused = ScanJson(record, "the record", wrapped_)) return refused;
  if (wrapped_.Find(kPayload) == nullptr) {
    return Refused{RefusalReason::kMissingField,
                   "the record has no payload, or it is null (source.format.json.unwrap: connect "
                   "reads {\"schema\": ..., \"payload\": ...}); if the converter writes no "
                   "schemas (schemas.enable=false), leave out unwrap"};
  }
  if (is_in_text_) return ReadText(wrapped_, fields);
  fields.Take(wrapped_, kFields);
  return std::nullopt;
}

std::optional<Refused> JsonUnwrapper::ReadStructured(std::string_view record, JsonScanner& fields) {
  fields.Forget();
  if (auto refused = ScanJson(record, "the record", wrapped_)) return refused;
  if (wrapped_.Find(kSpecVersion) == nullptr) {
    return Refused{RefusalReason::kMissingField,
                   "the record has neither a member specversion nor a header ce_specversion, so it "
                   "is not a CloudEvent (source.format.json.unwrap: cloudevents); if the records "
                   "are not in envelopes, leave out unwrap"};
  }
  const JsonElement* const base64 = wrapped_.Find(kBase64);
  if (base64 != nullptr && wrapped_.Find(kData) == nullptr) {
    if (auto refused = ReadBase64(*base64, fields)) return refused;
  } else if (is_in_text_) {
    if (auto refused = ReadText(wrapped_, fields)) return refused;
  } else {
    fields.Take(wrapped_, kFields & ~attribute_set_);
  }
  PutMembers(fields);
  return std::nullopt;
}

std::optional<Refused> JsonUnwrapper::ReadBase64(const JsonElement& text, JsonScanner& fields) {
  if (text.kind != JsonElement::Kind::kString) {
    return Refused{RefusalReason::kWrongType, "data_base64 of the record is not a string"};
  }
  std::string_view digits = text.text;
  if (text.has_escapes) {
    JsonScanner::Unescape(digits, base64_);
    digits = base64_;
  }
  if (!DecodeBase64(digits, data_)) {
    return Refused{RefusalReason::kInvalidSyntax, "data_base64 of the record is not Base64"};
  }
  return ReadContent(data_, "the content of data_base64", fields);
}

std::optional<Refused> JsonUnwrapper::PutHeaders(const RecordEnvelope* envelope,
                                                 JsonScanner& fields) const {
  for (const Asked& each : attributes_) {
    const auto value = FindHeader(HeadersOf(envelope), each.name);
    if (!value) continue;
    if (!simdjson::validate_utf8(value->data(), value->size())) {
      return Refused{RefusalReason::kInvalidUtf8,
                     fmt::format("the header {} is not UTF-8", each.name)};
    }
    fields.Put(each.number, {.kind = JsonElement::Kind::kString, .text = *value});
  }
  return std::nullopt;
}

// Attributes that are members. Numbers and booleans count as their texts, as in headers.
void JsonUnwrapper::PutMembers(JsonScanner& fields) {
  for (std::size_t i = 0; i < attributes_.size(); ++i) {
    const JsonElement* const member = wrapped_.Find(attributes_[i].number);
    if (member == nullptr) continue;
    std::string_view text = member->text;
    switch (member->kind) {
      case JsonElement::Kind::kObject:
      case JsonElement::Kind::kArray:
        continue;
      case JsonElement::Kind::kBoolean:
        text = member->is_true ? "true" : "false";
        break;
      default:
        break;
    }
    if (member->has_escapes) {
      JsonScanner::Unescape(text, unescaped_[i]);
      text = unescaped_[i];
    }
    fields.Put(attributes_[i].number, {.kind = JsonElement::Kind::kString, .text = text});
  }
}

}  // namespace sash
