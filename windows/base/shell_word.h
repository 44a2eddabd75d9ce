// Text as one word of a command line, for bash, zsh and fish.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sash {

// In single quotes.
inline std::string ShellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// In quotes only if it needs them.
inline std::string ShellWord(std::string_view text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-' || c == '/';
  });
  return is_plain ? std::string(text) : ShellQuoted(text);
}

}  // namespace sash
