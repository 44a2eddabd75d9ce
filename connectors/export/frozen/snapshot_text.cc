#include "connectors/export/frozen/snapshot_text.h"

#include <fmt/format.h>

#include <string_view>

#include "connectors/export/frozen/frozen_arrays.h"
#include "connectors/export/snapshot_members.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_members.h"

namespace sash {
namespace {

void WriteFrozenKeys(const WindowOutline& outline, JsonText& json) {
  const bool are_integers = outline.kind == KeyKind::kInteger;
  json.Key("keys").BeginObject().Key("kind").Text(are_integers ? "integer" : "string");
  json.Key("count").Unsigned(outline.vertices());
  if (are_integers) {
    json.Key("values").Text(IntegerKeys(outline).name);
  } else {
    json.Key("offsets").Text(KeyOffsets(outline).name);
    json.Key("bytes").Text(KeyTexts(outline).name);
  }
  json.EndObject();
}

// Describes a sparse matrix with the names of binsparse: the rows are the sources of edges, the
// columns their targets. The in-lists are the same matrix, stored by columns.
void WriteFrozenDirection(const FrozenDirection& direction, std::string_view format,
                          const WindowOutline& outline, JsonText& json) {
  json.BeginObject().Key("binsparse").BeginObject();
  json.Key("version").Text("0.1").Key("format").Text(format).Key("shape").BeginArray();
  json.Unsigned(outline.vertices()).Unsigned(outline.vertices()).EndArray();
  json.Key("number_of_stored_values").Unsigned(outline.edges);
  json.Key("data_types").BeginObject();
  json.Key("pointers_to_1").Text(NpyTypeName(direction.starts.type));
  json.Key("indices_1").Text(NpyTypeName(direction.neighbours.type));
  json.Key("values").Text(NpyTypeName(direction.weights.type)).EndObject().EndObject();
  json.Key("pointers_to_1").Text(direction.starts.name);
  json.Key("indices_1").Text(direction.neighbours.name);
  json.Key("values").Text(direction.weights.name);
  if (outline.has_types()) json.Key("types").Text(direction.types.name);
  json.EndObject();
}

}  // namespace

std::string SnapshotText(const Advance& advance, const StoreSpec& policy,
                         const WindowOutline& outline, const std::vector<WrittenColumn>& written,
                         const SnapshotMoment& moment) {
  JsonText json;
  json.BeginObject().Key("frozen").Integer(kFrozenFormat);
  WriteProvenance(advance.provenance, json);
  WritePolicy(policy, json);
  WriteMoment(moment, json);
  WriteFrozenKeys(outline, json);
  if (outline.has_types()) {
    json.Key("types").BeginArray();
    for (const std::string_view word : outline.words) json.Text(word);
    json.EndArray();
  }
  WriteFrozenDirection(OutArrays(outline), "CSR", outline, json.Key("out"));
  WriteFrozenDirection(InArrays(outline), "CSC", outline, json.Key("in"));
  json.Key("files").BeginObject();
  for (const auto& [column, checksum] : written) {
    json.Key(column.name).BeginObject().Key("type").Text(NpyTypeName(column.type));
    json.Key("rows").Unsigned(column.rows).Key("bytes").Unsigned(column.bytes());
    json.Key("crc32c").Text(fmt::format("{:08x}", checksum)).EndObject();
  }
  json.EndObject().EndObject();
  return std::move(json).Take() + "\n";
}

}  // namespace sash
