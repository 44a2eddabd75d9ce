// Result diffs: what changed from one result of a job to its next one, as a JSON object (schema 1)
// without a line end. Its members and their order are an interface: add, never rename or reorder.
//
// Thread safety: ResultDiffs belongs to one thread; the functions may be called from any.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"

namespace sash {

// Whether the results of such a job are one list of vertices (or of sets), which can be compared.
bool HasDiffs(const JobParameters& parameters);

// How much of each of the three lists of a diff is written. When one of them is cut, they are
// followed by "truncated": true and "rows": how many each has.
struct DiffListing {
  std::size_t top = std::numeric_limits<std::size_t>::max();
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();  // of all three
};

// From `before` (null: from an empty list) to `now`, results of the same job that has diffs.
//
// Compared is what the results list: who is in `left` may be further down, and not gone.
std::string DiffJson(const RunResult& now, const RunResult* before,
                     const DiffListing& listing = {});

// How many rows a result lists; of a job without diffs, in all its lists.
std::size_t ListedRows(const RunResult& result);

// Keeps the newest result of each job.
class ResultDiffs {
 public:
  // The job's next result is compared with this one. Jobs that have no diffs are left alone.
  void Begin(const std::shared_ptr<const RunResult>& result);

  // The diff from the job's result before; none for jobs that have no diffs.
  std::optional<std::string> Next(const std::shared_ptr<const RunResult>& result);

 private:
  std::map<std::string, std::shared_ptr<const RunResult>> newest_;  // by job
};

}  // namespace sash
