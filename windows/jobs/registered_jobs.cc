// The part of JobScheduler that other threads use while it runs: adding, changing and removing
// jobs, and comparing their results.
#include <algorithm>
#include <iterator>
#include <utility>

#include "windows/base/check.h"
#include "windows/jobs/job_scheduler.h"

namespace sash {
namespace {

Error NoJob(std::string_view name) {
  return {ErrorCode::kNotFound, "there is no job '" + std::string(name) + "'"};
}

}  // namespace

void JobScheduler::Join(const JobSpec& job) {
  auto joining = std::make_shared<RegisteredJob>();
  joining->settings = job;
  joining->status.name = job.name;
  joining->status.kernel = KernelOf(job.parameters);
  joining->status.window = job.window;
  const MutexLock lock(mutex_);
  joining->place = joined_++;
  jobs_.push_back(std::move(joining));
  AddWaiters();
}

JobScheduler::JobPtr JobScheduler::FindJob(std::string_view name) const {
  const auto found =
      std::ranges::find_if(jobs_, [&](const JobPtr& job) { return job->settings.name == name; });
  return found == jobs_.end() ? nullptr : *found;
}

Status JobScheduler::AddJob(JobSpec job) {
  if (Find(job.name)) {
    return Error{ErrorCode::kInvalidArgument, "there is a job '" + job.name + "' already"};
  }
  history_.Keep(job.name, job.keep_results, job.keep_vectors);  // before it can have results
  Join(job);
  KeepLatest(job);
  return Ok{};
}

void JobScheduler::ChangeJobs(const std::vector<JobSpec>& jobs) {
  for (const JobSpec& job : jobs) {
    KeptScores::Scores retired;  // of other parameters
    {
      const MutexLock lock(mutex_);
      const JobPtr found = FindJob(job.name);
      if (found == nullptr) continue;
      JobSpec& settings = found->settings;
      SASH_CHECK(settings.window == job.window &&
                 settings.parameters.index() == job.parameters.index());
      if (!EqualParameters(settings.parameters, job.parameters)) retired = scores_.Forget(job.name);
      settings = job;
      changed_.NotifyAll();  // there may be more room for advances that wait
    }
    history_.Keep(job.name, job.keep_results, job.keep_vectors);
    KeepLatest(job);
  }
}

Status JobScheduler::RemoveJob(const std::string& name) {
  RunQueue::Runs forgotten;  // freed outside the lock, with the views that it holds
  KeptScores::Scores retired;
  {
    const MutexLock lock(mutex_);
    const JobPtr job = FindJob(name);
    if (job == nullptr) return NoJob(name);
    job->removed = true;
    std::erase(jobs_, job);
    forgotten = queue_.TakeAll(job);
    retired = scores_.Forget(name);
    for (const QueuedRun& run : forgotten) {
      if (run.ticket) --run.ticket->outstanding;
    }
    changed_.NotifyAll();  // an advance may wait for room; a report may be complete now
  }
  executor_.Cancel(name);
  history_.Forget(name);
  return Ok{};
}

Status JobScheduler::PauseJob(const std::string& name, bool paused) {
  const MutexLock lock(mutex_);
  const JobPtr job = FindJob(name);
  if (job == nullptr) return NoJob(name);
  job->status.paused = paused;
  return Ok{};
}

Result<SnapshotId> JobScheduler::TriggerJob(const std::string& name, AdvancePtr advance) {
  const SnapshotId snapshot = advance->provenance.snapshot;
  RunQueue::Runs replaced;  // freed outside the lock, with the view that it holds
  const MutexLock lock(mutex_);
  const JobPtr job = FindJob(name);
  if (job == nullptr) return NoJob(name);
  SASH_CHECK(job->settings.window == advance->provenance.window);
  if (snapshot < job->newest) return job->newest;
  job->newest = snapshot;
  job->NoteRunBytes(*advance);
  // A due run on the same advance may still be displaced, so only a triggered run will do.
  if (const QueuedRun* const older = queue_.FindTriggered(job)) {
    const bool is_same = older->advance->provenance.snapshot == snapshot;
    if (is_same && !IsLive(job->settings)) return snapshot;
  }
  const SteadyTime now = clock_.Steady();
  replaced = queue_.Replace({job, nullptr, std::move(advance), now}, now);
  changed_.NotifyAll();
  return snapshot;
}

bool JobScheduler::Compares(const JobSpec& job) const {
  return TraitsOfJob(job.parameters).compares_windows || delivery_.IsComparedBySink(job) ||
         IsBaseline(job);
}

bool JobScheduler::IsBaseline(const JobSpec& job) const {
  if (IsLive(job)) return false;
  if (job.baseline && job.baseline->results > 0) return true;
  return std::ranges::any_of(
      jobs_, [&](const JobPtr& other) { return IsComparedWith(other->settings, job); });
}

// A run that has just begun may not have its baseline yet. A triggered run of a job is on the
// window's newest advance, so the result before that is needed.
KeptScores::Needs JobScheduler::NeedsOf(const JobSpec& job) const {
  KeptScores::Needs needs;
  if (job.baseline && job.baseline->results > 0) needs.newest = job.baseline->results + 1;
  for (const JobPtr& other : jobs_) {
    if (!IsComparedWith(other->settings, job)) continue;
    std::ranges::copy(queue_.EndsOf(other), std::back_inserter(needs.ends));
    if (const auto reached = queue_.ReachedEnd(other->settings.window)) {
      needs.ends.push_back(*reached);
    }
  }
  return needs;
}

KeptScores::Scores JobScheduler::KeepScores(const JobPtr& job,
                                            std::shared_ptr<const ResultScores> scores) {
  if (!IsBaseline(job->settings)) return scores_.Forget(job->settings.name);
  return scores_.Keep(std::move(scores), NeedsOf(job->settings));
}

std::shared_ptr<const ResultScores> JobScheduler::ScoresToKeep(const QueuedRun& next,
                                                               const CompletedRun& run) {
  if (next.is_triggered() || !HasScores(run.result->parameters)) return nullptr;
  {
    const MutexLock lock(mutex_);
    const JobSpec& settings = next.job->settings;
    if (!IsBaseline(settings) || !EqualParameters(settings.parameters, run.result->parameters)) {
      return nullptr;
    }
  }
  return ScoresOf(run);
}

std::optional<Baseline> JobScheduler::BaselineOf(const JobSpec& job, const Advance& advance) const {
  if (!job.baseline) return std::nullopt;
  const MutexLock lock(mutex_);
  return scores_.Find(job, advance.end, Specs());
}

void JobScheduler::KeepLatest(const JobSpec& joined) {
  if (!joined.baseline) return;
  std::vector<JobSpec> compared;
  {
    const MutexLock lock(mutex_);
    for (const JobPtr& other : jobs_) {
      const bool is_own = other->settings.name == joined.name && joined.baseline->results > 0;
      if (!is_own && !IsComparedWith(joined, other->settings)) continue;
      if (!scores_.Has(other->settings.name)) compared.push_back(other->settings);
    }
  }
  for (const JobSpec& other : compared) {
    const std::optional<CompletedRun> latest = history_.Latest(other.name);
    if (!latest || latest->result->triggered || !HasScores(latest->result->parameters)) continue;
    if (!EqualParameters(latest->result->parameters, other.parameters)) continue;
    auto scores = ScoresOf(*latest);
    KeptScores::Scores retired;
    const MutexLock lock(mutex_);
    // A result may have come meanwhile, which is newer.
    if (!scores_.Has(other.name)) retired = scores_.Keep(std::move(scores), NeedsOf(other));
  }
}

void JobScheduler::PassAll(const std::string& window, std::int64_t end) {
  const MutexLock lock(mutex_);
  const bool held = queue_.HasHeld();
  queue_.PassAll(window, end);
  if (held) changed_.NotifyAll();
}

std::size_t JobScheduler::baseline_bytes() const {
  const MutexLock lock(mutex_);
  return scores_.bytes();
}

std::vector<JobSpec> JobScheduler::Specs() const {
  std::vector<JobSpec> jobs;
  for (const JobPtr& job : jobs_) jobs.push_back(job->settings);
  return jobs;
}

std::map<std::string, std::set<std::uint32_t>> JobScheduler::Compared() const {
  std::map<std::string, std::set<std::uint32_t>> compared;
  const MutexLock lock(mutex_);
  for (const JobPtr& job : jobs_) {
    const JobSpec& settings = job->settings;
    if (!IsLive(settings) && Compares(settings)) compared[settings.window].insert(settings.every);
  }
  return compared;
}

void JobScheduler::Recall(const AdvancePtr& advance) {
  const SteadyTime now = clock_.Steady();
  const MutexLock lock(mutex_);
  for (const JobPtr& job : jobs_) {
    const JobSpec& settings = job->settings;
    if (settings.every != advance->recalled_for || !job->IsDue(*advance)) continue;
    if (!Compares(settings)) continue;
    queue_.Add({job, nullptr, advance, now}, now);
    changed_.NotifyAll();
  }
}

std::vector<JobSpec> JobScheduler::jobs() const {
  const MutexLock lock(mutex_);
  return Specs();
}

std::optional<JobSpec> JobScheduler::Find(std::string_view name) const {
  const MutexLock lock(mutex_);
  const JobPtr job = FindJob(name);
  if (job == nullptr) return std::nullopt;
  return job->settings;
}

std::vector<JobScheduler::LiveJob> JobScheduler::LiveOnes() const {
  std::vector<LiveJob> live;
  const MutexLock lock(mutex_);
  for (const JobPtr& job : jobs_) {
    if (!IsLive(job->settings)) continue;
    const JobStatus& status = job->status;
    live.push_back({job->settings, !status.paused && !status.running && status.waiting == 0});
  }
  return live;
}

std::vector<JobStatus> JobScheduler::Statuses() const {
  std::vector<JobStatus> statuses;
  const SteadyTime now = clock_.Steady();
  const MutexLock lock(mutex_);
  for (const JobPtr& job : jobs_) {
    statuses.push_back(job->status);
    if (!job->ready_since) continue;
    statuses.back().waiting_seconds = std::max(0.0, ToSeconds(now - *job->ready_since));
  }
  return statuses;
}

}  // namespace sash
