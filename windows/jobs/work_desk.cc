#include "windows/jobs/work_desk.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "windows/base/check.h"
#include "windows/base/phase_times.h"
#include "windows/jobs/kept_reason.h"

namespace sash {
namespace {

std::string SecondsText(std::chrono::nanoseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", ToSeconds(time));
  return text.data();
}

ExternalOutcome Failed(RunFault fault, std::string why) {
  return {.failure = RunFailure{fault, std::move(why)}};
}

std::string EndText(const ExternalOutcome& outcome) {
  if (outcome.answer) return "another answer to it came first";
  if (outcome.failure) return "it failed: " + outcome.failure->why;
  return "it was cancelled";
}

}  // namespace

ExternalWork WorkDesk::Shown(const Work& work) const {
  return {.run = work.run,
          .job = work.job,
          .advance = work.advance,
          .folder = work.snapshot.folder,
          .left = Left(work),
          .lease = work.lease};
}

WorkDesk::WorkPtr WorkDesk::Begin(const JobSpec& job, const AdvancePtr& advance) {
  SASH_CHECK(job.deadline);
  auto work = std::make_shared<Work>();
  work->job = job;
  work->advance = advance;
  work->deadline = clock_.Steady() + *job.deadline;
  const MutexLock lock(mutex_);
  SASH_CHECK(!works_.contains(job.name));
  work->run = process_ + "-" + std::to_string(++runs_);
  works_[job.name] = work;
  return work;
}

ExternalOutcome WorkDesk::Run(const JobSpec& job, const AdvancePtr& advance,
                              const std::function<bool()>& wanted,
                              const std::function<void()>& taken, const std::stop_token& stop) {
  const WorkPtr work = Begin(job, advance);
  const std::stop_callback linked(stop, [&] { work->stop.request_stop(); });
  const std::stop_token own = work->stop.get_token();
  ExternalOutcome outcome;
  if (!wanted()) work->stop.request_stop();
  if (!own.stop_requested()) {
    Result<HeldSnapshot> held = keep_(advance, work->deadline, own);
    if (held) {
      {
        const MutexLock lock(mutex_);
        work->snapshot = std::move(held).value();
        Offer(*work);
      }
      outcome = Await(work, taken);
    } else if (!own.stop_requested()) {
      outcome = Failed(RunFault::kNoSnapshot, held.error().message);
    }
  }
  const MutexLock lock(mutex_);
  End(*work, outcome);
  works_.erase(job.name);
  return *std::move(work->outcome);
}

ExternalOutcome WorkDesk::Await(const WorkPtr& work, const std::function<void()>& taken) {
  const std::stop_token stop = work->stop.get_token();
  bool is_reported = false;
  const MutexLock lock(mutex_);
  while (!stop.stop_requested()) {
    if (work->was_taken && !std::exchange(is_reported, true)) {
      const MutexUnlock unlock(mutex_);
      taken();
      continue;
    }
    Judge(*work);
    if (work->outcome) break;
    if (work->is_offered && !std::exchange(work->is_announced, true)) {
      const MutexUnlock unlock(mutex_);
      offered_();
      continue;
    }
    const SteadyTime due = std::min(work->deadline, work->lease_end.value_or(work->deadline));
    (void)changed_.WaitUntil(mutex_, stop,
                             std::chrono::steady_clock::now() + (due - clock_.Steady()));
  }
  return work->outcome ? *work->outcome : ExternalOutcome();
}

void WorkDesk::Offer(Work& work) {
  work.is_taken = false;
  work.is_offered = true;
  work.is_announced = false;
  work.lease_end.reset();
  changed_.NotifyAll();
}

void WorkDesk::Judge(Work& work) {
  if (work.outcome) return;
  const SteadyTime now = clock_.Steady();
  if (now >= work.deadline) {
    const std::string deadline = "at the deadline (" + SecondsText(*work.job.deadline) + ")";
    if (work.is_taken) {
      End(work, Failed(RunFault::kLate, "its worker had not answered " + deadline));
    } else if (work.is_offered) {
      End(work, Failed(RunFault::kNoWorker, "no worker had taken it " + deadline));
    }
    return;
  }
  if (!work.lease_end || now < *work.lease_end) return;
  if (!work.is_renewed) return Offer(work);
  const std::string lease = SecondsText(*work.lease);
  End(work, Failed(RunFault::kWorkerDied, "its worker did not renew the lease of " + lease));
}

void WorkDesk::End(Work& work, ExternalOutcome outcome) {
  if (work.outcome) return;
  Remember(work.run, EndText(outcome));
  work.outcome = std::move(outcome);
  work.is_offered = false;
  changed_.NotifyAll();
}

void WorkDesk::Remember(const std::string& run, std::string why) {
  ended_.emplace_back(run, std::move(why));
  if (ended_.size() > kEndedRuns) ended_.pop_front();
}

void WorkDesk::Cancel(const std::string& job) {
  WorkPtr work;
  {
    const MutexLock lock(mutex_);
    if (const auto found = works_.find(job); found != works_.end()) work = found->second;
  }
  if (work != nullptr) work->stop.request_stop();
}

std::optional<ExternalWork> WorkDesk::Take(const std::string& job,
                                           std::optional<std::chrono::nanoseconds> lease) {
  const MutexLock lock(mutex_);
  const auto found = works_.find(job);
  if (found == works_.end()) return std::nullopt;
  Work& work = *found->second;
  Judge(work);
  if (work.outcome || !work.is_offered || work.stop.stop_requested()) return std::nullopt;
  work.is_offered = false;
  work.is_taken = true;
  work.was_taken = true;
  work.is_renewed = false;
  work.lease = lease;
  if (lease) work.lease_end = clock_.Steady() + *lease;
  changed_.NotifyAll();
  return Shown(work);
}

Result<WorkDesk::WorkPtr> WorkDesk::UnderWay(const std::string& job, const std::string& run) {
  const auto found = works_.find(job);
  if (found != works_.end() && found->second->run == run) {
    Work& work = *found->second;
    Judge(work);
    if (!work.outcome && !work.stop.stop_requested()) {
      if (work.is_taken) return found->second;
      if (work.was_taken) {
        return Error{ErrorCode::kNotFound, "run " + run + " was not renewed within its lease, " +
                                               "and is offered to another worker"};
      }
    }
  }
  const auto ended = std::ranges::find(ended_, run, &std::pair<std::string, std::string>::first);
  return Error{ErrorCode::kNotFound,
               ended != ended_.end()
                   ? "run " + run + " has ended: " + ended->second
                   : "run " + run + " is not under way: it is of an earlier process, or it " +
                         "ended long ago, or it is of another job"};
}

Result<std::chrono::nanoseconds> WorkDesk::Renew(const std::string& job, const std::string& run,
                                                 std::optional<std::chrono::nanoseconds> lease) {
  const MutexLock lock(mutex_);
  const Result<WorkPtr> found = UnderWay(job, run);
  if (!found) return found.error();
  Work& work = *found.value();
  if (lease) work.lease = lease;
  work.is_renewed = true;
  if (work.lease) work.lease_end = clock_.Steady() + *work.lease;
  changed_.NotifyAll();
  return Left(work);
}

Result<ExternalWork> WorkDesk::Find(const std::string& job, const std::string& run) {
  const MutexLock lock(mutex_);
  const Result<WorkPtr> found = UnderWay(job, run);
  if (!found) return found.error();
  return Shown(*found.value());
}

Status WorkDesk::Give(const std::string& job, const std::string& run, ExternalAnswer answer) {
  const MutexLock lock(mutex_);
  const Result<WorkPtr> found = UnderWay(job, run);
  if (!found) return found.error();
  End(*found.value(), {.answer = std::move(answer)});
  return Ok{};
}

Status WorkDesk::Fail(const std::string& job, const std::string& run, RunFailure failure) {
  const MutexLock lock(mutex_);
  const Result<WorkPtr> found = UnderWay(job, run);
  if (!found) return found.error();
  failure.why = KeptReason(std::move(failure.why));
  End(*found.value(), {.failure = std::move(failure)});
  return Ok{};
}

}  // namespace sash
