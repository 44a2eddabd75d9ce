#pragma once

#include "windows/base/ids.h"
#include "windows/base/type_column.h"
#include "windows/base/weight.h"

namespace sash {

// The other end of an edge, and the edge's type and weight.
struct Neighbor {
  VertexId vertex = 0;
  TypeNumber type = kNoType;
  Weight weight;
};

}  // namespace sash
