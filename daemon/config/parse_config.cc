#include "daemon/config/parse_config.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "daemon/config/config_tree.h"
#include "daemon/config/error_list.h"
#include "daemon/config/job_baselines.h"
#include "daemon/config/job_windows.h"
#include "daemon/config/parse_item.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

// Records the place of each key, for errors that are found after parsing.
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

// Slices are those of event time, and one folder has them all.
void CheckSliceExports(ParsedConfig& parsed) {
  const Config& config = parsed.config;
  bool has_slices = false;
  for (std::size_t i = 0; i < config.exports.size(); ++i) {
    if (!config.exports[i].slices) continue;
    const std::string key = ExportKey(config.exports[i], i, "slices");
    if (std::exchange(has_slices, true)) {
      parsed.Fail(key, "is true in another export too; slices are exported once, so remove one");
    }
    if (std::ranges::find(config.windows, WindowAxis::kEventTime, &WindowSpec::by) ==
        config.windows.end()) {
      parsed.Fail(key,
                  "needs a window by event time, because its slide cuts the slices; add one, "
                  "or leave it out");
    }
  }
}

}  // namespace

void ParsedConfig::Fail(const std::string& key, std::string message) {
  ConfigPlace place{files.empty() ? std::string() : files.front(), 1};
  for (std::string at = key; !at.empty();) {
    if (const auto found = places.find(at); found != places.end()) {
      place = found->second;
      break;
    }
    const std::size_t dot = at.rfind('.');
    at.resize(dot == std::string::npos ? 0 : dot);
  }
  errors.push_back({std::move(place.file), place.line, key, std::move(message)});
}

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
  if (!parsed.errors.empty()) return parsed;
  for (std::size_t i = 0; i < parsed.config.jobs.size(); ++i) {
    const auto why = WhyWithoutSnapshots(parsed.config.jobs[i], parsed.config.exports);
    if (why) parsed.Fail(JoinIndex("jobs", i) + ".window", *why);
    const auto unlive = WhyNotLive(parsed.config.jobs[i], parsed.config.windows);
    if (unlive) parsed.Fail(JoinIndex("jobs", i) + ".visibility", *unlive);
    const auto undated = WhyWithoutSlices(parsed.config.jobs[i], parsed.config.windows);
    if (undated) parsed.Fail(JoinIndex("jobs", i) + ".parameters.in_time_order", *undated);
    // Plug-ins are loaded later (daemon/check).
    if (std::holds_alternative<PluginParameters>(parsed.config.jobs[i].parameters)) continue;
    const auto alone =
        WhyWithoutBaseline(parsed.config.jobs[i], parsed.config.jobs, parsed.config.windows);
    if (alone) parsed.Fail(JoinIndex("jobs", i) + ".baseline.window", *alone);
  }
  CheckSliceExports(parsed);
  return parsed;
}

ParsedConfig LoadConfig(const std::string& path) {
  const Result<std::string> text = ReadConfigFile(path);
  if (!text) return {{}, {{path, 1, "", text.error().message}}, 0, {path}, {}, {}};
  return ParseConfig(text.value(), path);
}

}  // namespace sash
