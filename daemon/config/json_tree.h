// JSON as the tree that section readers read.
#pragma once

#include <cstddef>
#include <string_view>

#include "daemon/config/yaml_tree.h"
#include "windows/base/result.h"

namespace sash {

inline constexpr std::size_t kDeepestJson = 32;

// An object. Fails, saying why, when it is none, or not JSON, or nested deeper than kDeepestJson,
// or when an object in it has a key twice.
Result<YamlNode> ReadJsonTree(std::string_view json);

}  // namespace sash
