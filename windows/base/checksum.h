// CRC-32C (Castagnoli), of which processors have an instruction: what tells whether bytes are
// those that were written, and whether a record is the one that was read.
//
// Thread safety: a pure function.
#pragma once

#include <cstdint>
#include <string_view>

namespace sash {

// `before`: that of the bytes before these.
std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace sash
