// Names of numbered files: a prefix and 16 hexadecimal digits, so that names and numbers sort
// alike.
//
// Thread safety: pure functions, except for access to the folder.
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

// Nothing when NumberedName() cannot produce this name.
std::optional<std::uint64_t> NumberIn(std::string_view name, std::string_view prefix);

// The numbers of all files whose names `number_of` accepts, ascending.
using NumberOfName = std::optional<std::uint64_t> (*)(std::string_view name);
Result<std::vector<std::uint64_t>> NumbersIn(const Folder& folder, NumberOfName number_of);

}  // namespace sash
