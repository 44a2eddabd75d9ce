// EdgesOfEnd: the edges of one vertex along one direction, taken together, and their weights.
//
// Thread safety: values.
#pragma once

#include <cstdint>

#include "windows/base/weight.h"

namespace sash {

// Without weights, all members are 0.
struct WeightStatistics {
  Weight sum = Weight::Integer(0);  // exact integers; not finite: beyond the range of a double
  Weight least = Weight::Integer(0);
  Weight greatest = Weight::Integer(0);
  double mean = 0;
  double variance = 0;  // of all of them (divided by their number); not finite: as for `sum`
};

// A self-loop is an edge, but not a neighbour.
struct EdgesOfEnd {
  std::uint64_t fan = 0;     // different neighbours
  std::uint64_t degree = 0;  // edges
  WeightStatistics weights{};
};

struct BothDirections {
  EdgesOfEnd out{};
  EdgesOfEnd in{};
};

}  // namespace sash
