// How delimiters are written, and which other delimiter gives a row the columns of the mapping.
//
// Thread safety: pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

using FitsColumns =
    std::function<bool(const std::vector<std::string_view>& fields, char delimiter)>;

// The delimiter as it is written in the configuration: `"|"`, `tab` or `blanks`.
std::string DelimiterText(char delimiter);

// The text to add to an error message: "; with `delimiter: tab` it has 3 fields". Empty when no
// common delimiter other than `delimiter` gives fields that fit. `quotes`: fields may be in quotes.
// Call it only for refused rows.
std::string DelimiterHint(std::string_view row, char delimiter, bool quotes,
                          const FitsColumns& fits);

}  // namespace sash
