// The edges of a multiversioned store, slice by slice again: for a new store that gets a part of
// them.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <memory>
#include <vector>

#include "windows/ingest/slice.h"
#include "windows/ingest/type_filters.h"
#include "windows/store/store_edges.h"

namespace sash {

// SliceStore::CopyPassing(): each part gets the edges that its slice brought, that pass one of the
// filters and are still alive. The edges must not have absorbed others. O(all edges); with lists
// that are not mortal it takes 4 bytes for each edge meanwhile, and 80 for each that passes.
void CopyEdgesBySlice(const NumberedTypeFilters& filters,
                      const std::vector<std::shared_ptr<Slice>>& parts, StoreEdges& edges);

}  // namespace sash
