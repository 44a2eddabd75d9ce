#pragma once

#include <string_view>

namespace sash {

inline constexpr std::string_view kVersion = SASH_VERSION;  // defined by the build

}  // namespace sash
