#include "windows/jobs/parameter.h"

#include <array>
#include <cstddef>

namespace sash {

bool IsNothing(const ConstParameterValue& value) {
  return std::visit([](const auto* of) { return *of == std::decay_t<decltype(*of)>{}; }, value);
}

std::string_view WordFor(const Parameter& parameter, const ConstParameterValue& value) {
  return IsNothing(value) ? parameter.word : std::string_view();
}

std::string_view DirectionName(TraversalDirection direction) {
  constexpr std::array<std::string_view, 3> kNames = {"out", "in", "both"};
  return kNames[static_cast<std::size_t>(direction)];
}

}  // namespace sash
