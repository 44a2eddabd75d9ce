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

// The numbers of the envelope's members are behind those of all fields.
constexpr std::size_t kFirst = kMappedFields + FilterTree::kMostFields;
constexpr std::size_t kPayload = kFirst;
constexpr std::size_t kData = kFirst + 1;
constexpr std::size_t kBase64 = kFirst + 2;
constexpr std::size_t kSpecVersion = kFirst + 3;
static_assert(kSpecVersion < JsonScanner::kMostPointers);

constexpr FieldSet kFields = (FieldSet{1} << kFirst) - 1;
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

Result<std::unique_ptr<JsonUnwrapper>> JsonUnwrapper::Make(const JsonMapping& mapping,
                                                           const std::vector<Asked>& pointers,
                                                           std::vector<Asked> attributes) {
  if (mapping.unwrap == Unwrap::kNone) return std::unique_ptr<JsonUnwrapper>();
  const bool is_event = mapping.unwrap == Unwrap::kCloudEvents;
  const std::string content = is_event ? "/data" : "/payload";
  PointerNode wrapped;
  Status added = AddPointer(content, is_event ? kData : kPayload, wrapped);
  if (added.ok() && is_event) added = AddPointer("/data_base64", kBase64, wrapped);
  if (added.ok() && is_event) added = AddPointer("/specversion", kSpecVersion, wrapped);
  for (const Asked& each : pointers) {
    if (added.ok()) added = AddPointer(content + each.name, each.number, wrapped);
  }
  for (const Asked& each : attributes) {
    const std::string pointer = PointerTo(std::string_view(each.name).substr(kPrefix.size()));
    if (added.ok()) added = AddPointer(pointer, each.number, wrapped);
  }
  if (!added.ok()) return std::move(added).error();
  return std::unique_ptr<JsonUnwrapper>(
      new JsonUnwrapper(mapping.unwrap, std::move(wrapped), std::move(attributes)));
}

JsonUnwrapper::JsonUnwrapper(Unwrap unwrap, PointerNode wrapped, std::vector<Asked> attributes)
    : unwrap_(unwrap),
      attributes_(std::move(attributes)),
      wrapped_(std::move(wrapped)),
      unescaped_(attributes_.size()) {
  for (const Asked& each : attributes_) attribute_set_ |= FieldSet{1} << each.number;
}

EnvelopeNeeds JsonUnwrapper::needs() const {
  const bool is_event = unwrap_ == Unwrap::kCloudEvents;
  return {.any = is_event, .headers = is_event};
}

std::optional<Refused> JsonUnwrapper::Read(std::string_view record, const RecordEnvelope* envelope,
                                           JsonScanner& fields) {
  if (unwrap_ == Unwrap::kConnect) return ReadConnect(record, fields);
  if (!FindHeader(HeadersOf(envelope), "ce_specversion")) return ReadStructured(record, fields);
  if (auto refused = ScanJson(record, "the record", fields)) return refused;
  return PutHeaders(envelope, fields);
}

std::optional<Refused> JsonUnwrapper::ReadKey(std::string_view key, const RecordEnvelope* envelope,
                                              JsonScanner& fields) {
  if (unwrap_ == Unwrap::kConnect) return ReadConnect(key, fields);
  if (auto refused = ScanJson(key, "the record", fields)) return refused;
  return PutHeaders(envelope, fields);
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
  return ScanJson(data_, "the content of data_base64", fields);
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
