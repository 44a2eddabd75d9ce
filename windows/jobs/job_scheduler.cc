#include "windows/jobs/job_scheduler.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"
#include "windows/jobs/run_bytes.h"
#include "windows/jobs/run_job.h"

namespace sash {
namespace {

constexpr std::size_t kLosslessQueue = 4;  // advances a replay may be ahead of a job

}  // namespace

JobScheduler::JobScheduler(std::vector<JobSpec> jobs, const VertexDictionary& keys,
                           const Clock& clock, ResultHistory& history, ResultSink& sink,
                           bool lossless, IsCompared is_compared)
    : keys_(keys),
      clock_(clock),
      history_(history),
      sink_(sink),
      lossless_(lossless),
      is_compared_(std::move(is_compared)) {
  for (const JobSpec& job : jobs) Join(job);
}

JobScheduler::~JobScheduler() { Stop(); }

void JobScheduler::Start() {
  runner_ = std::jthread([this](std::stop_token stop) { RunUntilStopped(stop); });
}

bool JobScheduler::IsDue(const Job& job, const Advance& advance) {
  return !job.status.paused && job.settings.window == advance.provenance.window &&
         advance.ordinal % job.settings.every == 0;
}

std::size_t JobScheduler::Capacity(const JobSpec& job) const {
  if (job.overrun.queue > 0) return job.overrun.queue;
  return lossless_ ? kLosslessQueue : 1;
}

// A reload may change the policy while an advance waits.
bool JobScheduler::HasRoom(const Job& job) const {
  return stopping_ || job.removed || MayDisplace(job.settings) ||
         job.status.waiting < Capacity(job.settings);
}

bool JobScheduler::DisplaceWaiting(const JobPtr& job) {
  const auto old = std::ranges::find_if(
      waiting_, [&](const Waiting& waiting) { return waiting.job == job && waiting.ticket; });
  if (old == waiting_.end()) return false;
  Ticket& ticket = *old->ticket;
  ticket.report.skipped.push_back(job->status.name);
  --ticket.outstanding;
  ++job->status.skipped;
  --job->status.waiting;
  job->status.last_skipped = ticket.report.advance->provenance.window_end;
  waiting_.erase(old);
  return true;
}

std::vector<AdvancePtr> JobScheduler::LightenSettled() {
  std::vector<AdvancePtr> released;
  for (std::size_t i = 1; i < tickets_.size(); ++i) {
    AdvanceReport& report = tickets_[i]->report;
    if (tickets_[i]->outstanding > 0 || report.advance->view == WindowView()) continue;
    auto light = std::make_shared<Advance>(*report.advance);
    light->view = WindowView();
    light->ids.reset();
    released.push_back(std::exchange(report.advance, std::move(light)));
  }
  if (tickets_.size() > kMostUnreported && tickets_[1]->outstanding == 0) {
    tickets_.erase(tickets_.begin() + 1);
  }
  return released;
}

void JobScheduler::Submit(AdvancePtr advance) {
  std::vector<AdvancePtr> released;  // freed after the lock: dropping a view can take milliseconds
  auto ticket = std::make_shared<Ticket>();
  ticket->report.advance = std::move(advance);
  ticket->submitted = clock_.Steady();
  const MutexLock lock(mutex_);
  ticket->outstanding = 1;  // held until all jobs are queued
  tickets_.push_back(ticket);
  const std::vector<JobPtr> jobs = jobs_;  // jobs come and go while it waits
  for (const JobPtr& job : jobs) NoteRunBytes(*job, *ticket->report.advance);
  for (const JobPtr& job : jobs) {
    if (!IsDue(*job, *ticket->report.advance)) continue;
    job->status.holds = !HasRoom(*job);
    while (!HasRoom(*job)) changed_.Wait(mutex_);
    job->status.holds = false;
    if (stopping_) return;
    if (job->removed) continue;
    if (MayDisplace(job->settings)) {
      while (DisplaceWaiting(job)) continue;  // several, if the policy was a queue
    }
    waiting_.push_back({job, ticket, nullptr, {}});
    job->newest = ticket->report.advance->provenance.snapshot;
    ++job->status.waiting;
    ++ticket->outstanding;
    changed_.NotifyAll();
  }
  --ticket->outstanding;
  if (!lossless_) released = LightenSettled();
  // A sink that handles every advance keeps pace, even if no job is due.
  while (!stopping_ && lossless_ && tickets_.size() > kLosslessQueue) changed_.Wait(mutex_);
  changed_.NotifyAll();
}

void JobScheduler::NoteRunBytes(Job& job, const Advance& advance) {
  if (job.settings.window != advance.provenance.window) return;
  job.run_bytes = VisitView(advance.view, [&](const auto& graph) {
    return RunBytes(job.settings.parameters, advance.provenance.edges, graph.id_limit(),
                    graph.on_disk());
  });
}

std::uint64_t JobScheduler::reserved_bytes() const {
  const MutexLock lock(mutex_);
  std::uint64_t greatest = 0;
  for (const JobPtr& job : jobs_) {
    if (job->status.running) return 0;
    greatest = std::max(greatest, job->run_bytes);
  }
  return greatest;
}

std::optional<JobScheduler::Waiting> JobScheduler::TakeNext(std::stop_token stop) {
  const MutexLock lock(mutex_);
  AwaitWork(stop);
  if (stop.stop_requested() || waiting_.empty()) return std::nullopt;
  Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  JobStatus& status = next.job->status;
  --status.waiting;
  status.running = true;
  status.iteration = 0;
  changed_.NotifyAll();
  return next;
}

void JobScheduler::AwaitWork(const std::stop_token& stop) {
  while (may_rest_ && !HasWork() && !stop.stop_requested()) {
    const SteadyTime rest = std::chrono::steady_clock::now() + kRest;
    bool in_time = true;
    while (in_time && !HasWork() && !stop.stop_requested()) {
      in_time = changed_.WaitUntil(mutex_, stop, rest);
    }
    if (HasWork() || stop.stop_requested()) return;
    const MutexUnlock unlock(mutex_);
    may_rest_ = sink_.Rest();
  }
  while (!HasWork() && !stop.stop_requested()) changed_.Wait(mutex_, stop);
}

void JobScheduler::RunUntilStopped(std::stop_token stop) {
  while (!stop.stop_requested()) {
    if (const std::optional<Waiting> next = TakeNext(stop)) {
      const Duration waited = clock_.Steady() - next->since();
      std::optional<CompletedRun> run = RunOne(*next, stop);
      if (!run && stop.stop_requested()) return;
      Settle(*next, waited, std::move(run));
    }
    if (!stop.stop_requested()) ReportCompleted();
  }
}

std::optional<CompletedRun> JobScheduler::RunOne(const Waiting& next, std::stop_token stop) {
  JobSpec settings;
  {
    const MutexLock lock(mutex_);
    settings = next.job->settings;
  }
  const SteadyTime begun = clock_.Steady();
  const auto iterated = [&](int iteration, double residual) {
    {
      const MutexLock lock(mutex_);
      if (next.job->removed) return false;
      next.job->status.iteration = iteration;
      next.job->status.residual = residual;
    }
    const bool in_time = !settings.deadline || clock_.Steady() - begun <= *settings.deadline;
    return in_time && !stop.stop_requested();
  };
  const KernelProgress progress(iterated, [&](RunPhase phase) { BeginPhase(next.job, phase); });
  // The newest result of a job pins its view until the next one is there.
  const std::optional<CompletedRun> before = history_.Latest(settings.name);
  return RunJob(settings, next.on(), keys_, clock_, progress, before ? &*before : nullptr,
                next.is_triggered());
}

bool JobScheduler::IsRemoved(const JobPtr& job) const {
  const MutexLock lock(mutex_);
  return job->removed;
}

void JobScheduler::BeginPhase(const JobPtr& job, RunPhase phase) {
  const MutexLock lock(mutex_);
  job->status.phase = phase;
}

Duration JobScheduler::Deliver(const JobPtr& job, CompletedRun run) {
  const SteadyTime begun = clock_.Steady();
  BeginPhase(job, RunPhase::kDelivering);
  history_.Add(run);
  const RunResult& result = *run.result;
  if (!result.triggered && is_compared_(result.job, result.parameters)) {
    run.before = delivered_.Before(run.result);
  }
  if (run.advance->recalled_for == 0) sink_.Deliver(run);
  return clock_.Steady() - begun;
}

void JobScheduler::Settle(const Waiting& next, Duration waited, std::optional<CompletedRun> run) {
  const bool wanted = run && !IsRemoved(next.job);
  const Duration delivered = wanted ? Deliver(next.job, *run) : Duration();
  const SteadyTime settled = clock_.Steady();
  const MutexLock lock(mutex_);
  JobStatus& status = next.job->status;
  status.running = false;
  if (next.ticket) --next.ticket->outstanding;
  if (next.job->removed) {
    const MutexUnlock unlock(mutex_);
    if (wanted) history_.Clear(status.name);  // another job may have that name by now
    return;
  }
  if (next.on()->recalled_for > 0) return;  // it was counted before the restart
  if (!run) {
    ++status.cancelled;
    if (next.ticket) next.ticket->report.cancelled.push_back(status.name);
    return;
  }
  ++status.runs;
  status.last_seconds = run->result->seconds;
  status.total_seconds += run->result->seconds;
  status.last_phases = run->result->phases;
  status.last_phases[RunPhase::kWaiting] = waited;
  status.last_phases[RunPhase::kDelivering] = delivered;
  status.total_phases += status.last_phases;
  status.last_latency_seconds = ToSeconds(settled - next.due());
  if (run->result->drift) status.drift = *run->result->drift;
  if (run->result->fell_back) ++status.fallbacks;
  if (next.ticket) next.ticket->results[next.job->place] = run->result;
}

void JobScheduler::ReportCompleted() {
  for (;;) {
    TicketPtr ticket;
    {
      const MutexLock lock(mutex_);
      if (tickets_.empty() || tickets_.front()->outstanding > 0) return;
      ticket = tickets_.front();
    }
    for (auto& [place, result] : ticket->results) {
      ticket->report.results.push_back(std::move(result));
    }
    sink_.Complete(ticket->report);
    may_rest_ = true;
    const MutexLock lock(mutex_);
    tickets_.pop_front();
    changed_.NotifyAll();
  }
}

void JobScheduler::Drain() {
  const MutexLock lock(mutex_);
  while (!stopping_ && !tickets_.empty()) changed_.Wait(mutex_);
}

void JobScheduler::RequestStop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  runner_.request_stop();
}

void JobScheduler::Stop() {
  RequestStop();
  if (runner_.joinable()) runner_.join();
}

}  // namespace sash
