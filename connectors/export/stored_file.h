// Reading the files of an export, also of one that belongs to another process.
//
// Thread safety: free functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/export/owned_descriptor.h"
#include "windows/base/result.h"

namespace sash {

// The content of a file of less than `most` bytes in the folder `at`.
Result<std::string> ReadSmallFile(int at, const std::string& name, std::size_t most);

// A shared lock (flock) on a file, held while the descriptor is open. Waits for a process that is
// removing it. Not open: the file does not exist any more.
OwnedDescriptor LockToRead(int folder, const std::string& name);

// The CRC-32C that manifests state as hexadecimal digits. Nothing if the text is not that.
std::optional<std::uint32_t> ChecksumIn(std::string_view digits);

}  // namespace sash
