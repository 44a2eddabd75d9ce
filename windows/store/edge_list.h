// EdgeList: edges as parallel columns, the form in which they travel between slices and stores.
//
// Thread safety: plain values.
#pragma once

#include <cstddef>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/type_column.h"
#include "windows/base/weight_column.h"

namespace sash {

struct EdgeList {
  std::vector<VertexId> sources;
  std::vector<VertexId> targets;
  WeightColumn weights;
  TypeColumn types{};

  std::size_t size() const { return sources.size(); }
};

}  // namespace sash
