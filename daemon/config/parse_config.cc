#include "daemon/config/parse_config.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "daemon/config/config_tree.h"
#include "daemon/config/error_list.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

// Where each key is, for errors that are found later, by those who know what a value means.
void CollectPlaces(const YamlNode& node, const std::string& path, const ErrorList& errors,
                   ParsedConfig& parsed) {
  for (std::string& file : FilesReferenced(node.written)) {
    parsed.secret_files.emplace(path, std::move(file));
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string item = JoinIndex(path, i);
    parsed.places[item] = errors.Locate(node.items[i].line);
    CollectPlaces(node.items[i], item, errors, parsed);
  }
  for (const YamlEntry& entry : node.entries) {
    const std::string key = JoinKey(path, entry.key);
    parsed.places[key] = errors.Locate(entry.line);
    CollectPlaces(entry.value, key, errors, parsed);
  }
}

// Of a slide and a disorder, events of both ends may be there at once.
Duration AutoAheadLimit(const Config& config) {
  Duration shortest = Duration::max();
  for (const WindowSpec& window : config.windows) {
    if (window.by == WindowAxis::kEventTime) shortest = std::min(shortest, Duration(window.slide));
  }
  const Duration least = std::max<Duration>(config.source.time.disorder, std::chrono::minutes(1));
  return shortest == Duration::max() ? least : std::max(shortest, least);
}

Config ReadRoot(const Section& root) {
  Config config;
  config.source = ReadSource(root);
  const bool maps_operation =
      std::visit([](const auto& mapping) { return mapping.operation.has_value(); },
                 config.source.format.mapping);
  const bool removals =
      maps_operation || config.source.format.tombstone == TombstonePolicy::kRemove;
  config.windows = ReadWindows(root, removals);
  if (config.source.time.auto_ahead_limit) config.source.time.ahead_limit = AutoAheadLimit(config);
  config.jobs = ReadJobs(root, config.source.format.keys);
  config.sinks = ReadSinks(root, config.source, config.jobs);
  config.http = ReadHttp(root);
  config.log = ReadLog(root);
  config.memory = ReadMemory(root);
  config.recovery = ReadRecovery(root, config.source.is_replay());
  root.Read("shutdown_deadline", config.shutdown_deadline);
  return config;
}

}  // namespace

ParsedConfig ParseConfig(std::string_view yaml, const std::string& file) {
  ErrorList errors;
  ParsedConfig parsed;
  if (const std::optional<YamlNode> root = ReadConfigTree(yaml, file, errors)) {
    // A missing top-level key is reported on line 1.
    parsed.config = ReadRoot(Section({&*root, 1, ""}, "", errors));
    CollectPlaces(*root, "", errors, parsed);
  }
  parsed.errors = errors.TakeSorted();
  parsed.left_out = errors.left_out();
  parsed.files = errors.FileNames();
  return parsed;
}

ParsedConfig LoadConfig(const std::string& path) {
  const Result<std::string> text = ReadConfigFile(path);
  if (!text) return {{}, {{path, 1, "", text.error().message}}, 0, {path}, {}, {}};
  return ParseConfig(text.value(), path);
}

}  // namespace sash
