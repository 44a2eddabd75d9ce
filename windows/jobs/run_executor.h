// RunExecutor: carries out a run of a job in this process, in a plug-in, or by a worker, which is
// another process.
//
// Thread safety: Run() is called by runners, at most once at a time for each job; the rest by any
// thread.
//
// Invariants
//   (1) Runs that compute here at the same time share the cores (ThreadShare). A run that waits for
//       a worker has no share.
//   (2) A run of a plug-in that does not stop is given up; until it ends, it reads its window and
//       its keys (LostRuns).
//   (3) Runs of live jobs, and of external ones, start from no earlier result.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "windows/base/clock.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/comparison.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/plugin/lost_runs.h"
#include "windows/jobs/result_history.h"
#include "windows/jobs/run_fault.h"
#include "windows/jobs/run_result.h"
#include "windows/jobs/thread_share.h"
#include "windows/jobs/work_desk.h"
#include "windows/kernels/progress.h"

namespace sash {

class RunExecutor {
 public:
  struct Task {
    JobSpec settings;
    AdvancePtr advance;
    bool is_triggered = false;
    std::optional<Baseline> baseline{};
  };
  // With neither, the run was cancelled.
  struct Outcome {
    std::optional<CompletedRun> run{};
    std::optional<RunFailure> failure{};
  };

  // `desk` connects external jobs with their workers; null: there are no external jobs. `runners`:
  // threads that call Run() for jobs that compute here.
  RunExecutor(const VertexDictionary& keys, const Clock& clock, const ResultHistory& history,
              WorkDesk* desk, std::size_t runners);

  // `is_wanted`: false as soon as the job is removed. A worker's run ends then, or by `stop`;
  // other runs end when `progress` says so.
  Outcome Run(const Task& task, const KernelProgress& progress,
              const std::function<bool()>& is_wanted, const std::stop_token& stop);

  // Ends the run of the job, if a worker has it.
  void Cancel(const std::string& job);

  // Runs of plug-ins that were given up and have not ended.
  std::size_t lost_runs() { return lost_.under_way(); }
  void AwaitLost() { lost_.Await(); }

 private:
  Outcome RunHere(const Task& task, const KernelProgress& progress);
  Outcome RunElsewhere(const Task& task, const KernelProgress& progress,
                       const std::function<bool()>& is_wanted, const std::stop_token& stop);

  const VertexDictionary& keys_;
  const Clock& clock_;
  const ResultHistory& history_;
  WorkDesk* const desk_;
  ThreadShare share_;
  LostRuns lost_;
};

}  // namespace sash
