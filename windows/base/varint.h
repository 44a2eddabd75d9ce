// Integers of variable length (LEB128): seven bits a byte, the lowest first.
//
// Thread safety: like a vector.
#pragma once

#include <cstdint>
#include <vector>

namespace sash {

inline void AppendVarint(std::uint64_t value, std::vector<std::uint8_t>& to) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::uint8_t>(value | 0x80));
  to.push_back(static_cast<std::uint8_t>(value));
}

// Reads what AppendVarint() wrote, and moves `next` behind it.
inline std::uint64_t ReadVarint(const std::uint8_t*& next) {
  std::uint64_t value = 0;
  unsigned shift = 0;
  while ((*next & 0x80) != 0) {
    value |= std::uint64_t{*next++ & 0x7Fu} << shift;
    shift += 7;
  }
  return value | std::uint64_t{*next++} << shift;
}

}  // namespace sash
