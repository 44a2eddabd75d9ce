// Result diffs: the changes from one result of a job to the next, as a JSON object (schema 1)
// without a line end. Its members and their order are an interface: add, never rename or reorder.
//
// Thread safety: everything may be called from any thread.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"

namespace sash {

// Whether the results of such a job are one list of vertices (or of sets). Only these have diffs.
bool HasDiffs(const JobParameters& parameters);

// How much of each of the three lists of a diff is written. If a list is cut, the lists are
// followed by "truncated": true and "rows": the full length of each list.
struct DiffListing {
  std::size_t top = std::numeric_limits<std::size_t>::max();
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();  // of all three together
};

// The diff from `before` (null: an empty list) to `now`. Both are results of the same job, for
// which HasDiffs() is true.
//
// Only listed rows are compared: a vertex in `left` may still exist below the end of the list.
std::string DiffJson(const RunResult& now, const RunResult* before,
                     const DiffListing& listing = {});

// The number of rows that a result lists. For a job without diffs: in all its lists.
std::size_t ListedRows(const RunResult& result);

}  // namespace sash
