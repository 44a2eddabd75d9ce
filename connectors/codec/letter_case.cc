#include "connectors/codec/letter_case.h"

#include <locale.h>
#include <wctype.h>

#include "windows/base/check.h"
#include "windows/base/utf8.h"

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
