#include "connectors/codec/envelope_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>

namespace sash {
namespace {

using From = EnvelopeField::From;

bool IsInKey(const EnvelopeReader::Asked& asked) { return asked.from.pointer.has_value(); }

}  // namespace

Result<std::unique_ptr<EnvelopeReader>> EnvelopeReader::Make(std::vector<Asked> asked) {
  if (asked.empty()) return std::unique_ptr<EnvelopeReader>();
  PointerNode in_key;
  for (const Asked& each : asked) {
    if (!IsInKey(each)) continue;
    Status added = AddPointer(*each.from.pointer, each.number, in_key);
    if (!added.ok()) return std::move(added).error().Within(each.name);
  }
  return std::unique_ptr<EnvelopeReader>(new EnvelopeReader(std::move(asked), std::move(in_key)));
}

EnvelopeReader::EnvelopeReader(std::vector<Asked> asked, PointerNode in_key)
    : asked_(std::move(asked)),
      has_pointers_(std::ranges::any_of(asked_, IsInKey)),
      key_(std::move(in_key)) {
  found_.reserve(asked_.size());
  for (const Asked& each : asked_) {
    const bool is_number = each.from.from == From::kPartition || each.from.from == From::kTimestamp;
    if (!is_number && !IsInKey(each)) {
      texts_ |= FieldSet{1} << each.number;
    }
    reads_headers_ = reads_headers_ || each.from.from == From::kHeader;
  }
}

std::span<const EnvelopeReader::Found> EnvelopeReader::Read(const RecordEnvelope* envelope) {
  found_.clear();
  refusal_.reset();
  if (envelope == nullptr) return found_;
  const bool has_document = has_pointers_ && envelope->key && ScanKey(*envelope->key);
  for (const Asked& each : asked_) {
    switch (each.from.from) {
      case From::kKey:
        if (!IsInKey(each)) {
          if (envelope->key) AddText(each, *envelope->key);
        } else if (const JsonElement* element = has_document ? key_.Find(each.number) : nullptr) {
          found_.push_back({each.number, *element});
        }
        break;
      case From::kHeader:
        if (const auto value = FindHeader(envelope->headers, each.from.name)) AddText(each, *value);
        break;
      case From::kTopic:
        AddText(each, envelope->topic);
        break;
      case From::kPartition:
        AddInteger(each, envelope->partition, partition_);
        break;
      case From::kTimestamp:
        if (envelope->timestamp_ms) AddInteger(each, *envelope->timestamp_ms, timestamp_);
        break;
    }
  }
  return found_;
}

void EnvelopeReader::AddText(const Asked& asked, std::string_view text) {
  if (simdjson::validate_utf8(text.data(), text.size())) {
    found_.push_back({asked.number, {.kind = JsonElement::Kind::kString, .text = text}});
    return;
  }
  if (refusal_) return;
  const bool is_key = asked.from.from == From::kKey;
  refusal_ = Refused{RefusalReason::kInvalidUtf8,
                     fmt::format("{}: the {}{} is not UTF-8", asked.name,
                                 is_key ? "record key" : "header ", asked.from.name)};
}

void EnvelopeReader::AddInteger(const Asked& asked, std::int64_t value,
                                std::array<char, 24>& digits) {
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  constexpr std::size_t kShort = 18;
  found_.push_back({asked.number,
                    {.kind = JsonElement::Kind::kInteger,
                     .integer = value,
                     .is_short = text.size() <= kShort,
                     .text = text}});
}

bool EnvelopeReader::ScanKey(std::string_view key) {
  const char* const wrong = key_.Scan(key);
  if (wrong == nullptr && !key_.has_wide_characters()) return true;
  if (!simdjson::validate_utf8(key.data(), key.size())) {
    refusal_ = Refused{RefusalReason::kInvalidUtf8, "the record key is not UTF-8"};
    return false;
  }
  if (wrong == nullptr) return true;
  refusal_ = Refused{RefusalReason::kInvalidSyntax,
                     fmt::format("the record key is not JSON: at byte {}, {}; $key without a "
                                 "pointer reads it as text",
                                 key_.stopped_at(), wrong)};
  return false;
}

}  // namespace sash
