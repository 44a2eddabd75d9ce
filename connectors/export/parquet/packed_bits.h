// Numbers of a few bits, one after the other, the lowest bits first.
//
// Thread safety: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace sash {

// Appends `size` numbers of `width` bits (0 to 64), which have no higher bits. REQUIRES: `size` is
// a multiple of 8, so that whole bytes result.
template <typename Number>
void PackBits(const Number* numbers, std::size_t size, unsigned width, std::string& out) {
  constexpr unsigned kWord = 64;
  if (width == 0) return;
  const std::size_t begin = out.size();
  out.resize(begin + size * width / 8 + sizeof(std::uint64_t));
  char* to = out.data() + begin;
  std::uint64_t word = 0;
  unsigned used = 0;  // bits of the word
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t number = numbers[i];
    word |= number << used;
    used += width;
    if (used < kWord) continue;
    std::memcpy(to, &word, sizeof word);
    to += sizeof word;
    used -= kWord;
    word = used == 0 ? 0 : number >> (width - used);
  }
  std::memcpy(to, &word, sizeof word);
  out.resize(begin + size * width / 8);
}

}  // namespace sash
