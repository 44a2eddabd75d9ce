// The rows in which results list the vertices that a breadth-first search has reached: nearest
// first, and with parents if the job wants them.
//
// Among the neighbours one step nearer to a root, the one with the least key is the parent. So a
// result does not depend on ids.
//
// Thread safety: pure functions; the view must stay pinned meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"
#include "windows/store/window_view.h"

namespace sash {

// The depths that one traversal of a job found, with all that is needed to make rows of them.
struct ReachedDepths {
  const WindowView& view;
  const BfsParameters& parameters;
  const std::vector<std::int32_t>& depths;
  const VertexDictionary& keys;
};

// The first `count` reached vertices. `threads`: 0 for all the cores.
std::vector<ReachedVertex> ReachedRows(const ReachedDepths& reached, std::size_t count,
                                       int threads);

// The key of the parent of `vertex`; nothing for roots and unreached vertices.
std::optional<VertexKey> ParentKey(const ReachedDepths& reached, VertexId vertex);

}  // namespace sash
