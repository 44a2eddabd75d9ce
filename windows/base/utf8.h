// Characters of texts in UTF-8 (Unicode 15, table 3-7: neither overlong sequences nor surrogates).
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sash {

// Whether the byte belongs to a character that begins before it.
constexpr bool ContinuesCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// A text may begin with these bytes, which are not part of it.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Utf8Character {
  std::optional<std::uint32_t> code;  // empty: the first byte does not begin a character
  std::size_t length = 1;             // in bytes
};

// The first character of a text that is not empty.
inline Utf8Character FirstCharacter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!ContinuesCharacter(text[i])) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length};
}

inline bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Character character = FirstCharacter(text);
    if (!character.code) return false;
    text.remove_prefix(character.length);
  }
  return true;
}

// `text` is UTF-8.
constexpr std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += ContinuesCharacter(byte) ? 0 : 1;
  return count;
}

// The first `most` bytes of `text`, or up to three fewer in order not to cut a character.
constexpr std::string_view Beginning(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && most - end < 3 && ContinuesCharacter(text[end])) --end;
  return text.substr(0, end);
}

inline void AppendCharacter(std::uint32_t code, std::string& text) {
  const auto put = [&text](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

}  // namespace sash
