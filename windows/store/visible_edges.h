// The visible edges of a window: removals are applied, and duplicates are treated by the policy.
//
// This is the meaning of a window, written as plainly as its cost allows. The rebuild store
// publishes it; every other store must agree with it.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "windows/ingest/slice.h"
#include "windows/store/edge_list.h"
#include "windows/store/window_policy.h"

namespace sash {

// The visible edges of `slices` (oldest first), ordered by source, target, type (only where edges
// are identified by type), and then by the order in which their events took effect. Ids are below
// `id_limit`. O(events + id_limit); by type O(events * log(events)).
EdgeList VisibleEdges(std::span<const std::shared_ptr<const Slice>> slices,
                      DuplicatesPolicy duplicates, VertexId id_limit,
                      EdgeIdentity identity = EdgeIdentity::kPair);

// The adds of `slices` that no removal undoes, in the order of effect. A removal with a type ends
// the edges of this type alone, except where edges are identified by their pair.
struct SurvivingEdges {
  EdgeList edges;
  std::vector<std::size_t> ends;  // by slice: the number of adds up to its last one
};
SurvivingEdges FindSurvivingEdges(std::span<const std::shared_ptr<const Slice>> slices,
                                  DuplicatesPolicy duplicates, VertexId id_limit,
                                  EdgeIdentity identity);

}  // namespace sash
