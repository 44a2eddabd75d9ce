// PathStep: the edge that a path takes from one vertex to the next: of parallel edges the lightest.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>

#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/kernels/followed_edges.h"
#include "windows/store/live_view.h"
#include "windows/store/neighbor.h"
#include "windows/store/window_view.h"

namespace sash {

struct PathStep {
  VertexId source = 0;  // of the edge, whichever way the path takes it
  Neighbor target{};
  std::uint64_t edges = 0;  // parallel ones that the path could take as well
};

// Prefers, among equally light edges, those that lead from `from` to `to`, then the one with the
// first type. The view has at least one edge between the two that can be followed. Reads the
// shorter of the lists that have the edges.
PathStep StepOf(const WindowView& view, VertexId from, VertexId to, FollowedEdges follow,
                const TypeTable& types);
PathStep StepOf(const LiveView& view, VertexId from, VertexId to, FollowedEdges follow,
                const TypeTable& types);

}  // namespace sash
