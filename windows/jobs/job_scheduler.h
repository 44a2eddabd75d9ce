// JobScheduler: runs the registered jobs on every advance, in a thread of its own, while ingest
// goes on.
//
// Thread safety
//   Submit() belongs to the engine thread; jobs(), Find(), Statuses(), TriggerJob(), PauseJob() and
//   RequestStop() to any thread; AddJob(), ChangeJobs() and RemoveJob() to one thread at a time;
//   Start(), Drain() and Stop() to the thread that owns the scheduler.
//
// Invariants
//   (1) Runs of one job happen in the order of the advances.
//   (2) Every advance is reported to the sink once, in order, after all its runs. An advance whose
//       jobs were all skipped may have to wait for an earlier, long run. Its view is released
//       meanwhile. Beyond kMostUnreported advances, the oldest such advances are not reported at
//       all.
//   (3) overrun: skip - at most one advance of a job waits, the newest; a displaced advance is
//       counted and named in its report. overrun: queue - no advance is skipped; Submit() waits for
//       room instead.
//   (4) An advance whose run was cancelled by a stop is not reported: it must run again.
//   (5) A run has the settings that its job had when the run began.
//   (6) After RemoveJob() has returned, no run of the job begins; a run under way is cancelled at
//       its next step. Its result is kept and delivered as a whole or not at all, and not kept for
//       long.
//   (7) A triggered run is in no report, and at most one of a job waits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
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
#include "windows/jobs/previous_results.h"
#include "windows/jobs/result_history.h"
#include "windows/jobs/result_sink.h"

namespace sash {

struct JobStatus {
  std::string name;
  std::string_view kernel;
  std::string window;
  std::uint64_t runs = 0;
  std::uint64_t skipped = 0;
  std::uint64_t cancelled = 0;  // past the deadline
  std::size_t waiting = 0;
  bool running = false;
  bool paused = false;
  bool holds = false;                   // the stream waits until there is room for its next advance
  RunPhase phase = RunPhase::kWaiting;  // of the current run
  int iteration = 0;                    // of the current run
  double residual = 0;                  // of the current run
  double last_seconds = 0;
  double total_seconds = 0;
  RunPhases last_phases;                  // of the last run, from waiting to delivering
  RunPhases total_phases;                 // of all finished runs
  double last_latency_seconds = 0;        // of the last run: from Advance::due, or from the
                                          // request for it, until its result was delivered
  double drift = 0;                       // of the last warm run that was compared with a full run
  std::uint64_t fallbacks = 0;            // times that the drift was too large
  std::optional<EventTime> last_skipped;  // window end of the newest skipped advance
};

class JobScheduler {
 public:
  static constexpr std::size_t kMostUnreported = 1024;
  static constexpr std::chrono::milliseconds kRest{200};

  // Whether the sink compares each result of such a job with the one before it
  // (CompletedRun::before). Any thread calls it, also under a lock, so it must not wait.
  using IsCompared = std::function<bool(const std::string& job, const JobParameters& parameters)>;

  // With `lossless` (replays) no advance is ever skipped, whatever the jobs' overrun policy.
  JobScheduler(
      std::vector<JobSpec> jobs, const VertexDictionary& keys, const Clock& clock,
      ResultHistory& history, ResultSink& sink, bool lossless,
      IsCompared is_compared = [](const std::string&, const JobParameters&) { return false; });
  ~JobScheduler();

  void Start();

  // Queues the jobs due on `advance`. Waits while a queue with `overrun: queue` is full.
  void Submit(AdvancePtr advance);

  // To be called before the advances that follow. `advance` was republished after a restart: runs
  // the jobs for which it was made (Advance::recalled_for), so that their next results are compared
  // with it. The sink does not get these runs. Does not wait.
  void Recall(const AdvancePtr& advance);
  // By window, the `every` of the jobs whose results are compared.
  std::map<std::string, std::set<std::uint32_t>> Compared() const;

  // Returns when everything submitted has been run and reported.
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

  // Runs a job on `advance`, the newest of its window, whether due or not, and even if paused. The
  // result is kept and delivered as triggered (RunResult). Returns the snapshot that will have a
  // result: that of `advance`, or a newer one that the job was given meanwhile. While this run
  // waits, a trigger on a newer advance replaces it.
  Result<SnapshotId> TriggerJob(const std::string& name, AdvancePtr advance);

  // Cancels the current run and drops the waiting ones. Does not wait until this has happened.
  void RequestStop();

  // RequestStop(), then waits until no run is under way.
  void Stop();

  // The current jobs, in the order in which they joined.
  std::vector<JobSpec> jobs() const;
  std::optional<JobSpec> Find(std::string_view name) const;
  std::vector<JobStatus> Statuses() const;

  // The temporary memory of the largest of the next runs, for the windows that were submitted last.
  // 0 while a run is under way, since that run has allocated its memory.
  std::uint64_t reserved_bytes() const;

 private:
  // mutex_ guards all members.
  struct Job {
    JobSpec settings;
    JobStatus status;
    std::uint64_t place = 0;      // in the order in which jobs joined
    std::uint64_t run_bytes = 0;  // of its next run
    SnapshotId newest;            // the newest that it was given to run on
    bool removed = false;
  };
  using JobPtr = std::shared_ptr<Job>;

  // An advance that is not reported yet. Its report is delivered once nothing is outstanding.
  struct Ticket {
    SteadyTime submitted;
    AdvanceReport report;
    std::map<std::uint64_t, std::shared_ptr<const RunResult>> results;  // by Job::place
    std::size_t outstanding = 0;
  };
  using TicketPtr = std::shared_ptr<Ticket>;

  struct Waiting {
    JobPtr job;
    TicketPtr ticket;    // null: a triggered run, or a recalled one
    AdvancePtr advance;  // of such a run
    SteadyTime asked{};  // likewise

    SteadyTime since() const { return ticket ? ticket->submitted : asked; }
    SteadyTime due() const { return ticket ? ticket->report.advance->due : asked; }
    const AdvancePtr& on() const { return ticket ? ticket->report.advance : advance; }
    bool is_triggered() const { return !ticket && advance->recalled_for == 0; }
  };

  // These read and write jobs and tickets, whose members mutex_ guards.
  JobPtr FindJob(std::string_view name) const SASH_REQUIRES(mutex_);
  static bool IsDue(const Job& job, const Advance& advance);
  bool Compares(const JobSpec& job) const;
  std::size_t Capacity(const JobSpec& job) const;  // advances that may wait
  bool HasRoom(const Job& job) const SASH_REQUIRES(mutex_);
  bool MayDisplace(const JobSpec& job) const { return !lossless_ && job.overrun.queue == 0; }
  bool DisplaceWaiting(const JobPtr& job) SASH_REQUIRES(mutex_);  // false: none waits
  static void NoteRunBytes(Job& job, const Advance& advance);
  // Releases what settled advances hold; the caller frees it without the lock.
  std::vector<AdvancePtr> LightenSettled() SASH_REQUIRES(mutex_);
  bool HasWork() const SASH_REQUIRES(mutex_) {
    return !waiting_.empty() || (!tickets_.empty() && tickets_.front()->outstanding == 0);
  }
  void AwaitWork(const std::stop_token& stop) SASH_REQUIRES(mutex_);

  // The functions below take the lock themselves.
  void Join(const JobSpec& job);
  void RunUntilStopped(std::stop_token stop);
  std::optional<Waiting> TakeNext(std::stop_token stop);
  std::optional<CompletedRun> RunOne(const Waiting& next, std::stop_token stop);
  bool IsRemoved(const JobPtr& job) const;
  void BeginPhase(const JobPtr& job, RunPhase phase);
  void Settle(const Waiting& next, Duration waited, std::optional<CompletedRun> run);
  // Keeps the result, and delivers it unless it is recalled; returns how long that took.
  Duration Deliver(const JobPtr& job, CompletedRun run);
  void ReportCompleted();

  const VertexDictionary& keys_;
  const Clock& clock_;
  ResultHistory& history_;
  ResultSink& sink_;
  const bool lossless_;
  const IsCompared is_compared_;

  mutable Mutex mutex_;
  StoppableCondVar changed_;
  std::vector<JobPtr> jobs_ SASH_GUARDED_BY(mutex_);  // in the order in which they joined
  std::uint64_t joined_ SASH_GUARDED_BY(mutex_) = 0;
  std::list<Waiting> waiting_ SASH_GUARDED_BY(mutex_);     // oldest first
  std::deque<TicketPtr> tickets_ SASH_GUARDED_BY(mutex_);  // unreported advances, oldest first
  bool stopping_ SASH_GUARDED_BY(mutex_) = false;
  bool may_rest_ = false;      // only for the runner: the sink may have deferred work
  PreviousResults delivered_;  // likewise: of jobs whose results the sink compares
  std::jthread runner_;
};

}  // namespace sash
