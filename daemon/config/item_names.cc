#include "daemon/config/item_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"

namespace sash {

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
                    // Without any item, the missing list is reported already, or is reported here
                    // if it may be missing.
                    if (std::ranges::find(known, text) != known.end()) return std::string(text);
                    if (known.empty() && key == "window") return std::string(text);
                    if (known.empty()) {
                      return Wrong(fmt::format("there is no {0} `{1}`; add it to {0}s", key, text));
                    }
                    const std::vector<std::string_view> words(known.begin(), known.end());
                    return Wrong(fmt::format("there is no {0} `{1}`{2}; {0}s: {3}", key, text,
                                             Suggestion(text, words), SomeOf(known)));
                  });
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
