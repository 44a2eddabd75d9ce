// Parts of header fields that are lists: "text/csv;q=0.5, */*".
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sash {

// Removes the text before `separator`, and the separator, from `text`; returns the former without
// blanks around it.
std::string_view TakeUntil(std::string_view& text, char separator);

// ASCII letters in lower case.
std::string LowerCased(std::string_view text);

}  // namespace sash
