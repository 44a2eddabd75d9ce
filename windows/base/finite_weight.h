// Whether a weight has a value: a sum of weights that is beyond the doubles is an infinity, which
// its reader has to report.
#pragma once

#include <limits>

#include "windows/base/weight.h"

namespace sash {

constexpr bool IsFinite(Weight weight) {
  return weight.is_integer() || (weight.AsDouble() >= std::numeric_limits<double>::lowest() &&
                                 weight.AsDouble() <= std::numeric_limits<double>::max());
}

}  // namespace sash
