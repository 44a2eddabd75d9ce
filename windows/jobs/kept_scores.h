// KeptScores: the scores of the results that later results are compared with.
//
// Thread safety: none; JobScheduler serialises.
//
// Invariants
//   (1) Find() depends on the ends of windows, on the jobs, and on which results exist; never on
//       when they came, as long as its caller waits until the results up to `end` are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "windows/jobs/comparison.h"
#include "windows/jobs/job_spec.h"

namespace sash {

class KeptScores {
 public:
  using Scores = std::vector<std::shared_ptr<const ResultScores>>;

  // What is still needed of a job's results: the newest, and for each of the ends the newest result
  // that ends at or before it.
  struct Needs {
    std::size_t newest = 1;
    std::vector<std::int64_t> ends{};
  };

  // Adds a result of a job, and returns the results that are not needed any more: the caller frees
  // them without a lock. A second result of the same end replaces the first.
  Scores Keep(std::shared_ptr<const ResultScores> scores, const Needs& needs);
  Scores Forget(const std::string& job);
  bool Has(const std::string& job) const { return by_job_.contains(job); }

  // The baseline of a result of `job` on a window with this end. `jobs`: all jobs.
  Baseline Find(const JobSpec& job, std::int64_t end, const std::vector<JobSpec>& jobs) const;

  // The bytes of all scores that exist: kept ones, and those that a newest result still refers to.
  std::size_t bytes() const;

 private:
  Baseline OnWindow(const JobSpec& job, std::int64_t end, const std::vector<JobSpec>& jobs) const;
  Baseline Before(const JobSpec& job, std::int64_t end) const;

  std::map<std::string, std::deque<std::shared_ptr<const ResultScores>>> by_job_;  // oldest first
  std::vector<std::weak_ptr<const ResultScores>> all_;
};

}  // namespace sash
