// DelimiterGuess: which other delimiter gives a row the columns that the mapping names.
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

// A sentence to add to a message: "; with `delimiter: tab` it has 3 fields". Empty when no common
// delimiter other than `delimiter` gives fields that fit. For rows that are refused anyway.
std::string DelimiterHint(std::string_view row, char delimiter, const FitsColumns& fits);

}  // namespace sash
