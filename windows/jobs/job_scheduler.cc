#include "windows/jobs/job_scheduler.h"

#include <algorithm>
#include <utility>

#include "windows/base/parallel.h"
#include "windows/jobs/run_bytes.h"

namespace sash {
namespace {

constexpr std::size_t kLosslessQueue = 4;  // advances a replay may be ahead of a job

}  // namespace

JobScheduler::JobScheduler(std::vector<JobSpec> jobs, const VertexDictionary& keys,
                           const Clock& clock, ResultHistory& history, ResultSink& sink,
                           bool lossless, IsCompared is_compared, std::size_t runners,
                           WorkDesk* desk)
    : clock_(clock),
      history_(history),
      lossless_(lossless),
      most_runs_(lossless ? 1 : runners),
      delivery_(history, sink, std::move(is_compared)),
      executor_(keys, clock, history, desk, most_runs_) {
  for (const JobSpec& job : jobs) Join(job);
}

JobScheduler::~JobScheduler() { Stop(); }

void JobScheduler::Start() {
  for (std::size_t i = 0; i < most_runs_; ++i) {
    runners_.emplace_back([this] { RunUntilStopped(RunPlace::kHere, stop_.get_token()); });
  }
  const MutexLock lock(mutex_);
  is_started_ = true;
  AddWaiters();
}

void JobScheduler::AddWaiters() {
  if (!is_started_ || stopping_) return;
  const auto needed = static_cast<std::size_t>(std::ranges::count_if(
      jobs_, [](const JobPtr& job) { return IsExternal(job->settings.parameters); }));
  while (waiters_.size() < needed) {
    waiters_.emplace_back([this] { RunUntilStopped(RunPlace::kElsewhere, stop_.get_token()); });
  }
}

std::size_t JobScheduler::Capacity(const JobSpec& job) const {
  if (job.overrun.queue > 0) return job.overrun.queue;
  return lossless_ ? kLosslessQueue : 1;
}

// A reload may change the policy while an advance waits.
bool JobScheduler::HasRoom(const RegisteredJob& job) const {
  return stopping_ || job.removed || MayDisplace(job.settings) ||
         job.status.waiting < Capacity(job.settings);
}

void JobScheduler::Submit(AdvancePtr advance) {
  UnreportedAdvances::Released released;  // freed after the lock: that can take milliseconds
  const SteadyTime submitted = clock_.Steady();
  const MutexLock lock(mutex_);
  const AdvanceTicketPtr ticket = unreported_.Add(std::move(advance), submitted);
  const Advance& moved = *ticket->report.advance;
  const std::string window = moved.provenance.window;
  const std::int64_t end = moved.end;
  queue_.Reach(window, end);
  changed_.NotifyAll();                    // runs may begin that waited for other windows
  const std::vector<JobPtr> jobs = jobs_;  // jobs come and go while it waits
  for (const JobPtr& job : jobs) job->NoteRunBytes(moved);
  for (const JobPtr& job : jobs) {
    if (!job->IsDue(moved)) continue;
    job->status.holds = !HasRoom(*job);
    while (!HasRoom(*job)) changed_.Wait(mutex_);
    job->status.holds = false;
    if (stopping_) return;  // the ticket stays outstanding: not all its runs are there (4)
    if (job->removed) continue;
    QueuedRun run{job, ticket, nullptr, {}};
    if (MayDisplace(job->settings)) {  // several, if the policy was a queue
      for (const QueuedRun& older : queue_.Replace(std::move(run), clock_.Steady())) {
        older.CountSkipped();
      }
    } else {
      queue_.Add(std::move(run), clock_.Steady());
    }
    job->newest = moved.provenance.snapshot;
    ++ticket->outstanding;
    changed_.NotifyAll();
  }
  --ticket->outstanding;
  queue_.Pass(window, end);
  if (!lossless_) released = unreported_.ReleaseViews();
  changed_.NotifyAll();
  // Waits until the sink, which gets every advance, is not far behind, even if no job is due. Not
  // while a run is held: it may need an advance of another window to the same end.
  while (!stopping_ && lossless_ && unreported_.size() > kLosslessQueue && !queue_.HasHeld()) {
    changed_.Wait(mutex_);
  }
}

std::uint64_t JobScheduler::reserved_bytes() const {
  const MutexLock lock(mutex_);
  std::vector<std::uint64_t> needs;
  std::uint64_t elsewhere = 0;  // external jobs need no runner, so all of them may start
  for (const JobPtr& job : jobs_) {
    if (queue_.IsUnderWay(job->settings.name)) continue;
    if (IsExternal(job->settings.parameters)) {
      elsewhere += job->run_bytes;
    } else {
      needs.push_back(job->run_bytes);
    }
  }
  const std::size_t idle = most_runs_ - queue_.under_way(RunPlace::kHere);
  return elsewhere + SumOfGreatest(std::move(needs), idle);
}

std::optional<QueuedRun> JobScheduler::TakeNext(RunPlace place, const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  AwaitWork(place, stop);
  if (stop.stop_requested()) return std::nullopt;
  std::optional<QueuedRun> next = queue_.Begin(place);
  if (!next) return std::nullopt;
  next->job->status.iteration = 0;
  changed_.NotifyAll();
  return next;
}

void JobScheduler::AwaitWork(RunPlace place, const std::stop_token& stop) {
  while (!HasWork(place) && !stop.stop_requested()) {
    if (may_rest_ && !resting_) {
      RestSink(place, stop);
    } else {
      changed_.Wait(mutex_, stop);
    }
  }
}

// Returns early when there is work. Another runner then takes over.
void JobScheduler::RestSink(RunPlace place, const std::stop_token& stop) {
  resting_ = true;
  const SteadyTime rest = std::chrono::steady_clock::now() + kRest;
  bool in_time = true;
  while (in_time && !HasWork(place) && !stop.stop_requested()) {
    in_time = changed_.WaitUntil(mutex_, stop, rest);
  }
  if (!HasWork(place) && !stop.stop_requested()) {
    may_rest_ = false;  // an advance may be reported meanwhile
    bool is_left = false;
    {
      const MutexUnlock unlock(mutex_);
      is_left = delivery_.Rest();
    }
    may_rest_ = may_rest_ || is_left;
  }
  resting_ = false;
  changed_.NotifyAll();
}

void JobScheduler::RunUntilStopped(RunPlace place, std::stop_token stop) {
  KeepInnerLoopsSerial();
  while (!stop.stop_requested()) {
    if (const std::optional<QueuedRun> next = TakeNext(place, stop)) {
      const Duration waited = clock_.Steady() - next->since();
      RunExecutor::Outcome outcome = RunOne(*next, stop);
      if (!outcome.run && stop.stop_requested()) return;
      Settle(*next, waited, std::move(outcome));
    }
    if (!stop.stop_requested()) ReportCompleted();
  }
}

RunExecutor::Outcome JobScheduler::RunOne(const QueuedRun& next, const std::stop_token& stop) {
  RunExecutor::Task task{{}, next.on(), next.is_triggered()};
  const JobSpec& settings = task.settings;
  {
    const MutexLock lock(mutex_);
    task.settings = next.job->settings;
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
  task.baseline = BaselineOf(settings, *task.advance);
  return executor_.Run(
      task, progress, [&] { return !IsRemoved(next.job); }, stop);
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
  delivery_.Deliver(std::move(run));
  return clock_.Steady() - begun;
}

void JobScheduler::Settle(const QueuedRun& next, Duration waited, RunExecutor::Outcome outcome) {
  const std::optional<CompletedRun>& run = outcome.run;
  const bool wanted = run && !IsRemoved(next.job);
  const Duration delivered = wanted ? Deliver(next.job, *run) : Duration();
  const bool is_counted = next.on()->recalled_for == 0;  // else it was, before the restart
  if (!run && is_counted && !IsRemoved(next.job)) {
    delivery_.NoteUnfinished(*next.on(), next.job->status.name, outcome.failure);
  }
  auto scores = wanted ? ScoresToKeep(next, *run) : nullptr;
  KeptScores::Scores retired;  // freed after the lock
  const SteadyTime settled = clock_.Steady();
  const MutexLock lock(mutex_);
  if (wanted && next.job->removed) {
    const MutexUnlock unlock(mutex_);
    history_.Clear(next.job->status.name);  // before another job of that name runs
  }
  if (scores != nullptr && !next.job->removed) retired = KeepScores(next.job, std::move(scores));
  queue_.End(next.job, settled);
  if (next.ticket) --next.ticket->outstanding;
  changed_.NotifyAll();  // the job may run again
  if (next.job->removed || !is_counted) return;
  if (!run) return next.CountUnfinished(outcome.failure);
  next.CountFinished(run->result, waited, delivered, settled);
}

void JobScheduler::ReportCompleted() {
  for (;;) {
    AdvanceTicketPtr ticket;
    {
      const MutexLock lock(mutex_);
      if (!unreported_.HasReport()) return;
      ticket = unreported_.BeginReport();
    }
    delivery_.Complete(ticket->report);
    const MutexLock lock(mutex_);
    unreported_.EndReport();
    may_rest_ = true;
    changed_.NotifyAll();
  }
}

void JobScheduler::Drain() {
  const MutexLock lock(mutex_);
  while (!stopping_ && !unreported_.empty()) {
    if (queue_.is_stuck() && !unreported_.HasReport() && !unreported_.is_reporting()) return;
    changed_.Wait(mutex_);
  }
}

void JobScheduler::RequestStop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  stop_.request_stop();
}

void JobScheduler::Stop() {
  RequestStop();
  runners_.clear();  // joins them
  executor_.AwaitLost();
  delivery_.Close();
  std::vector<std::jthread> waiters;  // joined without the lock
  const MutexLock lock(mutex_);
  std::swap(waiters, waiters_);
}

}  // namespace sash
