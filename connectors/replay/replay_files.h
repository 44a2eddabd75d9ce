// The files that source.replay.path names.
//
// Thread safety: functions; they read the file system.
#pragma once

#include <string>
#include <vector>

#include "windows/base/result.h"

namespace sash {

// Whether `path` is a pattern (*, ? or [...], as of glob(7)) and not the name of a file.
bool IsPattern(const std::string& path);

// The files in the order in which they are read: that of the list, and for a pattern that of the
// bytes of their names. "-" is standard input. Fails if a pattern matches nothing, or if a file is
// named twice.
Result<std::vector<std::string>> FilesOf(const std::vector<std::string>& paths);

// For messages: "standard input", "a.csv", "a.csv and 2 more".
std::string NameOf(const std::vector<std::string>& paths);

}  // namespace sash
