// How deep JSON from outside may be nested. Trees of JSON are copied, compared and written by
// recursion, so a text of nothing but brackets would overflow the stack. Records of the stream have
// a limit of their own (JsonScanner).
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace sash {

inline constexpr std::size_t kMostJsonNesting = 256;

// For messages.
inline constexpr std::string_view kNestedTooDeeply =
    "it is nested too deeply: 256 lists and objects inside each other are the most";

// Whether more than kMostJsonNesting lists and objects are open at once in `text`. To be asked
// before a tree is built. Of text that is not JSON, the part before its first mistake counts, and
// more may count.
constexpr bool IsNestedTooDeeply(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
        break;
      case '[':
      case '{':
        if (++depth > kMostJsonNesting) return true;
        break;
      case ']':
      case '}':
        depth -= depth > 0 ? 1 : 0;
        break;
      default:
        break;
    }
  }
  return false;
}

}  // namespace sash
