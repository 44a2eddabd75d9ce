// DecimalText: Avro's decimals as text.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sash {

// Writes the number whose unscaled value is `bytes`, 1 to 32 of them, in two's complement, most
// significant byte first, with `scale` digits (at most 77) behind the point; without a point if
// the scale is 0. `to` has room for 96 characters. Returns how many were written.
std::size_t WriteDecimal(std::string_view bytes, std::uint32_t scale, char* to);

}  // namespace sash
