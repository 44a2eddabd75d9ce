// The file of `jobs add`, `windows add` and `alerts add`: an item of the configuration as YAML or
// JSON.
//
// Thread safety: free functions.
#pragma once

#include <string>

#include "windows/base/result.h"

namespace sash {

// Returns what the API accepts: a JSON file unchanged, YAML converted to JSON. `path` "-" is
// standard input. Returns an error with the place when the file cannot be read or holds no mapping.
// The daemon checks the keys.
Result<std::string> ReadItemFile(const std::string& path);

// The same for the file's content.
Result<std::string> ItemJson(const std::string& path, const std::string& content);

}  // namespace sash
