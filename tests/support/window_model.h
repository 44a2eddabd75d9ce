// A naive model of a window: the edges that its slices make visible, written from the semantics
// alone (windows/semantics.md). It replays every operation in the window one after another.
#pragma once

#include <span>
#include <vector>

#include "tests/support/id_edge.h"
#include "tests/support/store_script.h"
#include "windows/store/window_policy.h"

namespace sash::testing {

// The visible edges of a window that holds `slices` (oldest first), sorted.
std::vector<IdEdge> ModelEdges(std::span<const SliceOperations* const> slices,
                               DuplicatesPolicy duplicates,
                               EdgeIdentity identity = EdgeIdentity::kPair);

}  // namespace sash::testing
