#pragma once

#include "windows/base/ids.h"
#include "windows/base/weight.h"

namespace sash {

// The other end of an edge, and the edge's weight.
struct Neighbor {
  VertexId vertex = 0;
  Weight weight;
};

}  // namespace sash
