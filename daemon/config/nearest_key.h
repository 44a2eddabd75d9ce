// Suggestions for mistyped words: the nearest known word.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sash {

// The number of insertions, deletions, replacements and swaps of neighbouring characters that turn
// one word into the other.
std::size_t EditDistance(std::string_view a, std::string_view b);

// The nearest candidate, if it is near enough to be a typing error: at most a third of the longer
// word differs, or one word is a prefix of the other (at least three letters).
std::optional<std::string_view> NearestWord(std::string_view word,
                                            std::span<const std::string_view> candidates);

// "; did you mean `slide`?", or nothing.
std::string Suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace sash
