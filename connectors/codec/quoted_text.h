// Text in double quotes on one line, as JSON and YAML read it: quotes and backslashes are escaped
// with a backslash, control characters as \u and four hexadecimal digits.
//
// Thread safety: any thread.
#pragma once

#include <string>
#include <string_view>

namespace sash {

std::string Quoted(std::string_view text);

}  // namespace sash
