#include "connectors/codec/envelope_uses.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_unwrapper.h"
#include "connectors/codec/window_judge.h"

namespace sash {
namespace {

using From = EnvelopeField::From;

// Nothing when the field is in the value.
std::optional<std::string> BesideText(const std::string& pointer) {
  if (IsEnvelopeText(pointer)) return pointer;
  return std::nullopt;
}
std::optional<std::string> BesideText(const CsvColumn& column) {
  if (const auto* name = std::get_if<EnvelopeName>(&column)) return name->text;
  return std::nullopt;
}

std::optional<EnvelopeUse> UseOf(const FilterField& field) {
  switch (field.from) {
    case FilterField::From::kKey:
      return EnvelopeUse{"where", "$key", {.from = From::kKey}};
    case FilterField::From::kHeader:
      return EnvelopeUse{
          "where", "$header." + field.name, {.from = From::kHeader, .name = field.name}};
    case FilterField::From::kTopic:
      return EnvelopeUse{"where", "$topic", {.from = From::kTopic}};
    case FilterField::From::kPartition:
      return EnvelopeUse{"where", "$partition", {.from = From::kPartition}};
    case FilterField::From::kTimestamp:
      return EnvelopeUse{"where", "$timestamp", {.from = From::kTimestamp}};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<EnvelopeUse> EnvelopeUsesOf(const FormatSpec& format) {
  std::vector<EnvelopeUse> uses;
  if (!format.mappings.empty()) {
    for (const FormatSpec& each : format.mappings) {
      for (EnvelopeUse& use : EnvelopeUsesOf(each)) uses.push_back(std::move(use));
    }
    return uses;
  }
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  const bool is_event = json != nullptr && json->unwrap == Unwrap::kCloudEvents;
  std::size_t edge = 0;
  format.ForEachEdge([&](const auto& mapping) {
    ForEachField(mapping, [&](MappedField field, const auto& where) {
      const std::optional<std::string> text = BesideText(where);
      if (!text) return;
      Result<EnvelopeField> from = ParseEnvelopeField(*text);
      if (!from.ok() || (is_event && IsAttribute(from.value().name))) return;
      uses.push_back({Name(field), *text, std::move(from).value(), edge});
    });
    ++edge;
  });
  const Result<RecordFilters> filters = RecordFilters::Make(format);
  if (!filters.ok()) return uses;
  for (const FilterField& field : filters.value().asked()) {
    if (auto use = UseOf(field)) uses.push_back(*std::move(use));
  }
  return uses;
}

std::string FieldsNotInFiles(const FormatSpec& format) {
  std::string list;
  for (const EnvelopeUse& use : EnvelopeUsesOf(format)) {
    if (use.field.is_in_files()) continue;
    list += (list.empty() ? "" : ", ") + use.text;
  }
  return list;
}

Status CheckTimestampUnit(const FormatSpec& format) {
  for (const FormatSpec& each : format.mappings) {
    if (Status right = CheckTimestampUnit(each); !right.ok()) return right;
  }
  if (!format.mappings.empty()) return Ok{};
  if (format.time_origin != TimeOrigin::kField || format.time_unit == TimeUnit::kMilliseconds) {
    return Ok{};
  }
  const bool is_timestamp = format.AnyEdge([](const auto& mapping) {
    return mapping.time && mapping.time_rest.more.empty() &&
           BesideText(*mapping.time) == "$timestamp";
  });
  if (!is_timestamp) return Ok{};
  return Error{ErrorCode::kInvalidArgument,
               "is $timestamp, which counts milliseconds, but times are not read as milliseconds; "
               "give unit: ms, or leave out `time` and give source.time.from: kafka"};
}

}  // namespace sash
