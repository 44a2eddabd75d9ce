#include "windows/jobs/result_error.h"

namespace sash {

std::string OverflowText(std::uint64_t count, std::string_view one, std::string_view many) {
  std::string text = std::to_string(count) + " ";
  return text.append(count == 1 ? one : many).append(kBeyondDoubles);
}

std::string UnlistedText(std::uint64_t vertices, std::string_view value) {
  const std::string of(value);
  return OverflowText(vertices, "vertex has a " + of, "vertices have a " + of) +
         (vertices == 1 ? "; it is not listed" : "; they are not listed");
}

std::string NegativeEdgesText(std::uint64_t edges, std::string_view needing) {
  return std::to_string(edges) + (edges == 1 ? " edge has" : " edges have") +
         " a negative weight; " + std::string(needing) + " weights of at least 0";
}

std::string NegativeEdgesName(std::uint64_t edges) {
  return std::to_string(edges) + (edges == 1 ? " negative edge" : " negative edges");
}

std::string OverflowedEdgesText(std::uint64_t edges, std::string_view consequence) {
  return OverflowText(edges, "edge has a weight", "edges have a weight") +
         ", as the sum of its copies; " + std::string(consequence);
}

}  // namespace sash
