// JobScheduler: runs the registered jobs on every advance, in threads of its own (runners), while
// ingest goes on.
//
// Thread safety
//   Submit(), Recall() and PassAll() belong to the engine thread; AddJob(), ChangeJobs() and
//   RemoveJob() to one thread at a time; Start(), Drain() and Stop() to the thread that owns the
//   scheduler; the others to any thread.
//
// Invariants
//   (1) Runs of one job happen in the order of the advances, one after the other. Runs of different
//       jobs happen in parallel when there are several runners; a runner is never idle while
//       a run may begin (RunQueue). Runs of external jobs wait for workers of other processes, each
//       in a thread of its own, so they never take the place of another run.
//   (2) Every advance is reported to the sink once, in order, after all its runs. An advance whose
//       runs have ended or were skipped may have to wait until an earlier, long run ends; meanwhile
//       its view is released. Beyond UnreportedAdvances::kMost, the oldest such advances are not
//       reported at all. The sink is called by one runner at a time. With several runners, it may
//       get a result of an advance before an earlier advance is reported.
//   (3) overrun: skip - at most one advance of a job waits, the newest; a displaced advance is
//       counted and named in its report. overrun: queue - no advance is skipped; Submit() waits for
//       room instead.
//   (4) An advance whose run was cancelled by a stop is not reported: it must run again.
//   (5) A run has the settings that its job had when the run began.
//   (6) After RemoveJob() has returned, no run of the job begins; a run under way is cancelled at
//       its next step. The result of that run is kept and delivered as a whole or not at all, and
//       is not kept for long.
//   (7) A triggered run is in no report, and at most one of a job waits.
//   (8) A failed run of an external job or of a plug-in has no result. It is counted and reported,
//       like a run that was cancelled at its deadline. The sink learns of both before the next run
//       of the job begins.
//   (9) A run of a plug-in that does not stop is given up, and its job is paused: other jobs have
//       the runner back. Stop() waits for such runs, because they read the window and its keys.
//   (10) A live job is due on no advance, appears in no report, and starts from no earlier result.
//        All its runs are triggered, on live views.
//   (11) The baseline of a result depends on the ends of windows and on which results exist, never
//        on when runs happen (RunQueue (3)). Results of triggered runs are part of no baseline. If
//        the window of a baseline has not moved, Drain() does not wait for the runs that need it,
//        and their advances are not reported.
//   (12) After Stop(), the sink is not called any more.
//
// It has more methods than other classes: jobs, their queue and the reports of their advances have
// one mutex, because a run changes all three. Its runs and deliveries are in RunExecutor and
// RunDelivery.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/job_status.h"
#include "windows/jobs/kept_scores.h"
#include "windows/jobs/registered_job.h"
#include "windows/jobs/result_history.h"
#include "windows/jobs/result_sink.h"
#include "windows/jobs/run_delivery.h"
#include "windows/jobs/run_executor.h"
#include "windows/jobs/run_queue.h"
#include "windows/jobs/unreported_advances.h"
#include "windows/jobs/work_desk.h"

namespace sash {

class JobScheduler {
 public:
  static constexpr std::chrono::milliseconds kRest{200};

  using IsCompared = RunDelivery::IsCompared;

  // With `lossless` (replays) no advance is ever skipped, whatever the jobs' overrun policy, and
  // there is one runner. Otherwise `runners` jobs may run at once. `desk` connects external jobs
  // with their workers; null: there are no external jobs.
  JobScheduler(
      std::vector<JobSpec> jobs, const VertexDictionary& keys, const Clock& clock,
      ResultHistory& history, ResultSink& sink, bool lossless,
      IsCompared is_compared = [](const std::string&, const JobParameters&) { return false; },
      std::size_t runners = 1, WorkDesk* desk = nullptr);
  ~JobScheduler();

  void Start();

  // Queues the jobs due on `advance`. Waits while a queue with `overrun: queue` is full; with
  // `lossless`, while any queue is full or too many advances are not reported.
  void Submit(AdvancePtr advance);

  // To be called before the advances that follow. `advance` was republished after a restart: runs
  // the jobs for which it was made (Advance::recalled_for), so that their next results are compared
  // with it. The sink does not get these runs. Does not wait.
  void Recall(const AdvancePtr& advance);
  // By window, the `every` of the jobs whose results are compared.
  std::map<std::string, std::set<std::uint32_t>> Compared() const;

  // Every window of the axis of `window` has moved to every end at or before `end`. Does not wait.
  void PassAll(const std::string& window, std::int64_t end);

  // Returns when everything submitted has been run and reported, but see (11).
  void Drain();

  // Adds a job, due from the next advance of its window on. Its name must be new.
  Status AddJob(JobSpec job);

  // Gives new settings to the jobs with the same names, from their next run and the next advance
  // on. Kernel and window must be the same, too.
  void ChangeJobs(const std::vector<JobSpec>& jobs);

  // Removes a job and its results.
  Status RemoveJob(const std::string& name);

  // A paused job is not due on any advance; this does not count as skipped. Waiting runs still
  // happen.
  Status PauseJob(const std::string& name, bool paused);

  // Runs a job on `advance`, the newest of its window (of a live job: a live view), whether due or
  // not, and even if paused. The result is kept and delivered as triggered (RunResult). Returns the
  // snapshot that will have a result: that of `advance`, or a newer one that the job was given
  // meanwhile. While this run waits, a trigger on a newer advance, or of a live job any trigger,
  // replaces it.
  Result<SnapshotId> TriggerJob(const std::string& name, AdvancePtr advance);

  // Gives the result of a past run (RunOnPast()) to the sinks of its job, between other results and
  // reports. Nothing else changes: not the history, the job or the position that is committed.
  // Returns what each sink did; nothing: the scheduler has stopped.
  std::optional<std::vector<PastDelivery>> DeliverPast(const CompletedRun& run) {
    return delivery_.DeliverPast(run);
  }

  // Cancels the current runs and drops the waiting ones. Does not wait until this has happened.
  void RequestStop();

  bool is_stopping() const {
    const MutexLock lock(mutex_);
    return stopping_;
  }

  // RequestStop(), then waits until no run is under way.
  void Stop();

  // The current jobs, in the order in which they joined.
  std::vector<JobSpec> jobs() const;
  std::optional<JobSpec> Find(std::string_view name) const;
  std::vector<JobStatus> Statuses() const;
  // The live jobs, and whether a run may be given to each: it is not paused and has none.
  struct LiveJob {
    JobSpec spec;
    bool is_free = false;
  };
  std::vector<LiveJob> LiveOnes() const;
  // Runs of plug-ins that were given up and have not ended.
  std::size_t lost_runs() { return executor_.lost_runs(); }

  // The temporary memory of the runs that could begin now, for the windows that were submitted
  // last: the largest, one for each idle runner, and all of external jobs. Runs under way have
  // allocated theirs.
  std::uint64_t reserved_bytes() const;

  // Memory of the scores with which later results are compared.
  std::size_t baseline_bytes() const;

 private:
  // mutex_ guards the members of jobs and tickets, except the advance and the report of a ticket
  // while its runs are under way or its report is delivered.
  using JobPtr = RegisteredJobPtr;

  // These read and write jobs and tickets, whose members mutex_ guards.
  JobPtr FindJob(std::string_view name) const SASH_REQUIRES(mutex_);
  bool Compares(const JobSpec& job) const SASH_REQUIRES(mutex_);
  // Whether later results are compared with results of this job.
  bool IsBaseline(const JobSpec& job) const SASH_REQUIRES(mutex_);
  KeptScores::Needs NeedsOf(const JobSpec& job) const SASH_REQUIRES(mutex_);
  // Returns what the caller frees without the lock.
  KeptScores::Scores KeepScores(const JobPtr& job, std::shared_ptr<const ResultScores> scores)
      SASH_REQUIRES(mutex_);
  std::vector<JobSpec> Specs() const SASH_REQUIRES(mutex_);
  std::size_t Capacity(const JobSpec& job) const;  // advances that may wait
  bool HasRoom(const RegisteredJob& job) const SASH_REQUIRES(mutex_);
  bool MayDisplace(const JobSpec& job) const { return !lossless_ && job.overrun.queue == 0; }
  bool HasWork(RunPlace place) const SASH_REQUIRES(mutex_) {
    return queue_.HasNext(place) || unreported_.HasReport();
  }
  void AwaitWork(RunPlace place, const std::stop_token& stop) SASH_REQUIRES(mutex_);
  void RestSink(RunPlace place, const std::stop_token& stop) SASH_REQUIRES(mutex_);
  // One thread for each external job.
  void AddWaiters() SASH_REQUIRES(mutex_);

  // The functions below take the lock themselves.
  std::shared_ptr<const ResultScores> ScoresToKeep(const QueuedRun& next, const CompletedRun& run);
  std::optional<Baseline> BaselineOf(const JobSpec& job, const Advance& advance) const;
  // A job that joins is compared with results from before.
  void KeepLatest(const JobSpec& joined);
  void Join(const JobSpec& job);
  void RunUntilStopped(RunPlace place, std::stop_token stop);
  std::optional<QueuedRun> TakeNext(RunPlace place, const std::stop_token& stop);
  RunExecutor::Outcome RunOne(const QueuedRun& next, const std::stop_token& stop);
  bool IsRemoved(const JobPtr& job) const;
  void BeginPhase(const JobPtr& job, RunPhase phase);
  void Settle(const QueuedRun& next, Duration waited, RunExecutor::Outcome outcome);
  // Returns how long it took.
  Duration Deliver(const JobPtr& job, CompletedRun run);
  void ReportCompleted();

  const Clock& clock_;
  ResultHistory& history_;
  const bool lossless_;
  const std::size_t most_runs_;  // at once
  RunDelivery delivery_;
  RunExecutor executor_;

  mutable Mutex mutex_;
  StoppableCondVar changed_;
  std::vector<JobPtr> jobs_ SASH_GUARDED_BY(mutex_);  // in the order in which they joined
  std::uint64_t joined_ SASH_GUARDED_BY(mutex_) = 0;
  RunQueue queue_ SASH_GUARDED_BY(mutex_);
  KeptScores scores_ SASH_GUARDED_BY(mutex_);
  UnreportedAdvances unreported_ SASH_GUARDED_BY(mutex_);
  bool stopping_ SASH_GUARDED_BY(mutex_) = false;
  bool may_rest_ SASH_GUARDED_BY(mutex_) = false;  // the sink may have deferred work
  bool resting_ SASH_GUARDED_BY(mutex_) = false;   // a runner will call Rest(), or does
  std::stop_source stop_;
  std::vector<std::jthread> runners_;
  bool is_started_ SASH_GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> waiters_ SASH_GUARDED_BY(mutex_);  // run external jobs
};

}  // namespace sash
