// Reads PEM files with certificates and keys.
//
// Thread safety: a free function that reads a file.
#pragma once

#include <string>

#include "windows/base/result.h"

namespace sash {

// The content of a file of at most 1 MiB. Errors name the path.
Result<std::string> ReadPemFile(const std::string& path);

}  // namespace sash
