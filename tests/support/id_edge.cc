#include "tests/support/id_edge.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace sash::testing {
namespace {

constexpr std::size_t kNamed = 5;  // edges that a difference lists

std::string FirstEdges(const std::vector<IdEdge>& edges) {
  std::string text = std::to_string(edges.size());
  for (std::size_t i = 0; i < std::min(edges.size(), kNamed); ++i) {
    text += (i == 0 ? ": " : ", ") + ToText(edges[i]);
  }
  return edges.size() > kNamed ? text + ", ..." : text;
}

}  // namespace

std::string ToText(Weight weight) {
  if (weight.is_integer()) return std::to_string(weight.integer());
  char text[40];
  std::snprintf(text, sizeof(text), "%.17g", weight.AsDouble());
  std::string real = text;
  return real.find_first_of(".en") == std::string::npos ? real + ".0" : real;
}

std::string ToText(const IdEdge& edge) {
  return std::to_string(edge.source) + "->" + std::to_string(edge.target) + " (" +
         ToText(edge.weight) + (edge.type == kNoType ? "" : ", " + std::to_string(edge.type)) + ")";
}

std::string Difference(const std::vector<IdEdge>& found, const std::vector<IdEdge>& expected) {
  if (found == expected) return "";
  std::vector<IdEdge> extra;
  std::vector<IdEdge> missing;
  std::ranges::set_difference(found, expected, std::back_inserter(extra), std::less<>());
  std::ranges::set_difference(expected, found, std::back_inserter(missing), std::less<>());
  return "found " + std::to_string(found.size()) + " edges, expected " +
         std::to_string(expected.size()) + "; too many " + FirstEdges(extra) + "; missing " +
         FirstEdges(missing);
}

}  // namespace sash::testing
