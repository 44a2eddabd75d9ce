// source.format.avro: the fields of source.format.json that exist in Avro, and the schema.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "daemon/config/mapping_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

constexpr std::string_view kSchemaNeed = "the path of a file with an Avro schema";

Result<AvroSpec> ParseSchemaPath(std::string_view path) {
  if (path.empty()) return Wrong(fmt::format("is empty; give {}", kSchemaNeed));
  return AvroSpec{.path = std::string(path), .text = {}};
}

struct SchemaFileForm {
  std::vector<Shape> Shapes() const { return {kAnyText}; }
  void Read(const Section& avro, const KeySpec& key, std::optional<AvroSpec>& spec) const {
    AvroSpec read;
    if (avro.Read(key.name, read, kSchemaNeed, ParseSchemaPath)) spec = std::move(read);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::optional<AvroSpec>& spec) const {
    if (spec && !spec->path.empty()) out.Line(depth, key.name, Quote(spec->path));
  }
  // The text is read later, from the file.
  bool Same(const std::optional<AvroSpec>& a, const std::optional<AvroSpec>& b) const {
    return a.has_value() == b.has_value() && (!a || a->path == b->path);
  }
};

}  // namespace

const KeyRows<JsonMapping>& AvroRows() {
  static const KeyRows<JsonMapping> rows = [] {
    KeyRows<JsonMapping> all = PointerRows();
    all.push_back(
        KeyRow<JsonMapping>("schema", &JsonMapping::avro, SchemaFileForm{},
                            "A file with the schema (.avsc) of all records. Without it each record "
                            "names its schema, which `registry` has.")
            .Default("none")
            .Range("the path of a file"));
    return all;
  }();
  return rows;
}

ReadEdges ReadAvroMapping(const Section& avro, const Section& around, FormatSpec& format) {
  ReadEdges edges = ReadPointers(avro, AvroRows(), format);
  auto& mapping = std::get<JsonMapping>(format.mapping);
  if (!mapping.avro) mapping.avro = AvroSpec();
  if (around.Has("edges")) {
    around.Fail("edges",
                "works with json; a record in avro gives one edge, or with `direction: both` one "
                "in each direction");
  }
  return edges;
}

SectionSpec AvroSection() { return SectionFrom("source.format.avro", AvroRows()); }

}  // namespace sash
