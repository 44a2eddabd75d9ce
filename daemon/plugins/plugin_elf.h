// Whether a file is a whole shared object for this machine. The dynamic linker maps what the header
// of a file names without comparing it with the length of the file: a file that was cut off, or is
// still being copied, would end the process by SIGBUS.
//
// Thread safety: a pure function over the file system.
#pragma once

#include <optional>
#include <string>

namespace sash {

// Why the file cannot be loaded. It may still lack symbols, and what it contains may be wrong.
std::optional<std::string> WhyNotLoadable(const std::string& file);

}  // namespace sash
