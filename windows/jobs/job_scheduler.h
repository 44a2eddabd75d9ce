// JobScheduler: runs the registered jobs on every advance, in a thread of its own, while ingest
// goes on.
//
// Thread safety
//   Submit() belongs to the engine thread; ChangeJobs(), Statuses() and RequestStop() to any thread;
//   Start(), Drain() and Stop() to the thread that owns the scheduler.
//
// Invariants
//   (1) Runs of one job happen in the order of the advances.
//   (2) Every advance is reported to the sink once, in order, after all its runs. An advance whose
//       jobs were all skipped may have to wait for a long run before it: its view is let go
//       meanwhile, and beyond kMostUnreported the oldest such advances are not reported at all.
//   (3) overrun: skip - at most one advance of a job waits, the newest; a displaced one is counted
//       and named in its report. overrun: queue - none is skipped; Submit() waits for room instead.
//   (4) An advance whose run was cancelled by a stop is not reported: it has to be run again.
//   (5) A run has the settings that its job had when the run began.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/thread_annotations.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
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
  int iteration = 0;    // of the current run
  double residual = 0;  // of the current run
  double last_seconds = 0;
  double total_seconds = 0;
  double drift = 0;                       // of the last warm run that was held against a full one
  std::uint64_t fallbacks = 0;            // times that it was too large
  std::optional<EventTime> last_skipped;  // window end of the newest skipped advance
};

class JobScheduler {
 public:
  static constexpr std::size_t kMostUnreported = 1024;

  // With `lossless` (replays) no advance is ever skipped, whatever the jobs' overrun policy.
  JobScheduler(std::vector<JobSpec> jobs, const VertexDictionary& keys, const Clock& clock,
               ResultHistory& history, ResultSink& sink, bool lossless);
  ~JobScheduler();

  void Start();

  // Queues the jobs due on `advance`. Waits while a queue with `overrun: queue` is full.
  void Submit(AdvancePtr advance);

  // Returns when everything submitted has been run and reported.
  void Drain();

  // New settings, from the next run and the next advance on, for the jobs that have the same name.
  // Kernel and window must be the same, too.
  void ChangeJobs(const std::vector<JobSpec>& jobs);

  // Cancels the current run and forgets what waits. Does not wait for that to have happened.
  void RequestStop();

  // RequestStop(), and returns when no run is under way.
  void Stop();

  // As they were at the start: their names, kernels and windows stay.
  const std::vector<JobSpec>& jobs() const { return jobs_; }
  std::vector<JobStatus> Statuses() const;

  // What the greatest of the next runs will take for a moment, by the windows that were submitted
  // last; 0 while a run is under way, since it has taken it.
  std::uint64_t reserved_bytes() const;

 private:
  // An advance on its way: its report is delivered once nothing is outstanding.
  struct Ticket {
    AdvanceReport report;
    std::vector<std::shared_ptr<const RunResult>> by_job;  // null until run
    std::size_t outstanding = 0;
  };
  using TicketPtr = std::shared_ptr<Ticket>;

  struct Waiting {
    std::size_t job = 0;
    TicketPtr ticket;
  };

  JobSpec SettingsOf(std::size_t job) const;
  bool IsDue(const JobSpec& job, const Advance& advance) const;
  std::size_t Capacity(const JobSpec& job) const;  // advances that may wait
  bool MayDisplace(const JobSpec& job) const { return !lossless_ && job.overrun.queue == 0; }
  void DisplaceWaiting(std::size_t job);      // mutex_ held
  void NoteRunBytes(const Advance& advance);  // mutex_ held
  // Lets go of what settled advances hold, to be freed by the caller without the lock.
  std::vector<AdvancePtr> LightenSettled();  // mutex_ held
  void RunUntilStopped(std::stop_token stop);
  std::optional<CompletedRun> RunOne(const Waiting& next, std::stop_token stop);
  void Settle(const Waiting& next, std::optional<CompletedRun> run);
  void ReportCompleted();

  const std::vector<JobSpec> jobs_;
  const VertexDictionary& keys_;
  const Clock& clock_;
  ResultHistory& history_;
  ResultSink& sink_;
  const bool lossless_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Waiting> waiting_ SASH_GUARDED_BY(mutex_);     // oldest first
  std::vector<JobSpec> settings_ SASH_GUARDED_BY(mutex_);  // of jobs_, as they are now
  std::deque<TicketPtr> tickets_ SASH_GUARDED_BY(mutex_);  // unreported advances, oldest first
  std::vector<JobStatus> statuses_ SASH_GUARDED_BY(mutex_);
  std::vector<std::uint64_t> run_bytes_ SASH_GUARDED_BY(mutex_);  // by job, of its next run
  bool stopping_ SASH_GUARDED_BY(mutex_) = false;
  std::jthread runner_;
};

}  // namespace sash
