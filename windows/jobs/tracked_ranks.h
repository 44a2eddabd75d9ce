// TrackedRanks: what a PageRank job that starts warm keeps for its next run, beside the result.
//
// Thread safety: belongs to the thread that runs the job.
//
// Invariants
//   (1) `ranks` stands for `view`, or is not to be followed: a run takes the view away before it
//       begins and puts its own there once it has ranked it.
#pragma once

#include "windows/kernels/following/tracked_pagerank.h"
#include "windows/store/window_view.h"

namespace sash {

struct TrackedRanks {
  TrackedPageRank ranks{};
  WindowView view{};
};

}  // namespace sash
