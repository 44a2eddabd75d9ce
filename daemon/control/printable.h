// Text from elsewhere as a terminal may have it: keys of vertices are whatever a stream brings.
//
// Thread safety: free functions over values; the locale of the process does not count.
// Invariants:
// (1) What Printable() returns is UTF-8 without control characters, C1 and those that turn the
//     direction of writing included: a terminal shows it and does nothing else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sash {

// Control characters as \n or \u001b, as JSON has them; bytes that are no UTF-8 as \xff.
std::string Printable(std::string_view text);

// JSON that says the same, with its control characters as \u009b. Those below U+0020 are escaped in
// any JSON, apart from the white space between values, which stays.
std::string PrintableJson(std::string_view json);

// In columns of a terminal: 2 for wide characters, 0 for combining ones. Of printable text.
std::size_t WidthOf(std::string_view text);

// As much of it as fits into `width` columns, the last being … when something is cut off.
std::string CutTo(std::string_view text, std::size_t width);

}  // namespace sash
