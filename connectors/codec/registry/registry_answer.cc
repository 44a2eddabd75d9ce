#include "connectors/codec/registry/registry_answer.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <utility>

namespace sash {
namespace {

using Kind = RegisteredSchema::Kind;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr long kFound = 200;
constexpr long kUnauthorized = 401;
constexpr long kForbidden = 403;
constexpr long kMissing = 404;
constexpr std::size_t kMostShown = 100;

Error NotAnAnswer(std::string message) { return {ErrorCode::kUnavailable, std::move(message)}; }

// The start of a text from outside, without characters that could harm a terminal or a log.
std::string Shown(std::string_view text) {
  std::string shown(text.substr(0, kMostShown));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return shown;
}

std::string_view Text(const object& json, std::string_view name) {
  std::string_view text;
  return json.at_key(name).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::string_view AdviceFor(long status) {
  if (status == kUnauthorized) return "; check user and password of `registry`";
  if (status == kForbidden) return "; the user may not read schemas";
  if (status == kMissing) return "; check `registry.url`";
  return "";
}

Result<RegistryAnswer> ReadSchema(const object& json) {
  std::string_view schema;
  if (json.at_key("schema").get(schema) != simdjson::SUCCESS) {
    return NotAnAnswer("answers without a schema; check that `registry.url` is that of a registry");
  }
  const std::string_view type = Text(json, "schemaType");
  RegistryAnswer answer;
  answer.kind = type.empty() || type == "AVRO" ? Kind::kAvro
                : type == "JSON"               ? Kind::kJson
                                               : Kind::kOther;
  answer.text = answer.kind == Kind::kOther ? Shown(type) : std::string(schema);
  simdjson::dom::array references;
  if (json.at_key("references").get(references) != simdjson::SUCCESS) return answer;
  for (const element each : references) {
    object reference;
    std::int64_t version = 0;
    if (each.get(reference) != simdjson::SUCCESS || Text(reference, "subject").empty() ||
        reference.at_key("version").get(version) != simdjson::SUCCESS) {
      return NotAnAnswer("answers with a reference that has no subject or version");
    }
    answer.references.push_back({std::string(Text(reference, "subject")), version});
  }
  return answer;
}

}  // namespace

Result<RegistryAnswer> ReadRegistryAnswer(long status, std::string_view body) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(body);
  object json;
  const bool is_json = parser.parse(padded).get(json) == simdjson::SUCCESS;
  if (status == kFound && is_json) return ReadSchema(json);
  std::int64_t code = 0;
  const bool has_code = is_json && json.at_key("error_code").get(code) == simdjson::SUCCESS;
  // 40401, 40402 and 40403: there is no such subject, version, schema. A 404 without such a code
  // comes from something else, for example from a proxy.
  if (status == kMissing && code >= 40401 && code <= 40403) return RegistryAnswer{};
  std::string message = fmt::format("answers {}", status);
  if (has_code) message += fmt::format(" ({}: {})", code, Shown(Text(json, "message")));
  if (status == kFound) message += ", but not with JSON";
  return NotAnAnswer(message + std::string(AdviceFor(status)));
}

}  // namespace sash
