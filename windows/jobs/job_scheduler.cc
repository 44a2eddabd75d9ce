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
                           bool lossless)
    : jobs_(std::move(jobs)),
      keys_(keys),
      clock_(clock),
      history_(history),
      sink_(sink),
      lossless_(lossless),
      settings_(jobs_) {
  for (const JobSpec& job : jobs_) {
    JobStatus status;
    status.name = job.name;
    status.kernel = std::visit([](const auto& p) { return p.kKernel; }, job.parameters);
    status.window = job.window;
    statuses_.push_back(std::move(status));
  }
  run_bytes_.resize(jobs_.size());
}

JobScheduler::~JobScheduler() { Stop(); }

void JobScheduler::Start() {
  runner_ = std::jthread([this](std::stop_token stop) { RunUntilStopped(stop); });
}

bool JobScheduler::IsDue(const JobSpec& job, const Advance& advance) const {
  return job.window == advance.provenance.window && advance.ordinal % job.every == 0;
}

std::size_t JobScheduler::Capacity(const JobSpec& job) const {
  if (job.overrun.queue > 0) return job.overrun.queue;
  return lossless_ ? kLosslessQueue : 1;
}

void JobScheduler::DisplaceWaiting(std::size_t job) {
  const auto old = std::ranges::find(waiting_, job, &Waiting::job);
  if (old == waiting_.end()) return;
  Ticket& ticket = *old->ticket;
  ticket.report.skipped.push_back(jobs_[job].name);
  --ticket.outstanding;
  ++statuses_[job].skipped;
  --statuses_[job].waiting;
  statuses_[job].last_skipped = ticket.report.advance->provenance.window_end;
  waiting_.erase(old);
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
  ticket->by_job.resize(jobs_.size());
  ticket->report.advance = std::move(advance);
  std::unique_lock lock(mutex_);
  ticket->outstanding = 1;  // held until all jobs are queued
  tickets_.push_back(ticket);
  NoteRunBytes(*ticket->report.advance);
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    if (!IsDue(settings_[job], *ticket->report.advance)) continue;
    // A reload may change the policy meanwhile.
    changed_.wait(lock, [&] {
      return stopping_ || MayDisplace(settings_[job]) ||
             statuses_[job].waiting < Capacity(settings_[job]);
    });
    if (stopping_) return;
    if (MayDisplace(settings_[job])) {
      while (statuses_[job].waiting > 0) DisplaceWaiting(job);  // several, after a queue
    }
    waiting_.push_back({job, ticket});
    ++statuses_[job].waiting;
    ++ticket->outstanding;
    changed_.notify_all();
  }
  --ticket->outstanding;
  if (!lossless_) released = LightenSettled();
  // Someone who looks at every advance keeps pace with it, even with no job due.
  changed_.wait(lock, [&] { return stopping_ || !lossless_ || tickets_.size() <= kLosslessQueue; });
  changed_.notify_all();
}

void JobScheduler::NoteRunBytes(const Advance& advance) {
  const VertexId id_limit =
      VisitView(advance.view, [](const auto& graph) { return graph.id_limit(); });
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    if (jobs_[job].window != advance.provenance.window) continue;
    run_bytes_[job] = RunBytes(settings_[job].parameters, advance.provenance.edges, id_limit);
  }
}

std::uint64_t JobScheduler::reserved_bytes() const {
  const std::lock_guard lock(mutex_);
  if (run_bytes_.empty() ||
      std::ranges::any_of(statuses_, [](const JobStatus& status) { return status.running; })) {
    return 0;
  }
  return *std::ranges::max_element(run_bytes_);
}

void JobScheduler::RunUntilStopped(std::stop_token stop) {
  while (!stop.stop_requested()) {
    std::optional<Waiting> next;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [&] {
        return !waiting_.empty() || (!tickets_.empty() && tickets_.front()->outstanding == 0);
      });
      if (stop.stop_requested()) return;
      if (!waiting_.empty()) {
        next = std::move(waiting_.front());
        waiting_.pop_front();
        JobStatus& status = statuses_[next->job];
        --status.waiting;
        status.running = true;
        status.iteration = 0;
        changed_.notify_all();
      }
    }
    if (next) {
      std::optional<CompletedRun> run = RunOne(*next, stop);
      if (!run && stop.stop_requested()) return;
      Settle(*next, std::move(run));
    }
    ReportCompleted();
  }
}

std::optional<CompletedRun> JobScheduler::RunOne(const Waiting& next, std::stop_token stop) {
  const JobSpec job = SettingsOf(next.job);
  const SteadyTime begun = clock_.Steady();
  const auto progress = [&](int iteration, double residual) {
    {
      const std::lock_guard lock(mutex_);
      statuses_[next.job].iteration = iteration;
      statuses_[next.job].residual = residual;
    }
    const bool in_time = !job.deadline || clock_.Steady() - begun <= *job.deadline;
    return in_time && !stop.stop_requested();
  };
  // The newest result of a job pins its view until the next one is there.
  const std::optional<CompletedRun> before = history_.Latest(job.name);
  return RunJob(job, next.ticket->report.advance, keys_, clock_, progress,
                before ? &*before : nullptr);
}

void JobScheduler::Settle(const Waiting& next, std::optional<CompletedRun> run) {
  if (run) {
    history_.Add(*run);
    sink_.Deliver(*run);
  }
  const std::lock_guard lock(mutex_);
  JobStatus& status = statuses_[next.job];
  status.running = false;
  if (run) {
    ++status.runs;
    status.last_seconds = run->result->seconds;
    status.total_seconds += run->result->seconds;
    if (run->result->drift) status.drift = *run->result->drift;
    if (run->result->fell_back) ++status.fallbacks;
    next.ticket->by_job[next.job] = run->result;
  } else {
    ++status.cancelled;
    next.ticket->report.cancelled.push_back(status.name);
  }
  --next.ticket->outstanding;
}

void JobScheduler::ReportCompleted() {
  for (;;) {
    TicketPtr ticket;
    {
      const std::lock_guard lock(mutex_);
      if (tickets_.empty() || tickets_.front()->outstanding > 0) return;
      ticket = tickets_.front();
    }
    for (auto& result : ticket->by_job) {
      if (result) ticket->report.results.push_back(std::move(result));
    }
    sink_.Complete(ticket->report);
    const std::lock_guard lock(mutex_);
    tickets_.pop_front();
    changed_.notify_all();
  }
}

void JobScheduler::Drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || tickets_.empty(); });
}

JobSpec JobScheduler::SettingsOf(std::size_t job) const {
  const std::lock_guard lock(mutex_);
  return settings_[job];
}

void JobScheduler::ChangeJobs(const std::vector<JobSpec>& jobs) {
  const std::lock_guard lock(mutex_);
  for (const JobSpec& job : jobs) {
    const auto found = std::ranges::find(settings_, job.name, &JobSpec::name);
    if (found == settings_.end()) continue;
    SASH_CHECK(found->window == job.window && found->parameters.index() == job.parameters.index());
    *found = job;
  }
  changed_.notify_all();  // there may be more room for advances that wait
}

void JobScheduler::RequestStop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  runner_.request_stop();
}

void JobScheduler::Stop() {
  RequestStop();
  if (runner_.joinable()) runner_.join();
}

std::vector<JobStatus> JobScheduler::Statuses() const {
  const std::lock_guard lock(mutex_);
  return statuses_;
}

}  // namespace sash
