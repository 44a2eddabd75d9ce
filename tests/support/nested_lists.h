// JSON that is nested far too deeply for recursion over it.
#pragma once

#include <cstddef>
#include <string>

namespace sash::testing {

inline std::string NestedLists(std::size_t count = 200'000) {
  return std::string(count, '[') + std::string(count, ']');
}

}  // namespace sash::testing
