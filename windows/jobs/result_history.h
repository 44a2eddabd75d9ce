// ResultHistory: the last results of each job.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) A job has at most keep_results results; the oldest leave first.
//   (2) Only the newest result of a job keeps its whole vector (and so its view). The newest
//       keep_vectors results have a KeptVector, which holds no view.
//   (3) Of the results of one snapshot, only the newest is kept. Results of unknown jobs are not
//       kept.
//   (4) The `before` of a step is null only for the job's first result.
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
#include "windows/jobs/kept_vector.h"
#include "windows/jobs/run_result.h"

namespace sash {

class ResultHistory {
 public:
  explicit ResultHistory(const std::vector<JobSpec>& jobs);

  void Add(CompletedRun run);

  // Keeps these numbers of results and of vectors of `job` from now on. Results that exist get no
  // vector.
  void Keep(const std::string& job, std::size_t results, std::size_t vectors = 0);

  // Clear() drops the results of `job`. Forget() also stops keeping new ones.
  void Clear(const std::string& job);
  void Forget(const std::string& job);

  // Nothing if the job has no result, or if there is no such job.
  std::optional<CompletedRun> Latest(const std::string& job) const;

  // The result of this snapshot; null if it is not kept.
  std::shared_ptr<const RunResult> Find(const std::string& job, SnapshotId snapshot) const;

  // The newest `limit` results, of snapshots before `before` if it is given; newest first.
  std::vector<std::shared_ptr<const RunResult>> Newest(
      const std::string& job, std::size_t limit,
      std::optional<SnapshotId> before = std::nullopt) const;

  // A result with its vector; null: it is not kept.
  struct WithVector {
    std::shared_ptr<const RunResult> result;
    std::shared_ptr<const KeptVector> vector;
  };
  // Like Newest().
  std::vector<WithVector> NewestWithVectors(const std::string& job, std::size_t limit,
                                            std::optional<SnapshotId> before = std::nullopt) const;

  // A result, and the job's result before it; null: it was the first.
  struct Step {
    std::shared_ptr<const RunResult> now;
    std::shared_ptr<const RunResult> before;
  };

  // Like Newest(), but only the results whose previous result is kept, too.
  std::vector<Step> NewestSteps(const std::string& job, std::size_t limit,
                                std::optional<SnapshotId> before = std::nullopt) const;

  // The memory of the results and whole vectors. The stores count the memory that views hold.
  std::size_t bytes() const;

 private:
  struct Kept {
    std::shared_ptr<const RunResult> result;
    std::size_t bytes = 0;  // without the vector
    std::shared_ptr<const KeptVector> vector{};
  };
  struct Job {
    std::size_t limit = 0;
    std::size_t vectors = 0;
    std::deque<Kept> results;      // oldest first
    bool reaches_to_first = true;  // no earlier result has been dropped
    std::optional<CompletedRun> latest;
    std::size_t whole_bytes = 0;  // of latest
  };

  using Vectors = std::vector<std::shared_ptr<const KeptVector>>;

  bool KeepsVectors(const std::string& job) const;
  // Takes the vectors that are too many: the caller frees them without the lock.
  Vectors TakeOldVectors(Job& job) SASH_REQUIRES(mutex_);
  // Moves the results of `job` to `retired`.
  void Empty(Job& job, Job& retired) SASH_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, Job> jobs_ SASH_GUARDED_BY(mutex_);
  std::size_t bytes_ SASH_GUARDED_BY(mutex_) = 0;
};

}  // namespace sash
