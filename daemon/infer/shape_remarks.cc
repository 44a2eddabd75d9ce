#include "daemon/infer/shape_remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "daemon/infer/json_fields.h"

namespace sash {
namespace {

// The first value that the field has.
const SampledValue* FirstValue(const SampledField& field) {
  const auto found = std::ranges::find_if(
      field.values, [](const SampledValue& value) { return value.kind != SampledKind::kAbsent; });
  return found == field.values.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> ShapeRemarks(const SampleTable& table, bool has_edge) {
  std::vector<std::string> remarks;
  if (!table.is_json || has_edge) return remarks;
  for (const SampledField& field : table.fields) {
    const SampledValue* const value = FirstValue(field);
    if (value == nullptr) continue;
    if (value->kind == SampledKind::kList) {
      remarks.push_back(
          fmt::format("{} is a list. If each of its elements is one side of an edge, or holds one, "
                      "give `each: {}` in source.format.json.",
                      field.label, field.reference));
    } else if (value->kind == SampledKind::kText && ReadJsonFields(value->text)) {
      remarks.push_back(fmt::format(
          "{} is a string that holds JSON. With `text_at: {}` in source.format.json, fields are "
          "those of that JSON.",
          field.label, field.reference));
    }
  }
  return remarks;
}

}  // namespace sash
