#include "daemon/config/parse_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "daemon/config/json_tree.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

// Adds `name` to an item without a name; a different name is an error.
void Name(YamlNode& root, const std::string& name, ErrorList& errors) {
  const auto own = std::ranges::find(root.entries, "name", &YamlEntry::key);
  if (own == root.entries.end()) {
    YamlEntry entry;
    entry.key = "name";
    entry.value.kind = YamlNode::Kind::kScalar;
    entry.value.quoted = true;
    entry.value.text = name;
    root.entries.push_back(std::move(entry));
  } else if (own->value.text != name) {
    errors.Add(1, "name", fmt::format("must be `{}`, as in the path, or left out", name));
  }
}

// `read` is called with the body as a section.
template <typename Spec, typename Read>
ParsedItem<Spec> Parse(std::string_view json, std::string_view keys,
                       const std::optional<std::string>& name, Read read) {
  ParsedItem<Spec> parsed;
  Result<YamlNode> root = ReadJsonTree(json);
  if (!root) {
    parsed.broken = root.error().message;
    return parsed;
  }
  ErrorList errors;
  errors.AddFile("the body", 1);
  if (name) Name(root.value(), *name, errors);
  parsed.spec = read(Section({&root.value(), 1, ""}, keys, errors));
  parsed.errors = errors.TakeSorted();
  KeepReadable(parsed.errors, errors.left_out());
  return parsed;
}

}  // namespace

ParsedItem<JobSpec> ParseJob(std::string_view json, KeyKind keys,
                             const std::vector<std::string>& windows,
                             const std::optional<std::string>& name) {
  std::vector<std::string> names;
  return Parse<JobSpec>(json, "jobs[]", name,
                        [&](const Section& job) { return ReadJob(job, keys, windows, names); });
}

std::optional<std::string> WhyWithoutSnapshots(const JobSpec& job,
                                               const std::vector<ExportSpec>& exports) {
  if (!IsExternal(job.parameters)) return std::nullopt;
  for (const ExportSpec& each : exports) {
    if (each.kind != ExportKind::kFrozen) continue;
    if (std::ranges::find(each.windows, job.window) != each.windows.end()) return std::nullopt;
  }
  return fmt::format(
      "is `{0}`, which has no frozen snapshots; the workers of an external job read them: "
      "add {{frozen: {{path: /dev/shm/sash, windows: [{0}]}}}} to exports",
      job.window);
}

ParsedItem<AlertSpec> ParseAlert(std::string_view json, const Config& config,
                                 const std::optional<std::string>& name) {
  std::vector<std::string> names;
  return Parse<AlertSpec>(json, "alerts[]", name,
                          [&](const Section& alert) { return ReadAlert(alert, config, names); });
}

ParsedItem<WindowSpec> ParseWindow(std::string_view json, bool removals, const SourceConfig& source,
                                   const std::optional<std::string>& name) {
  std::vector<std::string> names;
  return Parse<WindowSpec>(json, "windows[]", name, [&](const Section& window) {
    return ReadWindow(window, removals, source, names);
  });
}

}  // namespace sash
