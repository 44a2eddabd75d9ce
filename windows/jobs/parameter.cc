#include "windows/jobs/parameter.h"

#include <array>

namespace sash {

bool IsNothing(const ConstParameterValue& value) {
  return std::visit([](const auto* of) { return *of == std::decay_t<decltype(*of)>{}; }, value);
}

std::string_view WordFor(const Parameter& parameter, const ConstParameterValue& value) {
  return IsNothing(value) ? parameter.word : std::string_view();
}

std::span<const std::string_view> ChoiceWords(TraversalDirection /*choice*/) {
  static constexpr std::array<std::string_view, 3> kWords = {"out", "in", "both"};
  return kWords;
}

std::span<const std::string_view> ChoiceWords(StrengthDirection /*choice*/) {
  static constexpr std::array<std::string_view, 4> kWords = {"out", "in", "both", "net"};
  return kWords;
}

std::span<const std::string_view> ChoiceWords(PathMeasure /*choice*/) {
  static constexpr std::array<std::string_view, 2> kWords = {"hops", "weight"};
  return kWords;
}

std::span<const std::string_view> ChoiceWords(HitsRanking /*choice*/) {
  static constexpr std::array<std::string_view, 2> kWords = {"authorities", "hubs"};
  return kWords;
}

std::span<const std::string_view> ChoiceWords(ExternalAnswers /*choice*/) {
  static constexpr std::array<std::string_view, 3> kWords = {"scores", "sets", "rows"};
  return kWords;
}

}  // namespace sash
