#include "daemon/check_config.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "connectors/kafka/kafka_options.h"

namespace sash {
namespace {

constexpr std::string_view kOptions = "source.kafka.options";

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

}  // namespace

ParsedConfig LoadAndCheckConfig(const std::string& path) {
  ParsedConfig parsed = LoadConfig(path);
  const auto* kafka = std::get_if<KafkaSpec>(&parsed.config.source.connector);
  if (kafka == nullptr || kafka->options.empty()) return parsed;
  for (const KafkaOptionError& error : FindWrongKafkaOptions(*kafka)) {
    std::string key(kOptions);
    if (!error.key.empty()) key += "." + error.key;
    const ConfigPlace place = PlaceOf(parsed, key, path);
    parsed.errors.push_back({place.file, place.line, key, error.what});
  }
  std::ranges::stable_sort(parsed.errors, {}, [&](const ConfigError& error) {
    return std::pair(std::ranges::find(parsed.files, error.file), error.line);
  });
  return parsed;
}

}  // namespace sash
