#include "connectors/codec/letter_case.h"

#include <locale.h>
#include <wctype.h>

#include "windows/base/check.h"

namespace sash {
namespace {

// Part of the C library, on every Debian system.
locale_t UnicodeLocale() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  SASH_CHECK(locale != nullptr);
  return locale;
}

// Decodes one character of valid UTF-8 and removes it from the front of `text`.
wint_t TakeCharacter(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  wint_t character = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  text.remove_prefix(size);
  return character;
}

void AppendCharacter(wint_t character, std::string& to) {
  const auto put = [&to](wint_t byte) { to += static_cast<char>(byte); };
  if (character < 0x80) return put(character);
  if (character < 0x800) {
    put(0xC0 | character >> 6);
  } else {
    if (character < 0x10000) {
      put(0xE0 | character >> 12);
    } else {
      put(0xF0 | character >> 18);
      put(0x80 | (character >> 12 & 0x3F));
    }
    put(0x80 | (character >> 6 & 0x3F));
  }
  put(0x80 | (character & 0x3F));
}

}  // namespace

void AppendInCase(std::string_view text, LetterCase letters, std::string& to) {
  if (letters == LetterCase::kAsWritten) {
    to += text;
    return;
  }
  const bool lower = letters == LetterCase::kLower;
  const char first = lower ? 'A' : 'a';
  while (!text.empty()) {
    const char c = text.front();
    if (static_cast<unsigned char>(c) < 0x80) {
      to += c >= first && c < first + 26 ? static_cast<char>(c ^ 0x20) : c;
      text.remove_prefix(1);
      continue;
    }
    const wint_t character = TakeCharacter(text);
    AppendCharacter(
        lower ? towlower_l(character, UnicodeLocale()) : towupper_l(character, UnicodeLocale()),
        to);
  }
}

}  // namespace sash
