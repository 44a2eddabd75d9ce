// WorkDesk: where runs of external jobs wait for workers, which are other processes. A run offers
// its work here; a worker takes it, renews its lease while it computes, and gives an answer.
//
// Thread safety: Run() is called by a runner, at most once at a time for each job; KeepBy() and
// OnOffered() before the first run; every other member by any thread.
//
// Invariants
//   (1) A run id names one run for ever: it contains the number of the process.
//   (2) Work is taken by one worker at a time. The first valid answer to it ends the run; every
//       later request about it gets the reason why it ended.
//   (3) A run ends at its deadline, whatever workers do. It fails with one RunFault.
//   (4) A lease that ends without ever being renewed means that the work may never have reached its
//       worker: it is offered again. A lease that was renewed and ends means that its worker died:
//       the run fails.
//   (5) From its offer to the end of the run, the frozen snapshot of the work is held.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/external_answer.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_fault.h"

namespace sash {

// The frozen snapshot of an advance; it is not removed while `hold` exists.
struct HeldSnapshot {
  std::string folder;
  std::shared_ptr<const void> hold;
};

// The work of a run, as a worker gets it. It pins the advance.
struct ExternalWork {
  std::string run;
  JobSpec job;
  AdvancePtr advance;
  std::string folder;
  std::chrono::nanoseconds left{};  // until the deadline
  std::optional<std::chrono::nanoseconds> lease{};
};

// With neither, the run was cancelled: a stop, or its job was removed.
struct ExternalOutcome {
  std::optional<ExternalAnswer> answer{};
  std::optional<RunFailure> failure{};
};

class WorkDesk {
 public:
  static constexpr std::size_t kEndedRuns = 256;  // whose ends are remembered

  // Writes and holds the frozen snapshot of an advance. Waits at most until `until`.
  using Keeper = std::function<Result<HeldSnapshot>(const AdvancePtr&, SteadyTime until,
                                                    const std::stop_token&)>;

  // `process` is different for each process that has run with the same configuration.
  WorkDesk(const Clock& clock, std::string process) : clock_(clock), process_(std::move(process)) {}

  void KeepBy(Keeper keep) { keep_ = std::move(keep); }
  // Called by the thread of a run, without a lock, whenever there is work to take.
  void OnOffered(std::function<void()> call) { offered_ = std::move(call); }

  // Waits for the end of the run, at most for job.deadline. `wanted` says, once the run can be
  // cancelled, whether it is still wanted; `taken` is called when a worker first takes the work.
  ExternalOutcome Run(const JobSpec& job, const AdvancePtr& advance,
                      const std::function<bool()>& wanted, const std::function<void()>& taken,
                      const std::stop_token& stop);

  // Ends the job's run, if there is one.
  void Cancel(const std::string& job);

  // The work of the job, if there is any that no worker has. `lease`: none means until the
  // deadline.
  std::optional<ExternalWork> Take(const std::string& job,
                                   std::optional<std::chrono::nanoseconds> lease);

  // The members below fail with kNotFound, and the reason, when the run has ended or is not known.

  // Extends the lease, and returns the time until the deadline. `lease`: none keeps its length.
  Result<std::chrono::nanoseconds> Renew(const std::string& job, const std::string& run,
                                         std::optional<std::chrono::nanoseconds> lease);
  Result<ExternalWork> Find(const std::string& job, const std::string& run);
  Status Give(const std::string& job, const std::string& run, ExternalAnswer answer);
  // The worker, or its answer, says that the run fails.
  Status Fail(const std::string& job, const std::string& run, RunFailure failure);

 private:
  struct Work {
    std::string run;
    JobSpec job;
    AdvancePtr advance;
    SteadyTime deadline{};
    HeldSnapshot snapshot{};
    bool is_offered = false;    // a worker may take it
    bool is_announced = false;  // offered_() was called for this offer
    bool is_taken = false;
    bool was_taken = false;   // at some time
    bool is_renewed = false;  // since it was taken
    std::optional<std::chrono::nanoseconds> lease{};
    std::optional<SteadyTime> lease_end{};
    std::optional<ExternalOutcome> outcome{};
    std::stop_source stop{};
  };
  using WorkPtr = std::shared_ptr<Work>;

  std::chrono::nanoseconds Left(const Work& work) const { return work.deadline - clock_.Steady(); }
  ExternalWork Shown(const Work& work) const;
  WorkPtr Begin(const JobSpec& job, const AdvancePtr& advance);
  ExternalOutcome Await(const WorkPtr& work, const std::function<void()>& taken);
  // Applies deadline and lease.
  void Judge(Work& work) SASH_REQUIRES(mutex_);
  // The thread of the run then calls offered_(), whichever thread offers.
  void Offer(Work& work) SASH_REQUIRES(mutex_);
  void End(Work& work, ExternalOutcome outcome) SASH_REQUIRES(mutex_);
  Result<WorkPtr> UnderWay(const std::string& job, const std::string& run) SASH_REQUIRES(mutex_);
  void Remember(const std::string& run, std::string why) SASH_REQUIRES(mutex_);

  const Clock& clock_;
  const std::string process_;
  Keeper keep_{};
  std::function<void()> offered_ = [] {};

  Mutex mutex_;
  StoppableCondVar changed_;
  std::uint64_t runs_ SASH_GUARDED_BY(mutex_) = 0;
  std::map<std::string, WorkPtr> works_ SASH_GUARDED_BY(mutex_);                   // by job
  std::deque<std::pair<std::string, std::string>> ended_ SASH_GUARDED_BY(mutex_);  // run, why
};

}  // namespace sash
