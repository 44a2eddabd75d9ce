#include "daemon/check/schemas.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "connectors/codec/avro/avro_schema.h"
#include "connectors/sinks/regular_file.h"
#include "daemon/config/error_list.h"

namespace sash {
namespace {

// What is wrong with the file; empty: nothing.
std::string ReadSchemaFile(AvroSpec& spec) {
  Result<std::string> text = ReadRegularFile(spec.path, AvroSchema::kMostBytes);
  if (!text.ok()) {
    return fmt::format("`{}` cannot be read: {}; give the path of a file with an Avro schema",
                       spec.path, text.error().message);
  }
  spec.text = std::move(text).value();
  if (spec.text.starts_with("Obj\x01")) {
    return fmt::format("`{}` is a file of records in Avro; give their schema, as JSON (.avsc)",
                       spec.path);
  }
  const Result<AvroSchema> schema = AvroSchema::Parse({&spec.text, 1});
  return schema.ok() ? "" : fmt::format("`{}`: {}", spec.path, schema.error().message);
}

void CheckPair(const std::string& registry, const char* one, bool has_one, const char* other,
               bool has_other, ParsedConfig& parsed) {
  if (has_one == has_other) return;
  parsed.Fail(registry + "." + (has_one ? other : one),
              fmt::format("is missing: `{}` is given, and needs it", has_one ? one : other));
}

// `key`: of the mapping.
void AddSchema(const std::string& key, FormatSpec& format, ParsedConfig& parsed) {
  if (format.registry) {
    const RegistrySpec& registry = *format.registry;
    const std::string at = key + ".registry";
    CheckPair(at, "user", !registry.user.empty(), "password", !registry.password.text.empty(),
              parsed);
    CheckPair(at, "certificate", !registry.certificate.empty(), "key", !registry.key.empty(),
              parsed);
  }
  auto* mapping = std::get_if<JsonMapping>(&format.mapping);
  if (mapping == nullptr || !mapping->avro) return;
  const std::string schema_key = key + ".avro.schema";
  const std::string either = fmt::format(
      "give schema: FILE if all records have one schema, or {}.registry if each record names its "
      "schema",
      key);
  if (mapping->avro->path.empty()) {
    if (!format.registry) parsed.Fail(key + ".avro", "has no schema; " + either);
    return;
  }
  if (format.registry) {
    return parsed.Fail(schema_key, "is given together with a registry; " + either);
  }
  if (std::string why = ReadSchemaFile(*mapping->avro); !why.empty()) {
    return parsed.Fail(schema_key, std::move(why));
  }
  if (format.tombstone != TombstonePolicy::kRemove) return;
  parsed.Fail(
      key + ".tombstone",
      "is `remove`, which reads the key of the record, but the schema is that of its value; "
      "give a registry, or ignore or dead_letter");
}

}  // namespace

void AddSchemas(ParsedConfig& parsed) {
  FormatSpec& format = parsed.config.source.format;
  if (format.mappings.empty()) return AddSchema("source.format", format, parsed);
  for (std::size_t i = 0; i < format.mappings.size(); ++i) {
    AddSchema(JoinIndex("source.mappings", i), format.mappings[i], parsed);
  }
}

}  // namespace sash
