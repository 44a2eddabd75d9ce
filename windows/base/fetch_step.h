// FetchStep: what of a list is fetched ahead, each step some moments after the one before, since it
// needs what that has found. Lists that are read in no order are waited for otherwise, one cache
// miss after the other.
#pragma once

#include <cstdint>

namespace sash {

enum class FetchStep : std::uint8_t {
  kState,  // how long it is, and who knows where it lies
  kPlace,  // where it lies
  kFirst,  // what is read first
};

}  // namespace sash
