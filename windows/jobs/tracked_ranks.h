// TrackedRanks: the state that a PageRank job with warm starts keeps for its next run, beside the
// result.
//
// Thread safety: belongs to the thread that runs the job.
//
// Invariants
//   (1) `ranks` belongs to `view`, or must not be followed: a run takes the view away before it
//       begins, and puts its own view there after ranking it.
#pragma once

#include "windows/kernels/following/tracked_pagerank.h"
#include "windows/store/window_view.h"

namespace sash {

struct TrackedRanks {
  TrackedPageRank ranks{};
  WindowView view{};
};

}  // namespace sash
