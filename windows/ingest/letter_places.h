// How many places a dead letter of edges that were late or ahead lists (RefusedRecord::places).
#pragma once

#include <cstddef>

namespace sash {

// A letter with this number of places may be about more edges than it lists; its detail has their
// number.
inline constexpr std::size_t kMostLetterPlaces = 1000;

}  // namespace sash
