// The visible edges of a window: removals are applied, and duplicates are treated by the policy.
//
// This is the meaning of a window, written as plainly as its cost allows. The rebuild store
// publishes it; every other store must agree with it.
#pragma once

#include <memory>
#include <span>

#include "windows/ingest/slice.h"
#include "windows/store/edge_list.h"
#include "windows/store/window_policy.h"

namespace sash {

// The visible edges of `slices` (oldest first), ordered by source, target, if edges are identified
// by type by type, and then by the order in which their events took effect. Ids are below
// `id_limit`. O(events + id_limit); by type O(events * log(events)).
EdgeList VisibleEdges(std::span<const std::shared_ptr<const Slice>> slices,
                      DuplicatesPolicy duplicates, VertexId id_limit,
                      EdgeIdentity identity = EdgeIdentity::kPair);

}  // namespace sash
