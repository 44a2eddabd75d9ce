// The content of a small file whose path a user has written down: a configuration, a secret, a
// certificate.
//
// Only regular files are read. Anything else that a path may lead to would hold the process for as
// long as somebody likes: a named pipe without a writer, a device without an end.
//
// Thread safety: a free function.
#pragma once

#include <cstddef>
#include <string>

#include "windows/base/result.h"

namespace sash {

// At most `most_bytes`. The message of an error says what is wrong, and is without the path:
// kNotFound: it cannot be opened; kInvalidArgument: it is no regular file; kOverloaded: it is
// larger; kUnavailable: reading failed.
Result<std::string> ReadRegularFile(const std::string& path, std::size_t most_bytes);

}  // namespace sash
