#include "daemon/infer/sample_envelope.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

bool HoldsField(const SampleTable& table, std::string_view name) {
  return std::ranges::any_of(table.fields,
                             [&](const SampledField& field) { return field.name == name; });
}

bool HoldsMembers(const SampleTable& table, const std::string& pointer) {
  return std::ranges::any_of(table.fields, [&](const SampledField& field) {
    return field.name.starts_with(pointer + "/");
  });
}

// `content`: where the fields are that stay. `time`: that of the envelope, which is written as
// `reference`; it is before the others, so of equal times it is the first.
void KeepContent(const std::string& content, std::string_view time, const std::string& reference,
                 SampleTable& table) {
  std::vector<SampledField> kept;
  for (SampledField& field : table.fields) {
    if (field.name == time) {
      field.name = "/timestamp";
      field.label = reference;
      field.reference = Quote(reference);
      kept.insert(kept.begin(), std::move(field));
    } else if (field.name.starts_with(content + "/")) {
      field.name.erase(0, content.size());
      field.label = field.name;
      field.reference = YamlWord(field.name);
      kept.push_back(std::move(field));
    }
  }
  table.fields = std::move(kept);
}

bool IsChange(const SampleTable& table, const std::string& event) {
  return HoldsField(table, event + "/op") && HoldsMembers(table, event + "/source") &&
         HoldsMembers(table, event + "/after");
}

}  // namespace

void TakeOffEnvelope(SampleShape& shape) {
  SampleTable& table = shape.table;
  for (const std::string event : {"", "/payload"}) {
    if (!IsChange(table, event)) continue;
    shape.unwrap = "debezium";
    shape.reasons.emplace_back(
        "The records are changes of rows, as Debezium writes them (`unwrap: debezium`): fields are "
        "those of the row, and updates and deletes remove edges.");
    const bool has_time = HoldsField(table, event + "/source/ts_ms");
    const std::string time = has_time ? "/source/ts_ms" : "/ts_ms";
    return KeepContent(event + "/after", event + time, "$record" + time, table);
  }
  if (!HoldsField(table, "/specversion") || !HoldsMembers(table, "/data")) return;
  shape.unwrap = "cloudevents";
  shape.reasons.emplace_back(
      "The records are CloudEvents (`unwrap: cloudevents`): fields are those of their data.");
  KeepContent("/data", "/time", "$header.ce_time", table);
}

}  // namespace sash
