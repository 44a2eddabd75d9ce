// Eight bytes of a text as one word, in which all bytes are compared at once (Warren, Hacker's
// Delight, second edition, section 6-1). The first byte of the text is the lowest byte of the word.
//
// Thread safety: pure functions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sash {

static_assert(std::endian::native == std::endian::little);

using ByteWord = std::uint64_t;

inline constexpr std::size_t kBytesOfWord = sizeof(ByteWord);
inline constexpr ByteWord kEachByte = 0x0101'0101'0101'0101;
inline constexpr ByteWord kHighBits = 0x80 * kEachByte;

// The eight bytes from `text` on, which must exist.
inline ByteWord LoadWord(const char* text) {
  ByteWord word = 0;
  std::memcpy(&word, text, sizeof(word));
  return word;
}

constexpr ByteWord WordOf(char c) { return static_cast<unsigned char>(c) * kEachByte; }

// Only the first of these marks is certain: a byte behind it may be marked wrongly. A mark is
// the high bit of its byte; other bits may be set too, so the result must be masked with kHighBits.
constexpr ByteWord MarkZeros(ByteWord word) { return (word - kEachByte) & ~word; }
constexpr ByteWord MarkByte(ByteWord word, char c) { return MarkZeros(word ^ WordOf(c)); }
constexpr ByteWord MarkBelow(ByteWord word, unsigned char bound) {  // bound <= 0x80
  return (word - bound * kEachByte) & ~word;
}

// The place of the first mark.
constexpr std::size_t FirstMark(ByteWord marks) {
  return static_cast<std::size_t>(std::countr_zero(marks)) / 8;
}

constexpr bool AreDigits(ByteWord word) {
  constexpr ByteWord kHighHalves = 0xF0 * kEachByte;
  constexpr ByteWord kDigits = 0x30 * kEachByte;
  return ((word & kHighHalves) | ((word + 0x06 * kEachByte) & kHighHalves) >> 4) ==
         (kDigits | kDigits >> 4);
}

// The number that eight digits are: neighbours are joined, then pairs, then fours.
constexpr std::uint32_t EightDigits(ByteWord digits) {
  digits = (digits & 0x0F * kEachByte) * (1 + (10 << 8)) >> 8;
  digits = (digits & 0x00FF'00FF'00FF'00FF) * (1 + (100 << 16)) >> 16;
  digits = (digits & 0x0000'FFFF'0000'FFFF) * (1 + (std::uint64_t{10'000} << 32)) >> 32;
  return static_cast<std::uint32_t>(digits);
}

static_assert(EightDigits(0x3837'3635'3433'3231) == 12'345'678);

}  // namespace sash
