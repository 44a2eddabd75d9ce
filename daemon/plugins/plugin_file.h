// Which files may be loaded as plug-ins.
//
// Thread safety: pure functions over the file system.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "windows/base/result.h"

namespace sash {

// The real path of `path`, without links, if it is a regular file below `allowed` (folders, or the
// files themselves) that belongs, like its folder, to root or to the user of this process, and that
// no other user can write to. The error says which of these it is not, and what would be right.
Result<std::string> PermittedPlugin(const std::string& path,
                                    const std::vector<std::string>& allowed);

// What shows whether a file has changed.
struct PluginFileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;
  std::int64_t changed = 0;  // in nanoseconds

  friend bool operator==(const PluginFileState&, const PluginFileState&) = default;
};

PluginFileState StateOfPlugin(const std::string& file);

}  // namespace sash
