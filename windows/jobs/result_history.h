// ResultHistory: the last results of each job, for whoever asks.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) At most keep_results results a job; oldest first out.
//   (2) Only the newest result of a job keeps its whole vector (and so its view).
//   (3) Of a snapshot it keeps one result, the newest; of jobs that were not named, none.
//   (4) A step whose `before` is null is that of the job's first result: no other begins with
//       nothing.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"

namespace sash {

class ResultHistory {
 public:
  explicit ResultHistory(const std::vector<JobSpec>& jobs);

  void Add(CompletedRun run);

  // From now on so many results of `job`.
  void Keep(const std::string& job, std::size_t results);

  // The results of `job` go; Forget(): and those to come are not kept.
  void Clear(const std::string& job);
  void Forget(const std::string& job);

  // Nothing while the job has no result, or when there is no such job.
  std::optional<CompletedRun> Latest(const std::string& job) const;

  // Of this snapshot, if it is kept.
  std::shared_ptr<const RunResult> Find(const std::string& job, SnapshotId snapshot) const;

  // The newest `limit` results, of snapshots before `before` if it is given; newest first.
  std::vector<std::shared_ptr<const RunResult>> Newest(
      const std::string& job, std::size_t limit,
      std::optional<SnapshotId> before = std::nullopt) const;

  // A result, and the job's result before it; null: it was the first.
  struct Step {
    std::shared_ptr<const RunResult> now;
    std::shared_ptr<const RunResult> before;
  };

  // As Newest(), of the results whose result before is kept, too.
  std::vector<Step> NewestSteps(const std::string& job, std::size_t limit,
                                std::optional<SnapshotId> before = std::nullopt) const;

  // Of the results and the whole vectors; what views hold is the stores'.
  std::size_t bytes() const;

 private:
  struct Kept {
    std::shared_ptr<const RunResult> result;
    std::size_t bytes = 0;
  };
  struct Job {
    std::size_t limit = 0;
    std::deque<Kept> results;      // oldest first
    bool reaches_to_first = true;  // none that came before them has gone
    std::optional<CompletedRun> latest;
    std::size_t whole_bytes = 0;  // of latest
  };

  // What `job` keeps moves to `retired`.
  void Empty(Job& job, Job& retired) SASH_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, Job> jobs_ SASH_GUARDED_BY(mutex_);
  std::size_t bytes_ SASH_GUARDED_BY(mutex_) = 0;
};

}  // namespace sash
