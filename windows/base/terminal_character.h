// Which characters act on a terminal instead of being shown. Text from outside, such as the keys of
// vertices, is printed without them.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>

namespace sash {

// Control characters, and characters that break lines, change the direction of writing or are
// invisible.
constexpr bool ActsOnTerminal(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
         (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code < 0xe0100);
}

}  // namespace sash
