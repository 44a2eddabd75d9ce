// What a person probably meant: the known word nearest to a mistyped one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sash {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t EditDistance(std::string_view a, std::string_view b);

// The nearest candidate when it is near enough to be a slip: at most a third of the longer word is
// different, or one word begins with the other (three letters at least).
std::optional<std::string_view> NearestWord(std::string_view word,
                                            std::span<const std::string_view> candidates);

// "; did you mean `slide`?", or nothing.
std::string Suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace sash
