// WeighedEdge: an edge of a vertex as its other end and its weight, for comparisons of lists.
#pragma once

#include <compare>

#include "windows/base/ids.h"
#include "windows/base/weight.h"

namespace sash {

struct WeighedEdge {
  VertexId vertex = 0;  // the other end
  Weight weight{};

  friend bool operator==(const WeighedEdge&, const WeighedEdge&) = default;
  // Weights are ordered by kind and bits.
  friend std::strong_ordering operator<=>(const WeighedEdge& a, const WeighedEdge& b) {
    if (const auto order = a.vertex <=> b.vertex; order != 0) return order;
    const auto kinds = a.weight.is_integer() <=> b.weight.is_integer();
    return kinds != 0 ? kinds : a.weight.bits() <=> b.weight.bits();
  }
};

}  // namespace sash
