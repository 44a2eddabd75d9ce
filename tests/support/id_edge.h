// IdEdge: an edge as tests list and compare it, by vertex ids.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/type_column.h"
#include "windows/base/weight.h"

namespace sash::testing {

struct IdEdge {
  VertexId source = 0;
  VertexId target = 0;
  Weight weight;
  TypeNumber type = kNoType;

  std::uint64_t pair() const { return std::uint64_t{source} << 32 | target; }
  friend bool operator==(const IdEdge&, const IdEdge&) = default;
  // By source, target and type; among parallel edges, integers first. 6 and 6.0 are different.
  friend bool operator<(const IdEdge& a, const IdEdge& b) {
    if (a.pair() != b.pair()) return a.pair() < b.pair();
    if (a.type != b.type) return a.type < b.type;
    if (a.weight.is_integer() != b.weight.is_integer()) return a.weight.is_integer();
    return a.weight < b.weight;
  }
};

// An edge as text: an integer weight without a point, a real weight always with a point or
// exponent.
std::string ToText(Weight weight);
std::string ToText(const IdEdge& edge);
inline void PrintTo(const IdEdge& edge, std::ostream* out) { *out << ToText(edge); }

// The difference of two sorted lists of edges: "" when they are equal, otherwise the first edges
// that only one of them has.
std::string Difference(const std::vector<IdEdge>& found, const std::vector<IdEdge>& expected);

}  // namespace sash::testing
