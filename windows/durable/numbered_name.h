// Names of files that are numbered: a prefix and 16 hexadecimal digits, so that their order is that
// of their numbers.
//
// Thread safety: pure functions, but for what a folder says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/folder.h"

namespace sash {

std::string NumberedName(std::string_view prefix, std::uint64_t number);

// Nothing when NumberedName() gives no such name.
std::optional<std::uint64_t> NumberIn(std::string_view name, std::string_view prefix);

// Ascending, of the files for whose names `number_of` knows one.
using NumberOfName = std::optional<std::uint64_t> (*)(std::string_view name);
Result<std::vector<std::uint64_t>> NumbersIn(const Folder& folder, NumberOfName number_of);

}  // namespace sash
