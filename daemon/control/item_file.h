// The file of `jobs add` and `windows add`: an item of the configuration as YAML or JSON.
//
// Thread safety: free functions.
#pragma once

#include <string>

#include "windows/base/result.h"

namespace sash {

// What the API takes: JSON as it is in the file, YAML as the same JSON. `path` - is standard input.
// Fails, saying where, when the file cannot be read or holds no mapping. What its keys mean is for
// the daemon to judge.
Result<std::string> ReadItemFile(const std::string& path);

// The same of its content.
Result<std::string> ItemJson(const std::string& path, const std::string& content);

}  // namespace sash
