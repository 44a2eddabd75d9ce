#include "daemon/changes/run_time_jobs.h"

#include <algorithm>

#include "daemon/config/config_change.h"
#include "windows/jobs/job_scheduler.h"

namespace sash {

std::vector<std::string> RunTimeJobs::Names() const {
  std::vector<std::string> names;
  for (const JobSpec& job : pipeline_.jobs().jobs()) names.push_back(job.name);
  return names;
}

Status RunTimeJobs::Put(const JobSpec& job) {
  JobScheduler& jobs = pipeline_.jobs();
  const std::optional<JobSpec> before = jobs.Find(job.name);
  if (before && IsSameJob(*before, job)) {
    jobs.ChangeJobs({job});
    return Ok{};
  }
  if (before) Remove(job.name);
  return jobs.AddJob(job);
}

void RunTimeJobs::Remove(const std::string& job) {
  (void)pipeline_.jobs().RemoveJob(job).ok();  // it exists: only this thread removes jobs
  left_(job);
}

void RunTimeJobs::Fit(const std::vector<JobSpec>& wanted) {
  for (const JobSpec& job : pipeline_.jobs().jobs()) {
    if (std::ranges::find(wanted, job.name, &JobSpec::name) == wanted.end()) Remove(job.name);
  }
  for (const JobSpec& job : wanted) (void)Put(job).ok();  // its name is free, or its own
}

void RunTimeJobs::HoldCompared() {
  WindowEngine::Compared compared = pipeline_.jobs().Compared();
  if (compared == compared_) return;
  (void)pipeline_.engine().Compare(compared);
  compared_ = std::move(compared);
}

}  // namespace sash
