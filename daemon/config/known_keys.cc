#include "daemon/config/known_keys.h"

#include <algorithm>
#include <array>
#include <set>

#include "windows/base/check.h"

namespace sash {
namespace {

// Names that the user chooses.
constexpr std::array<std::string_view, 7> kFreeKeys = {
    "source.kafka.options.*",          "source.kafka.start.explicit.*",
    "source.kafka.start.explicit.*.*", "source.dead_letters.options.*",
    "sinks[].kafka.options.*",         "sinks[].webhook.headers.*",
    "alerts[].labels.*"};

}  // namespace

const SectionSpec& SectionOf(std::string_view section) {
  const auto found = std::ranges::find(KeyTable(), section, &SectionSpec::section);
  SASH_CHECK(found != KeyTable().end());
  return *found;
}

const KeySpec* FindKey(const SectionSpec& section, std::string_view key) {
  const auto found = std::ranges::find(section.keys, key, &KeySpec::name);
  return found == section.keys.end() ? nullptr : &*found;
}

std::vector<std::string_view> KeysOf(const SectionSpec& section) {
  std::vector<std::string_view> names;
  for (const KeySpec& key : section.keys) names.push_back(key.name);
  return names;
}

std::vector<std::string> KnownKeys() {
  std::set<std::string> patterns(kFreeKeys.begin(), kFreeKeys.end());
  for (const SectionSpec& section : KeyTable()) {
    std::string path(section.section.substr(0, section.section.find('<')));
    if (!path.empty()) path += '.';
    for (const KeySpec& key : section.keys) patterns.insert(path + std::string(key.name));
  }
  return {patterns.begin(), patterns.end()};
}

}  // namespace sash
