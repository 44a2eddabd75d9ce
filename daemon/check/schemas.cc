#include "daemon/check/schemas.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "connectors/codec/avro/avro_schema.h"
#include "connectors/sinks/regular_file.h"

namespace sash {
namespace {

constexpr const char* kAvroKey = "source.format.avro";
constexpr const char* kSchemaKey = "source.format.avro.schema";

// What is wrong with the file; empty: nothing.
std::string ReadSchemaFile(AvroSpec& spec) {
  Result<std::string> text = ReadRegularFile(spec.path, AvroSchema::kMostBytes);
  if (!text.ok()) {
    return fmt::format("`{}` cannot be read: {}; give the path of a file with an Avro schema",
                       spec.path, text.error().message);
  }
  spec.text = std::move(text).value();
  const Result<AvroSchema> schema = AvroSchema::Parse({&spec.text, 1});
  return schema.ok() ? "" : fmt::format("`{}`: {}", spec.path, schema.error().message);
}

void CheckPair(const char* one, bool has_one, const char* other, bool has_other,
               ParsedConfig& parsed) {
  if (has_one == has_other) return;
  const std::string registry = "source.format.registry.";
  parsed.Fail(registry + (has_one ? other : one),
              fmt::format("is missing: `{}` is given, and needs it", has_one ? one : other));
}

}  // namespace

void AddSchemas(ParsedConfig& parsed) {
  FormatSpec& format = parsed.config.source.format;
  if (format.registry) {
    const RegistrySpec& registry = *format.registry;
    CheckPair("user", !registry.user.empty(), "password", !registry.password.text.empty(), parsed);
    CheckPair("certificate", !registry.certificate.empty(), "key", !registry.key.empty(), parsed);
  }
  auto* mapping = std::get_if<JsonMapping>(&format.mapping);
  if (mapping == nullptr || !mapping->avro) return;
  constexpr const char* kEither =
      "give schema: FILE if all records have one schema, or source.format.registry if each record "
      "names its schema";
  if (mapping->avro->path.empty()) {
    if (!format.registry) parsed.Fail(kAvroKey, fmt::format("has no schema; {}", kEither));
    return;
  }
  if (format.registry) {
    return parsed.Fail(kSchemaKey, fmt::format("is given together with a registry; {}", kEither));
  }
  if (std::string why = ReadSchemaFile(*mapping->avro); !why.empty()) {
    return parsed.Fail(kSchemaKey, std::move(why));
  }
  if (format.tombstone != TombstonePolicy::kRemove) return;
  parsed.Fail(
      "source.format.tombstone",
      "is `remove`, which reads the key of the record, but the schema is that of its value; "
      "give a registry, or ignore or dead_letter");
}

}  // namespace sash
