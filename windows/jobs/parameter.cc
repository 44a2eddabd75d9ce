#include "windows/jobs/parameter.h"

#include <array>
#include <cstddef>

namespace sash {

std::string_view DirectionName(TraversalDirection direction) {
  constexpr std::array<std::string_view, 3> kNames = {"out", "in", "both"};
  return kNames[static_cast<std::size_t>(direction)];
}

}  // namespace sash
