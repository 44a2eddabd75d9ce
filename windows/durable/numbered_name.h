// Names of files that are numbered: a prefix and 16 hexadecimal digits, so that their order is that
// of their numbers.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sash {

std::string NumberedName(std::string_view prefix, std::uint64_t number);

// Nothing when NumberedName() gives no such name.
std::optional<std::uint64_t> NumberIn(std::string_view name, std::string_view prefix);

}  // namespace sash
