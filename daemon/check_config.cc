#include "daemon/check_config.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/kafka/kafka_options.h"
#include "connectors/sinks/kafka/producer_options.h"
#include "daemon/http/tls_material.h"

namespace sash {
namespace {

// Where `key` is, or the nearest section around it that is there.
ConfigPlace PlaceOf(const ParsedConfig& parsed, std::string key, const std::string& file) {
  while (!key.empty()) {
    if (const auto found = parsed.places.find(key); found != parsed.places.end()) {
      return found->second;
    }
    const std::size_t dot = key.rfind('.');
    key = dot == std::string::npos ? "" : key.substr(0, dot);
  }
  return {file, 1};
}

// `options`: where the configuration has them.
void Add(const std::string& options, const std::vector<KafkaOptionError>& errors,
         const std::string& path, ParsedConfig& parsed) {
  for (const KafkaOptionError& error : errors) {
    const std::string key = error.key.empty() ? options : options + "." + error.key;
    const ConfigPlace place = PlaceOf(parsed, key, path);
    parsed.errors.push_back({place.file, place.line, key, error.what});
  }
}

void AddTls(const TlsConfig& tls, const std::string& path, ParsedConfig& parsed) {
  if (tls.certificate.empty() || tls.key.empty()) return;  // which is an error already
  for (const TlsTrouble& trouble : ReadTlsMaterial(tls.certificate, tls.key).troubles) {
    const ConfigPlace place = PlaceOf(parsed, trouble.key, path);
    parsed.errors.push_back({place.file, place.line, trouble.key, trouble.what});
  }
}

}  // namespace

ParsedConfig LoadAndCheckConfig(const std::string& path) {
  ParsedConfig parsed = LoadConfig(path);
  const auto* kafka = std::get_if<KafkaSpec>(&parsed.config.source.connector);
  if (kafka != nullptr && !kafka->options.empty()) {
    Add("source.kafka.options", FindWrongKafkaOptions(*kafka), path, parsed);
  }
  const auto& letters = parsed.config.source.dead_letters.kafka;
  if (letters && !letters->options.empty()) {
    Add("source.dead_letters.options", FindWrongProducerOptions(letters->options), path, parsed);
  }
  for (std::size_t i = 0; i < parsed.config.sinks.size(); ++i) {
    const auto* sink = std::get_if<KafkaSinkSpec>(&parsed.config.sinks[i]);
    if (sink == nullptr || sink->options.empty()) continue;
    Add("sinks[" + std::to_string(i) + "].kafka.options",
        FindWrongProducerOptions(sink->options, sink->transactional_id), path, parsed);
  }
  if (parsed.config.http.tls) AddTls(*parsed.config.http.tls, path, parsed);
  std::ranges::stable_sort(parsed.errors, {}, [&](const ConfigError& error) {
    return std::pair(std::ranges::find(parsed.files, error.file), error.line);
  });
  return parsed;
}

}  // namespace sash
