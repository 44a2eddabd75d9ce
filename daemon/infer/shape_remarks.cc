#include "daemon/infer/shape_remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "daemon/infer/json_fields.h"

namespace sash {
namespace {

bool HasField(const SampleTable& table, std::string_view name) {
  return std::ranges::any_of(table.fields,
                             [&](const SampledField& field) { return field.name == name; });
}

bool HasMembers(const SampleTable& table, const std::string& pointer) {
  return std::ranges::any_of(table.fields, [&](const SampledField& field) {
    return field.name.starts_with(pointer + "/");
  });
}

// The first value that the field has.
const SampledValue* FirstValue(const SampledField& field) {
  const auto found = std::ranges::find_if(
      field.values, [](const SampledValue& value) { return value.kind != SampledKind::kAbsent; });
  return found == field.values.end() ? nullptr : &*found;
}

void AddChanges(const SampleTable& table, std::vector<std::string>& remarks) {
  for (const std::string content : {"", "/payload"}) {
    const bool is_change =
        HasField(table, content + "/op") && HasMembers(table, content + "/source") &&
        (HasMembers(table, content + "/after") || HasMembers(table, content + "/before"));
    if (!is_change) continue;
    remarks.push_back(fmt::format(
        "The records look like changes of rows that Debezium writes. With `unwrap: debezium` in "
        "source.format.json, deletes and updates remove edges; fields are then those of the row "
        "(/x in place of {0}/after/x), and no operation is mapped. Without it, every record is "
        "read as an add.",
        content));
    return;
  }
}

}  // namespace

std::vector<std::string> ShapeRemarks(const SampleTable& table, bool has_edge) {
  std::vector<std::string> remarks;
  if (!table.is_json) return remarks;
  AddChanges(table, remarks);
  if (has_edge) return remarks;
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
