#include "windows/jobs/result_history.h"

#include <utility>

namespace sash {

ResultHistory::ResultHistory(const std::vector<JobSpec>& jobs) {
  for (const JobSpec& job : jobs) jobs_[job.name].limit = job.keep_results;
}

void ResultHistory::Add(CompletedRun run) {
  // Freed outside the lock: dropping a pinned view can take milliseconds.
  std::optional<CompletedRun> retired(std::move(run));
  const std::lock_guard lock(mutex_);
  Job& job = jobs_[retired->result->job];
  job.results.push_back(retired->result);
  if (job.results.size() > job.limit) job.results.pop_front();
  job.latest.swap(retired);
}

std::optional<CompletedRun> ResultHistory::Latest(const std::string& job) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? std::nullopt : found->second.latest;
}

std::vector<std::shared_ptr<const RunResult>> ResultHistory::Newest(const std::string& job,
                                                                    std::size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const RunResult>> newest;
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return newest;
  for (auto i = found->second.results.rbegin();
       i != found->second.results.rend() && newest.size() < limit; ++i) {
    newest.push_back(*i);
  }
  return newest;
}

}  // namespace sash
