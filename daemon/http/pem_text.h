// PEM text: how files with certificates and keys are read.
#pragma once

#include <string>

#include "windows/base/result.h"

namespace sash {

// At most 1 MiB. The error names the path.
Result<std::string> ReadPemFile(const std::string& path);

}  // namespace sash
