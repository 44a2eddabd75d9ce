// Whether a weight is finite. A sum of weights beyond the range of a double is infinite, and its
// reader must report that.
//
// Thread safety: a pure function.
#pragma once

#include <limits>

#include "windows/base/weight.h"

namespace sash {

constexpr bool IsFinite(Weight weight) {
  return weight.is_integer() || (weight.AsDouble() >= std::numeric_limits<double>::lowest() &&
                                 weight.AsDouble() <= std::numeric_limits<double>::max());
}

}  // namespace sash
