#include "daemon/config/key_defaults.h"

#include <fmt/format.h>

#include <array>

#include "daemon/config/error_list.h"
#include "daemon/config/parse_config.h"
#include "daemon/config/sections.h"
#include "daemon/config/yaml_tree.h"
#include "windows/base/check.h"

namespace sash {
namespace {

// Configurations which, printed, show every default.
std::array<std::string, 3> ShowingDefaults() {
  std::string jobs;
  for (const std::string_view kernel : kKernels) {
    const std::string_view more = kernel == ExternalParameters::kKernel ? ", deadline: 1s"
                                  : kernel == PluginParameters::kKernel ? ", plugin: p.so"
                                                                        : "";
    jobs += fmt::format("- {{name: of-{0}, window: w, kernel: {0}, parameters: {1}{2}}}\n", kernel,
                        ShortestParameters(kernel), more);
  }
  return {R"(
source:
  kafka: {topics: [t]}
  format: {json: {source: /s, target: /t}}
  dead_letters: {topic: letters}
windows: [{name: w, length: 2s, slide: 1s}]
sinks: [{file: {path: r}}, {kafka: {topic: results}},
  {webhook: {name: h, url: "https://h"}}]
exports: [{frozen: {path: f, windows: [w]}}, {parquet: {path: g, windows: [w]}}]
alerts: [{name: a, job: of-pagerank}]
jobs:
)" + jobs,
          R"(
source: {replay: {path: e}, format: {csv: {source: 1, target: 2}}}
windows: [{name: w, length: 2s, slide: 1s}]
)",
          R"(
source: {export: {path: e}}
windows: [{name: w, length: 2s, slide: 1s}]
)"};
}

void CollectDefaults(const YamlNode& node, const std::string& path, const std::string& kernel,
                     KeyDefaults& defaults) {
  for (const YamlNode& item : node.items) CollectDefaults(item, path + "[]", kernel, defaults);
  std::string inner = kernel;
  for (const YamlEntry& entry : node.entries) {
    if (path == "jobs[]" && entry.key == "kernel") inner = entry.value.text;
  }
  for (const YamlEntry& entry : node.entries) {
    std::string key = JoinKey(path, entry.key);
    if (key == "jobs[].parameters") key += "<" + inner + ">";
    if (entry.value.kind == YamlNode::Kind::kScalar) defaults.emplace(key, entry.value.text);
    CollectDefaults(entry.value, key, inner, defaults);
  }
}

}  // namespace

KeyDefaults FindDefaults() {
  KeyDefaults defaults;
  for (const std::string& yaml : ShowingDefaults()) {
    const ParsedConfig parsed = ParseConfig(yaml, "");
    SASH_CHECK(parsed.errors.empty());
    const YamlDocument printed = ReadYaml(PrintConfig(parsed.config));
    SASH_CHECK(printed.root.has_value());
    CollectDefaults(*printed.root, "", "", defaults);
  }
  // Values of this function, and defaults that depend on other keys.
  for (const char* key :
       {"source.time.from", "source.dead_letters.topic", "source.dead_letters.brokers",
        "source.dead_letters.outbox.path", "jobs[].plugin", "sinks[].kafka.brokers",
        "sinks[].kafka.outbox.path", "sinks[].webhook.outbox.path"}) {
    defaults.erase(key);
  }
  return defaults;
}

}  // namespace sash
