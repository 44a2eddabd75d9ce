// CRC-32C (Castagnoli), of which processors have an instruction: what tells whether bytes of a
// checkpoint are those that were written.
//
// Thread safety: a pure function.
#pragma once

#include <cstdint>
#include <string_view>

namespace sash {

std::uint32_t Crc32c(std::string_view bytes);

}  // namespace sash
