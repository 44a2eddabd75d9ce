// One tree of a configuration and of all that it includes.
//
// An included file counts as if what it holds stood at the end of the file that includes it:
// mappings are joined key by key, windows, jobs and sinks item by item, and everything else that is
// given twice is an error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/config/error_list.h"
#include "daemon/config/yaml_tree.h"
#include "windows/base/result.h"

namespace sash {

// The content of a file, or why it cannot be had.
Result<std::string> ReadConfigFile(const std::string& path);

// Reads `yaml`, the content of `file`, with its references resolved. What is wrong goes to
// `errors`, where each line that the tree carries is known. None: there is nothing that sections
// could read.
std::optional<YamlNode> ReadConfigTree(std::string_view yaml, const std::string& file,
                                       ErrorList& errors);

}  // namespace sash
