// Units of memory for tests.
#pragma once

#include <cstdint>

namespace sash::testing {

inline constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

}  // namespace sash::testing
