// Which files may be loaded as plug-ins.
//
// Thread safety: pure functions over the file system.
#pragma once

#include <string>
#include <vector>

#include "windows/base/result.h"

namespace sash {

// The real path of `path`, without links, if it is a regular file below `allowed` (folders, or the
// files themselves) that belongs, like its folder, to root or to the user of this process, and that
// nobody else can write to. The error says which of these it is not, and what would be right.
Result<std::string> PermittedPlugin(const std::string& path,
                                    const std::vector<std::string>& allowed);

}  // namespace sash
