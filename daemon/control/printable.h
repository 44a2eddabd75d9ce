// External text made safe for a terminal: keys of vertices may hold anything.
//
// Thread safety: free functions over values; independent of the locale of the process.
// Invariants:
// (1) Printable() returns UTF-8 without control characters, including C1 and those that change the
//     direction of writing: a terminal shows the text and does nothing else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sash {

// Control characters as \n or \u001b, as in JSON; bytes that are not UTF-8 as \xff.
std::string Printable(std::string_view text);

// Equivalent JSON, with control characters as \u009b. Those below U+0020 are escaped in any JSON,
// apart from the white space between values, which stays.
std::string PrintableJson(std::string_view json);

// The width of printable text in columns: 2 for wide characters, 0 for combining ones.
std::size_t WidthOf(std::string_view text);

// The text cut to `width` columns; it ends with … when something is cut off.
std::string CutTo(std::string_view text, std::size_t width);

}  // namespace sash
