// Counting sort of edges by one of their ends: linear, stable.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/ids.h"
#include "windows/store/edge_list.h"

namespace sash {

// For each id, the number of `keys` below it: starts[id] .. starts[id + 1] is the run of `id` after
// sorting. Ids are below `id_limit`. Returns id_limit + 1 numbers.
std::vector<std::uint64_t> RunStarts(const std::vector<VertexId>& keys, VertexId id_limit);

// Moves edges so that `end` (&EdgeList::sources or &EdgeList::targets) ascends; edges of equal end
// keep their order. O(edges + id_limit).
EdgeList StableSortBy(EdgeList edges, std::vector<VertexId> EdgeList::*end, VertexId id_limit);

}  // namespace sash
