#include "daemon/check_config.h"

#include <algorithm>
#include <variant>

#include "connectors/kafka/kafka_options.h"

namespace sash {
namespace {

constexpr std::string_view kOptions = "source.kafka.options";

// The line of `key`, or of the nearest section around it that is there.
int LineOf(const ParsedConfig& parsed, std::string key) {
  while (!key.empty()) {
    if (const auto found = parsed.lines.find(key); found != parsed.lines.end()) {
      return found->second;
    }
    const std::size_t dot = key.rfind('.');
    key = dot == std::string::npos ? "" : key.substr(0, dot);
  }
  return 1;
}

}  // namespace

ParsedConfig LoadAndCheckConfig(const std::string& path) {
  ParsedConfig parsed = LoadConfig(path);
  const auto* kafka = std::get_if<KafkaSpec>(&parsed.config.source.connector);
  if (kafka == nullptr || kafka->options.empty()) return parsed;
  for (const KafkaOptionError& error : FindWrongKafkaOptions(*kafka)) {
    std::string key(kOptions);
    if (!error.key.empty()) key += "." + error.key;
    parsed.errors.push_back({path, LineOf(parsed, key), key, error.what});
  }
  std::ranges::stable_sort(parsed.errors, {}, &ConfigError::line);
  return parsed;
}

}  // namespace sash
