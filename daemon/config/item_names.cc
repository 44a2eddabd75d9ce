#include "daemon/config/item_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"

namespace sash {
namespace {

// `text`, which must be one of the names `known` of the list `one` + "s".
Result<std::string> KnownName(std::string_view text, std::string_view one,
                              const std::vector<std::string>& known) {
  if (std::ranges::find(known, text) != known.end()) return std::string(text);
  if (known.empty()) return Wrong(fmt::format("there is no {0} `{1}`; add it to {0}s", one, text));
  const std::vector<std::string_view> words(known.begin(), known.end());
  return Wrong(fmt::format("there is no {0} `{1}`{2}; {0}s: {3}", one, text,
                           Suggestion(text, words), SomeOf(known)));
}

}  // namespace

std::vector<std::string> WrittenNames(const Section& root, std::string_view key) {
  std::vector<std::string> names;
  if (!root.Has(key)) return names;
  for (const YamlNode& item : root.At(key).node->items) {
    for (const YamlEntry& entry : item.entries) {
      if (entry.key == "name" && entry.value.kind == YamlNode::Kind::kScalar) {
        names.push_back(entry.value.text);
      }
    }
  }
  return names;
}

void RequireNameOf(const Section& section, std::string_view key,
                   const std::vector<std::string>& known, std::string& name) {
  section.Require(key, name, fmt::format("the name of a {}", key),
                  [&](std::string_view text) -> Result<std::string> {
                    // Windows are required, so a missing list of them is reported already.
                    if (known.empty() && key == "window") return std::string(text);
                    return KnownName(text, key, known);
                  });
}

void ReadNamesOf(const Section& section, std::string_view key, std::string_view expected,
                 const std::vector<std::string>& known, std::vector<std::string>& names) {
  const Place place = section.At(key);
  if (place.node->kind == YamlNode::Kind::kEmpty ||
      (place.node->kind == YamlNode::Kind::kList && place.node->items.empty())) {
    return section.Fail(key, fmt::format("is empty; give {}", expected));
  }
  const std::string_view one = key.substr(0, key.size() - 1);
  for (const Place& item : section.Items(key, expected)) {
    const auto parse = [&](std::string_view text) -> Result<std::string> {
      if (std::ranges::find(names, text) == names.end()) return KnownName(text, one, known);
      return Wrong(fmt::format("{} `{}` is listed twice; keep one", one, text));
    };
    std::string name;
    if (ReadAt(item, name, fmt::format("the name of a {}", one), parse, section.errors())) {
      names.push_back(name);
    }
  }
}

void ReadDistinctName(const Section& item, std::vector<std::string>& taken, std::string& name) {
  if (!item.Require("name", name, "a name that is unique in this list", ParseName)) return;
  if (std::ranges::find(taken, name) != taken.end()) {
    item.Fail(
        "name",
        fmt::format("`{}` is taken by an earlier item of this list; give another name", name));
  }
  taken.push_back(name);
}

}  // namespace sash
