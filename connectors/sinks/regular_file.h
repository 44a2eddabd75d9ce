// Reads a small file whose path comes from a user: a configuration, a secret, a certificate.
//
// Only regular files are read. Other kinds of files can block the process for ever: a named pipe
// without a writer, an endless device.
//
// Thread safety: a free function.
#pragma once

#include <cstddef>
#include <string>

#include "windows/base/result.h"

namespace sash {

// Reads at most `most_bytes`. Error messages do not contain the path. kNotFound: the file cannot be
// opened; kInvalidArgument: it is not a regular file; kOverloaded: it is larger; kUnavailable:
// reading failed.
Result<std::string> ReadRegularFile(const std::string& path, std::size_t most_bytes);

}  // namespace sash
