// FetchStep: the part of a list that is fetched ahead. Each step comes a little after the one
// before, because it reads what that step has fetched. Without these steps, lists read in random
// order cost several cache misses one after the other.
#pragma once

#include <cstdint>

namespace sash {

enum class FetchStep : std::uint8_t {
  kState,  // its length, and the object that knows its address
  kPlace,  // its address
  kFirst,  // the entries that are read first
};

}  // namespace sash
