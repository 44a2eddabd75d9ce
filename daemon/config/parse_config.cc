#include "daemon/config/parse_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "daemon/config/error_list.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

// The key of errors that concern the document as a whole.
constexpr std::string_view kDocument = "(yaml)";

int LastLine(std::string_view text) {
  const auto breaks = static_cast<int>(std::ranges::count(text, '\n'));
  return std::max(1, text.ends_with('\n') ? breaks : breaks + 1);
}

// Makes a scalar ready to be read: its references resolved, or an error and a broken node.
void ResolveScalar(YamlNode& node, const Place& place, ErrorList& errors) {
  if (node.text.find('\0') != std::string::npos) {
    errors.Add(place, "holds a NUL character; remove it");
    node.kind = YamlNode::Kind::kBroken;
    return;
  }
  Result<ResolvedText> resolved = ResolveReferences(node.text);
  if (!resolved) {
    errors.Add(place, resolved.error().message);
    node.kind = YamlNode::Kind::kBroken;
    return;
  }
  if (resolved.value().has_references) node.written = node.text;
  node.text = std::move(resolved).value().text;
  if (node.text.find('\0') != std::string::npos) {
    errors.Add(place,
               fmt::format("what {} stands for holds a NUL character; mend it", node.written));
    node.kind = YamlNode::Kind::kBroken;
  }
}

// What no section needs to see: repeated keys (the first stays), keys that are no text, foreign
// tags, references.
void Prepare(YamlNode& node, const Place& place, ErrorList& errors) {
  if (node.foreign_tag) {
    errors.Add(place, "has a tag; tags (such as !include) are not supported, remove it");
    node.kind = YamlNode::Kind::kBroken;
    return;
  }
  if (node.kind == YamlNode::Kind::kScalar) ResolveScalar(node, place, errors);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    YamlNode& item = node.items[i];
    Prepare(item, {&item, item.line, JoinIndex(place.path, i)}, errors);
  }
  std::map<std::string, int> lines;
  std::vector<YamlEntry> kept;
  for (YamlEntry& entry : node.entries) {
    if (!entry.textual) {
      errors.Add(
          entry.line, place.path.empty() ? std::string(kDocument) : place.path,
          "has a key that is not text; a key is one word, such as `name` (in quotes if it is "
          "null or ~)");
      continue;
    }
    const std::string path = JoinKey(place.path, entry.key);
    const auto [first, fresh] = lines.emplace(entry.key, entry.line);
    if (!fresh) {
      errors.Add(entry.line, path,
                 fmt::format("is given twice, on line {} and on line {}; keep one", first->second,
                             entry.line));
      continue;
    }
    Prepare(entry.value, {&entry.value, entry.line, path}, errors);
    kept.push_back(std::move(entry));
  }
  node.entries = std::move(kept);
}

// Where each key is, for errors that are found later, by those who know what a value means.
void CollectLines(const YamlNode& node, const std::string& path,
                  std::map<std::string, int>& lines) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string item = JoinIndex(path, i);
    lines[item] = node.items[i].line;
    CollectLines(node.items[i], item, lines);
  }
  for (const YamlEntry& entry : node.entries) {
    const std::string key = JoinKey(path, entry.key);
    lines[key] = entry.line;
    CollectLines(entry.value, key, lines);
  }
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
  config.jobs = ReadJobs(root, config.source.format.keys);
  config.sinks = ReadSinks(root, config.source);
  config.http = ReadHttp(root);
  config.log = ReadLog(root);
  config.memory = ReadMemory(root);
  root.Read("shutdown_deadline", config.shutdown_deadline);
  return config;
}

}  // namespace

ParsedConfig ParseConfig(std::string_view yaml, const std::string& file) {
  ErrorList errors(file);
  ParsedConfig parsed;
  YamlDocument document = ReadYaml(yaml);
  if (document.failure) {
    errors.Add(document.failure->line, std::string(kDocument), document.failure->message);
  } else if (!document.root || document.root->kind == YamlNode::Kind::kEmpty) {
    errors.Add(1, std::string(kDocument),
               "the configuration is empty; give at least source and windows");
  } else if (document.root->kind != YamlNode::Kind::kMapping) {
    errors.Add(document.root->line, std::string(kDocument),
               "the configuration must be a mapping with keys such as source and windows");
  } else {
    // A missing top-level key is reported on line 1.
    const Place place{&*document.root, 1, ""};
    Prepare(*document.root, place, errors);
    parsed.config = ReadRoot(Section(place, "", errors));
    CollectLines(*document.root, "", parsed.lines);
  }
  parsed.errors = errors.TakeSorted(LastLine(yaml));
  return parsed;
}

ParsedConfig LoadConfig(const std::string& path) {
  const auto fail = [&](std::string message) {
    return ParsedConfig{{}, {{path, 1, "", std::move(message)}}, {}};
  };
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) return fail("cannot be read: there is no such file");
  if (std::filesystem::is_directory(status)) return fail("cannot be read: it is a folder");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail("cannot be read: check its permissions");
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad() || (text.fail() && stream.peek() != std::ifstream::traits_type::eof())) {
    return fail("cannot be read: reading failed");
  }
  return ParseConfig(text.str(), path);
}

}  // namespace sash
