#include "connectors/codec/schema_source.h"

#include <fmt/format.h>

namespace sash {

std::optional<std::string> WhyNotReadable(const SchemaSource* source, RegisteredSchema::Kind kind,
                                          std::uint32_t id) {
  using Kind = RegisteredSchema::Kind;
  const auto schema = source == nullptr ? nullptr : source->Find(id);
  if (schema == nullptr) {
    const std::string trouble = source == nullptr ? "" : source->Trouble();
    return fmt::format("schema {} is not known: {}", id,
                       trouble.empty() ? "the schema registry has not answered yet" : trouble);
  }
  if (schema->kind == kind) return std::nullopt;
  switch (schema->kind) {
    case Kind::kUnknown:
      return fmt::format(
          "the schema registry knows no schema {}; register it, or check that "
          "`registry` is that of the producer",
          id);
    case Kind::kAvro:
      return fmt::format("schema {} is an Avro schema; give `avro` in place of json", id);
    case Kind::kJson:
      return fmt::format("schema {} is a JSON Schema; give `json` in place of avro", id);
    case Kind::kOther:
      break;
  }
  return fmt::format("schema {} is of type {}, which Sash does not read", id,
                     schema->texts.front());
}

}  // namespace sash
