#include "daemon/config/config_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "connectors/sinks/regular_file.h"
#include "daemon/config/known_keys.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/yaml_section.h"

namespace sash {
namespace {

// The key of errors that concern the document as a whole.
constexpr std::string_view kDocument = "(yaml)";
constexpr std::string_view kInclude = "include";

int CountLines(std::string_view text) {
  const auto breaks = static_cast<int>(std::ranges::count(text, '\n'));
  return std::max(1, text.ends_with('\n') ? breaks : breaks + 1);
}

// Shifts line numbers to the joined numbering. Clamped: at an unexpected end of the file, the
// parser reports a line after the last one.
void CountThrough(YamlNode& node, int before, int lines) {
  node.line = before + std::clamp(node.line, 1, lines);
  for (YamlNode& item : node.items) CountThrough(item, before, lines);
  for (YamlEntry& entry : node.entries) {
    entry.line = before + std::clamp(entry.line, 1, lines);
    CountThrough(entry.value, before, lines);
  }
}

// Resolves the references in a scalar. On failure, reports an error and marks the node as broken.
void ResolveScalar(YamlNode& node, const Place& place, ErrorList& errors) {
  if (node.text.find('\0') != std::string::npos) {
    errors.Add(place, "contains a NUL character; remove it");
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
               fmt::format("the value of {} contains a NUL character; fix it", node.written));
    node.kind = YamlNode::Kind::kBroken;
  }
}

// Handles what sections need not see: repeated keys (the first stays), keys that are not text,
// foreign tags, references.
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
                 fmt::format("is given twice, on {} and on {}; keep one",
                             errors.Where(first->second, entry.line),
                             errors.Where(entry.line, entry.line)));
      continue;
    }
    Prepare(entry.value, {&entry.value, entry.line, path}, errors);
    kept.push_back(std::move(entry));
  }
  node.entries = std::move(kept);
}

// Whether the lists of several files under this key are joined into one.
bool IsJoinedList(const std::string& key) {
  const KeySpec* const spec = FindKey(SectionOf(""), key);
  if (spec == nullptr) return false;
  return std::ranges::any_of(spec->shapes, [](const Shape& shape) {
    const auto* items = std::get_if<Items>(&shape);
    return items != nullptr && std::holds_alternative<SectionShape>(items->item);
  });
}

void Join(YamlNode& into, YamlNode&& from, const std::string& path, ErrorList& errors) {
  using Kind = YamlNode::Kind;
  for (YamlEntry& entry : from.entries) {
    const std::string key = JoinKey(path, entry.key);
    const auto found = std::ranges::find(into.entries, entry.key, &YamlEntry::key);
    if (found == into.entries.end()) {
      into.entries.push_back(std::move(entry));
      continue;
    }
    YamlNode& value = found->value;
    if (value.kind == Kind::kBroken || entry.value.kind == Kind::kBroken) continue;
    if (value.kind == Kind::kMapping && entry.value.kind == Kind::kMapping) {
      Join(value, std::move(entry.value), key, errors);
    } else if (value.kind == Kind::kList && entry.value.kind == Kind::kList && IsJoinedList(key)) {
      std::ranges::move(entry.value.items, std::back_inserter(value.items));
    } else {
      errors.Add(entry.line, key,
                 fmt::format("is given twice, here and on {}; keep one",
                             errors.Where(found->line, entry.line)));
    }
  }
}

class TreeReader {
 public:
  explicit TreeReader(ErrorList& errors) : errors_(errors) {}

  // `line`: the line that includes the file; 0 for the outermost file.
  std::optional<YamlNode> Read(std::string_view yaml, const std::string& file, int line) {
    const int lines = CountLines(yaml);
    const int before = errors_.AddFile(file, lines);
    lines_of_[Canonical(file)] = line;
    YamlDocument document = ReadYaml(yaml);
    if (document.failure) {
      errors_.Add(before + std::clamp(document.failure->line, 1, lines), std::string(kDocument),
                  document.failure->message);
      incomplete_ = true;
      return std::nullopt;
    }
    const bool outermost = line == 0;
    if (!document.root || document.root->kind == YamlNode::Kind::kEmpty) {
      if (!outermost) return YamlNode{};  // only comments
      errors_.Add(before + 1, std::string(kDocument),
                  "the configuration is empty; give at least source and windows");
      return std::nullopt;
    }
    YamlNode& root = *document.root;
    CountThrough(root, before, lines);
    if (root.kind != YamlNode::Kind::kMapping) {
      errors_.Add(root.line, std::string(kDocument),
                  "the configuration must be a mapping with keys such as source and windows");
      incomplete_ = true;
      return std::nullopt;
    }
    Prepare(root, {&root, before + 1, ""}, errors_);
    IncludeAll(root, file);
    if (incomplete_) return std::nullopt;
    return std::move(root);
  }

 private:
  static std::string Canonical(const std::string& file) {
    std::error_code failure;
    const std::filesystem::path path = std::filesystem::weakly_canonical(file, failure);
    return failure ? file : path.string();
  }

  void IncludeAll(YamlNode& root, const std::string& file) {
    static constexpr std::string_view kFiles = "a list of files, such as [jobs.yaml]";
    const auto found = std::ranges::find(root.entries, kInclude, &YamlEntry::key);
    if (found == root.entries.end()) return;
    const YamlNode list = std::move(found->value);
    const Place place{&list, found->line, std::string(kInclude)};
    root.entries.erase(found);
    for (const Place& item : ItemsAt(place, kFiles, errors_)) {
      const YamlNode* const name = ScalarAt(item, "the path of a file", errors_);
      if (name != nullptr) Include(root, file, item, *name);
    }
  }

  void Include(YamlNode& root, const std::string& from, const Place& item, const YamlNode& name) {
    if (name.text.empty()) {
      errors_.Add(item, "must not be empty; give the path of a file");
      return;
    }
    const std::string file = (std::filesystem::path(from).parent_path() / name.text).string();
    if (const auto known = lines_of_.find(Canonical(file)); known != lines_of_.end()) {
      const std::string where =
          known->second == 0 ? "is the configuration itself"
                             : "is included already, on " + errors_.Where(known->second, item.line);
      errors_.Add(item, WithoutSecret(name, fmt::format("`{}` {}; remove it here", file, where)));
      return;
    }
    const Result<std::string> text = ReadConfigFile(file);
    if (!text) {
      errors_.Add(item, WithoutSecret(name, fmt::format("`{}` {}", file, text.error().message)));
      incomplete_ = true;
      return;
    }
    std::optional<YamlNode> included = Read(text.value(), file, item.line);
    if (included) Join(root, *std::move(included), "", errors_);
  }

  ErrorList& errors_;
  bool incomplete_ = false;              // a file is missing; it may contain other missing keys
  std::map<std::string, int> lines_of_;  // by canonical path
};

}  // namespace

Result<std::string> ReadConfigFile(const std::string& path) {
  constexpr std::size_t kMostBytes = 16 << 20;
  Result<std::string> text = ReadRegularFile(path, kMostBytes);
  if (text) return text;
  std::error_code failure;
  const bool is_missing = text.error().code == ErrorCode::kNotFound &&
                          !std::filesystem::exists(std::filesystem::status(path, failure));
  return Error{ErrorCode::kNotFound,
               "cannot be read: " + (is_missing ? "there is no such file" : text.error().message)};
}

std::optional<YamlNode> ReadConfigTree(std::string_view yaml, const std::string& file,
                                       ErrorList& errors) {
  return TreeReader(errors).Read(yaml, file, 0);
}

}  // namespace sash
