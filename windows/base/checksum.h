// CRC-32C (Castagnoli), which processors compute with an instruction. It detects changed bytes in
// files, and records that differ from those read before. CRC-32 (of gzip and zip) is for formats
// that require it.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace sash {

// `before`: the checksum of the preceding bytes.
std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before = 0);
std::uint32_t Crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace sash
