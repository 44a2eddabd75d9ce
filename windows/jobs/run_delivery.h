// RunDelivery: passes finished runs to the history and the sink, and runs without a result and
// reports of advances to the sink.
//
// Thread safety: every member may be called from any thread; calls of the sink are made one after
// the other. The caller must hold no lock that a sink needs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/previous_results.h"
#include "windows/jobs/result_history.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class RunDelivery {
 public:
  // Whether the sink compares each result of such a job with the one before it
  // (CompletedRun::before). Any thread calls it, also under a lock, so it must not wait.
  using IsCompared = std::function<bool(const std::string& job, const JobParameters& parameters)>;

  RunDelivery(ResultHistory& history, ResultSink& sink, IsCompared is_compared);

  bool IsComparedBySink(const JobSpec& job) const { return is_compared_(job.name, job.parameters); }

  // Keeps the result, and delivers it unless its advance was recalled. The runs of one job must
  // come in order, one after the other.
  void Deliver(CompletedRun run);

  // Passes the result of a past run on; the history does not get it. Returns what each sink of the
  // job did; nothing after Close().
  std::optional<std::vector<PastDelivery>> DeliverPast(const CompletedRun& run);
  // Waits until the sink does not work. From now on, no result of a past run reaches it.
  void Close();

  // See ResultSink.
  void NoteUnfinished(const Advance& advance, const std::string& job,
                      const std::optional<RunFailure>& failure);
  void Complete(const AdvanceReport& report);
  bool Rest();

 private:
  ResultHistory& history_;
  ResultSink& sink_;
  const IsCompared is_compared_;

  Mutex mutex_;  // held while the sink works
  bool closed_ SASH_GUARDED_BY(mutex_) = false;
  PreviousResults delivered_ SASH_GUARDED_BY(mutex_);  // of jobs whose results the sink compares
};

}  // namespace sash
