#include "daemon/control/printable.h"

#include <fmt/format.h>
#include <locale.h>
#include <wchar.h>

#include <cstdint>
#include <optional>

#include "windows/base/terminal_character.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

constexpr std::string_view kCut = "…";

std::string Escaped(std::uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  if (code < 0x10000) return fmt::format("\\u{:04x}", code);
  const std::uint32_t above = code - 0x10000;  // as a surrogate pair, as in JSON
  return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff));
}

bool IsJsonSpace(std::uint32_t code) { return code == '\n' || code == '\r' || code == '\t'; }

enum class Of { kText, kJson };

std::string Escape(std::string_view text, Of what) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = FirstCharacter(text);
    if (!character.code) {
      // JSON cannot represent a byte; U+FFFD replaces bytes that are not a character.
      out += what == Of::kJson ? "\\ufffd"
                               : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (ActsOnTerminal(*character.code) &&
               !(what == Of::kJson && IsJsonSpace(*character.code))) {
      out += Escaped(*character.code);
    } else {
      out += text.substr(0, character.length);
    }
    text.remove_prefix(character.length);
  }
  return out;
}

// A locale in which wcwidth() knows all of Unicode. Never freed: the process has only one.
locale_t Unicode() {
  static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

std::size_t WidthOfCode(std::uint32_t code) {
  if (code < 0x7f) return 1;
  const int width = ::wcwidth(static_cast<wchar_t>(code));
  return width < 0 ? 1 : static_cast<std::size_t>(width);
}

// wcwidth() uses the locale of its thread.
class InUnicode {
 public:
  InUnicode() : before_(Unicode() != nullptr ? ::uselocale(Unicode()) : nullptr) {}
  ~InUnicode() {
    if (before_ != nullptr) ::uselocale(before_);
  }
  InUnicode(const InUnicode&) = delete;
  InUnicode& operator=(const InUnicode&) = delete;

 private:
  locale_t before_;
};

}  // namespace

std::string Printable(std::string_view text) { return Escape(text, Of::kText); }

std::string PrintableJson(std::string_view json) { return Escape(json, Of::kJson); }

std::size_t WidthOf(std::string_view text) {
  const InUnicode locale;
  std::size_t width = 0;
  while (!text.empty()) {
    const Utf8Character character = FirstCharacter(text);
    width += character.code ? WidthOfCode(*character.code) : 1;
    text.remove_prefix(character.length);
  }
  return width;
}

std::string CutTo(std::string_view text, std::size_t width) {
  if (WidthOf(text) <= width) return std::string(text);
  if (width == 0) return "";
  const InUnicode locale;
  std::size_t used = 1;  // the mark
  std::size_t end = 0;
  while (end < text.size()) {
    const Utf8Character character = FirstCharacter(text.substr(end));
    const std::size_t more = character.code ? WidthOfCode(*character.code) : 1;
    if (used + more > width) break;
    used += more;
    end += character.length;
  }
  return std::string(text.substr(0, end)) + std::string(kCut);
}

}  // namespace sash
