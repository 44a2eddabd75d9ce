// Percent-encoding of text for URLs and headers (RFC 3986, section 2.1).
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sash {

// Letters, digits and "-._~" stay; every other byte becomes % and two hexadecimal digits.
inline std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (stays) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += kDigits[byte >> 4];
    encoded += kDigits[byte & 15];
  }
  return encoded;
}

}  // namespace sash
