// A live view as a graph of its own, for a job: kernels read it many times, in many threads.
#pragma once

#include <memory>

#include "windows/store/csr_graph.h"
#include "windows/store/live_view.h"

namespace sash {

// The edges that the view shows. O(edges * log(edges) + id_limit), because the neighbours of each
// source are sorted, and the cost of every list of the view.
std::shared_ptr<const CsrGraph> CopyOf(const LiveView& view);

}  // namespace sash
