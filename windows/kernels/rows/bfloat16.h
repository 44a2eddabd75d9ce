// Bfloat16: the upper half of a float, two bytes with eight bits of precision and the range of a
// float. It suits values that are summed very often and may be rounded, since the caller
// compensates the rounding later.
//
// Thread safety: like a number.
#pragma once

#include <bit>
#include <cstdint>

namespace sash {

class Bfloat16 {
 public:
  Bfloat16() = default;
  // Rounds to nearest, ties to even. `value` is finite and within the range of a float.
  explicit Bfloat16(double value) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    bits_ = static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
  }
  explicit operator double() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
  }

 private:
  std::uint16_t bits_ = 0;
};

}  // namespace sash
