// Reads a configuration and all included files into one tree.
//
// The content of an included file counts as if it were written at the end of the including file.
// Mappings are merged key by key; lists of windows, jobs, sinks and exports are joined; anything
// else that is given twice is an error.
//
// Thread safety: belongs to one thread; it reads files and environment variables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/config/error_list.h"
#include "daemon/config/yaml_tree.h"
#include "windows/base/result.h"

namespace sash {

// The content of a file, or the reason why it cannot be read.
Result<std::string> ReadConfigFile(const std::string& path);

// Reads `yaml`, the content of `file`, and resolves its references. Errors go to `errors`, which
// can locate every line number in the tree. None: there is no tree that sections could read.
std::optional<YamlNode> ReadConfigTree(std::string_view yaml, const std::string& file,
                                       ErrorList& errors);

}  // namespace sash
