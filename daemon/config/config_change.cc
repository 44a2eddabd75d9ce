#include "daemon/config/config_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "daemon/config/error_list.h"
#include "daemon/config/known_keys.h"
#include "daemon/config/parse_config.h"
#include "daemon/config/yaml_tree.h"
#include "windows/base/check.h"

namespace sash {
namespace {

struct Leaf {
  std::string text;
  bool live = false;
};
using Leaves = std::map<std::string, Leaf>;

std::string TextOf(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::kList) {
    std::vector<std::string> items;
    for (const YamlNode& item : node.items) items.push_back(TextOf(item));
    return "[" + WithCommas(items) + "]";
  }
  if (node.kind == YamlNode::Kind::kMapping) {
    std::vector<std::string> entries;
    for (const YamlEntry& entry : node.entries) {
      entries.push_back(entry.key + ": " + TextOf(entry.value));
    }
    return "{" + WithCommas(entries) + "}";
  }
  return node.text;
}

std::string ValueOf(const YamlNode& mapping, std::string_view key) {
  const auto found = std::ranges::find(mapping.entries, key, &YamlEntry::key);
  return found == mapping.entries.end() ? "" : found->value.text;
}

// Collects a printed configuration key by key. The key table tells which section a mapping is.
class LeafCollector {
 public:
  explicit LeafCollector(const Config& config) {
    const YamlDocument printed = ReadYaml(PrintConfig(config));
    SASH_CHECK(printed.root.has_value());
    Collect(*printed.root, SectionOf(""), "");
  }
  Leaves Take() { return std::move(leaves_); }

 private:
  void Collect(const YamlNode& mapping, const SectionSpec& section, const std::string& path) {
    if (mapping.entries.empty()) leaves_[path] = {"{}", false};
    for (const YamlEntry& entry : mapping.entries) {
      const KeySpec* const key = FindKey(section, entry.key);
      SASH_CHECK(key != nullptr);
      const std::string name = JoinKey(path, entry.key);
      if (!Descend(entry.value, *key, mapping, name)) {
        leaves_[name] = {TextOf(entry.value), key->change == Change::kLive};
      }
    }
  }

  // False: the value is a leaf.
  bool Descend(const YamlNode& value, const KeySpec& key, const YamlNode& around,
               const std::string& name) {
    for (const Shape& shape : key.shapes) {
      if (std::holds_alternative<KernelParameters>(shape)) {
        const std::string kernel = ValueOf(around, "kernel");
        Collect(value, SectionOf(fmt::format("jobs[].parameters<{}>", kernel)), name);
        return true;
      }
      const auto* section = std::get_if<SectionShape>(&shape);
      if (section != nullptr && value.kind == YamlNode::Kind::kMapping &&
          key.change == Change::kRestart) {
        Collect(value, SectionOf(section->section), name);
        return true;
      }
      const auto* items = std::get_if<Items>(&shape);
      if (items == nullptr || !std::holds_alternative<SectionShape>(items->item)) continue;
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        const YamlNode& item = value.items[i];
        const std::string own = ValueOf(item, "name");
        Collect(item, SectionOf(std::get<SectionShape>(items->item).section),
                own.empty() ? JoinIndex(name, i) : fmt::format("{}[{}]", name, own));
      }
      return true;
    }
    return false;
  }

  Leaves leaves_;
};

// Whether the key is of a job or alert, which a running process changes as a whole.
bool IsOfJobOrAlert(const std::string& key) {
  return key.starts_with("jobs[") || key.starts_with("alerts[");
}

// Whether the key is of a window, or names one that was added or removed.
bool IsOfWindow(const std::string& key) { return key.starts_with("windows["); }

bool CanBecome(const WindowSpec& running, const WindowSpec& wanted, const WindowPanes& panes) {
  if (running.by != wanted.by) return false;
  const auto pane = panes.find(wanted.by);
  return pane == panes.end() || FitsPane(wanted, pane->second);
}

const WindowSpec* FindWindow(const Config& config, std::string_view name) {
  const auto found = std::ranges::find(config.windows, name, &WindowSpec::name);
  return found == config.windows.end() ? nullptr : &*found;
}

// Whether the key belongs to a window, in both configurations, that must not change while running.
bool IsOfFixedWindow(const std::string& key, const Config& before, const Config& after,
                     const WindowPanes& panes) {
  return std::ranges::any_of(before.windows, [&](const WindowSpec& window) {
    const WindowSpec* const wanted = FindWindow(after, window.name);
    return wanted != nullptr && !CanBecome(window, *wanted, panes) &&
           key.starts_with("windows[" + window.name + "].");
  });
}

// The keys of `leaves` that are missing in `others`. A missing window, job or sink is one key.
std::set<std::string> KeysWithout(const Leaves& leaves, const Leaves& others) {
  std::set<std::string> keys;
  for (const auto& [key, leaf] : leaves) {
    if (others.contains(key)) continue;
    const std::string item = key.substr(0, key.find(']') + 1);  // "": not in a list
    const auto near = others.lower_bound(item + ".");
    const bool kept = near != others.end() && near->first.starts_with(item + ".");
    keys.insert(item.empty() || kept ? key : item);
  }
  return keys;
}

void AddSecretChanges(const Config& before, const Config& after,
                      std::vector<ConfigChange>& changes) {
  const auto compare = [&](const std::string& key, const auto* from, const auto* to) {
    if (from == nullptr || to == nullptr || from->options == to->options) return;
    const auto is_said = [&](const ConfigChange& change) { return change.key.starts_with(key); };
    if (std::ranges::any_of(changes, is_said)) return;
    changes.push_back({key, "a secret", "another one", false});
  };
  const auto& old_tokens = before.http.tokens;
  const auto& new_tokens = after.http.tokens;
  if (old_tokens && new_tokens) {
    for (const auto& [key, from, to] :
         {std::tuple("http.tokens.read", old_tokens->read.text, new_tokens->read.text),
          std::tuple("http.tokens.admin", old_tokens->admin.text, new_tokens->admin.text)}) {
      const auto is_said = [&, name = key](const ConfigChange& c) { return c.key == name; };
      if (from == to || std::ranges::any_of(changes, is_said)) continue;
      changes.push_back({key, "a secret", "another one", false});
    }
  }
  compare("source.kafka.options", std::get_if<KafkaSpec>(&before.source.connector),
          std::get_if<KafkaSpec>(&after.source.connector));
  const auto letters = [](const Config& config) {
    const auto& kafka = config.source.dead_letters.kafka;
    return kafka ? &*kafka : nullptr;
  };
  compare("source.dead_letters.options", letters(before), letters(after));
  for (std::size_t i = 0; i < std::min(before.sinks.size(), after.sinks.size()); ++i) {
    compare("sinks[" + std::to_string(i) + "].kafka.options",
            std::get_if<KafkaSinkSpec>(&before.sinks[i]),
            std::get_if<KafkaSinkSpec>(&after.sinks[i]));
  }
}

}  // namespace

std::string ConfigChange::ToString() const {
  if (!before) return key + " is new";
  if (!after) return key + " is gone";
  return fmt::format("{}: {} -> {}", key, *before, *after);
}

bool IsSameJob(const JobSpec& a, const JobSpec& b) {
  if (a.name != b.name || a.window != b.window) return false;
  const auto* plugin = std::get_if<PluginParameters>(&a.parameters);
  const auto* other = std::get_if<PluginParameters>(&b.parameters);
  if (plugin != nullptr && other != nullptr) return plugin->file == other->file;
  return a.parameters.index() == b.parameters.index();
}

std::vector<ConfigChange> FindChanges(const Config& before, const Config& after,
                                      const WindowPanes& panes) {
  const Leaves old_leaves = LeafCollector(before).Take();
  const Leaves new_leaves = LeafCollector(after).Take();
  std::vector<ConfigChange> changes;
  for (const auto& [key, leaf] : old_leaves) {
    const auto other = new_leaves.find(key);
    if (other == new_leaves.end() || other->second.text == leaf.text) continue;
    changes.push_back({key, leaf.text, other->second.text, leaf.live || IsOfJobOrAlert(key)});
  }
  for (const std::string& key : KeysWithout(new_leaves, old_leaves)) {
    changes.push_back({key, std::nullopt, "", IsOfJobOrAlert(key) || IsOfWindow(key)});
  }
  for (const std::string& key : KeysWithout(old_leaves, new_leaves)) {
    changes.push_back({key, "", std::nullopt, IsOfJobOrAlert(key) || IsOfWindow(key)});
  }
  for (ConfigChange& change : changes) {
    change.live = change.live && !IsOfFixedWindow(change.key, before, after, panes);
  }
  AddSecretChanges(before, after, changes);
  std::ranges::sort(changes, {}, &ConfigChange::key);
  return changes;
}

Config WithLiveChanges(const Config& running, const Config& wanted, const WindowPanes& panes) {
  Config config = running;
  TakeLiveKeys(wanted, config);
  config.jobs = wanted.jobs;
  config.alerts = wanted.alerts;
  config.windows = wanted.windows;
  for (WindowSpec& window : config.windows) {
    const WindowSpec* const now = FindWindow(running, window.name);
    if (now == nullptr) continue;
    if (!CanBecome(*now, window, panes)) window = *now;
  }
  return config;
}

}  // namespace sash
