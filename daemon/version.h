#pragma once

#include <string_view>

namespace sash {

inline constexpr std::string_view kVersion = SASH_VERSION;  // defined by the build

// The compiler that built it.
#if defined(__clang__)
inline constexpr std::string_view kCompiler = __VERSION__;
#else
inline constexpr std::string_view kCompiler = "GCC " __VERSION__;
#endif

}  // namespace sash
