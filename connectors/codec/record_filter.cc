#include "connectors/codec/record_filter.h"

#include <memory>
#include <optional>
#include <variant>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_unwrapper.h"

namespace sash {
namespace {

// How fields are written in an expression of this format.
FilterFields FieldsOf(const FormatSpec& format) {
  const auto* csv = std::get_if<CsvMapping>(&format.mapping);
  if (csv == nullptr) return FilterFields::kPointers;
  return NamesColumns(*csv) ? FilterFields::kColumnNames : FilterFields::kColumnNumbers;
}

}  // namespace

Result<FilterTree> ParseRecordFilter(std::string_view text, const FormatSpec& format) {
  Result<FilterTree> tree = FilterTree::Parse(text, FieldsOf(format));
  if (!tree.ok()) return tree;
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  for (FilterField& field : tree.value().fields) {
    const bool is_event = json != nullptr && json->unwrap == Unwrap::kCloudEvents;
    if (is_event && field.from == FilterField::From::kHeader && IsAttribute(field.name)) {
      field.from = FilterField::From::kAttribute;
    }
  }
  return tree;
}

Result<std::optional<RecordFilter>> RecordFilter::Make(const FormatSpec& format) {
  if (format.where.empty()) return std::optional<RecordFilter>();
  Result<FilterTree> tree = ParseRecordFilter(format.where, format);
  if (!tree.ok()) return std::move(tree).error();
  auto shared = std::make_shared<const FilterTree>(std::move(tree).value());
  return std::optional<RecordFilter>(RecordFilter(FilterRun(std::move(shared))));
}

FilterValue RecordFilter::OfEnvelope(const FilterField& field, const RecordEnvelope* envelope) {
  if (envelope == nullptr) return FilterValue::Null();
  switch (field.from) {
    case FilterField::From::kKey:
      return envelope->key ? FilterValue::Text(*envelope->key) : FilterValue::Null();
    case FilterField::From::kHeader: {
      const auto value = FindHeader(envelope->headers, field.name);
      return value ? FilterValue::Text(*value) : FilterValue::Null();
    }
    case FilterField::From::kTopic:
      return FilterValue::Text(envelope->topic);
    case FilterField::From::kPartition:
      return FilterValue::Integer(envelope->partition);
    case FilterField::From::kTimestamp:
      return envelope->timestamp_ms ? FilterValue::Integer(*envelope->timestamp_ms)
                                    : FilterValue::Null();
    default:
      return FilterValue::Null();
  }
}

}  // namespace sash
