// YamlNode: a YAML document as plain values with line numbers. Section readers need no YAML library
// and see every entry of a mapping, including repeated ones.
//
// Thread safety: values.
//
// Invariants:
// (1) `line` counts from 1.
// (2) Aliases are replaced by copies of the nodes they name; a document has at most kMaxNodes
//     nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

struct YamlEntry;

struct YamlNode {
  enum class Kind : std::uint8_t {
    kEmpty,  // nothing, ~ or null
    kScalar,
    kList,
    kMapping,
    kBroken,  // its error is already reported
  };

  Kind kind = Kind::kEmpty;
  int line = 1;
  bool quoted = false;       // a scalar in quotes: text, even if it looks like a number
  bool foreign_tag = false;  // carries a tag beyond YAML's own, such as !include
  std::string text;          // of a scalar, with references resolved
  std::string written;       // the original text, if it contained a reference
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;
};

struct YamlEntry {
  std::string key;
  int line = 1;
  bool textual = true;  // false: the key was a list, a mapping or nothing
  YamlNode value;
};

inline constexpr std::size_t kMaxNodes = 100'000;

struct YamlFailure {
  int line = 1;
  std::string message;
};

struct YamlDocument {
  std::optional<YamlNode> root;  // none: the file is empty, or failed
  std::optional<YamlFailure> failure;
};

// Reads exactly one document.
YamlDocument ReadYaml(std::string_view text);

}  // namespace sash
