// Converts JSON to the tree that section readers use.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "daemon/config/yaml_tree.h"
#include "windows/base/result.h"

namespace sash {

inline constexpr std::size_t kDeepestJson = 32;

// Reads a JSON object. Fails if the text is not JSON or not an object, is nested deeper than
// kDeepestJson, or contains an object with a repeated key.
Result<YamlNode> ReadJsonTree(std::string_view json);

}  // namespace sash
