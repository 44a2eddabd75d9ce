#include "windows/jobs/queued_run.h"

#include <cstddef>

namespace sash {

void QueuedRun::CountSkipped() const {
  JobStatus& status = job->status;
  ticket->report.skipped.push_back(status.name);
  --ticket->outstanding;
  ++status.skipped;
  status.last_skipped = ticket->report.advance->provenance.window_end;
}

void QueuedRun::CountFinished(const std::shared_ptr<const RunResult>& result, Duration waited,
                              Duration delivered, SteadyTime delivered_at) const {
  JobStatus& status = job->status;
  ++status.runs;
  status.last_seconds = result->seconds;
  status.total_seconds += result->seconds;
  status.last_phases = result->phases;
  status.last_phases[RunPhase::kWaiting] = waited;
  status.last_phases[RunPhase::kDelivering] = delivered;
  status.total_phases += status.last_phases;
  status.last_latency_seconds = ToSeconds(delivered_at - due());
  if (result->drift) status.drift = *result->drift;
  if (result->fell_back) ++status.fallbacks;
  if (ticket) ticket->results[job->place] = result;
}

void QueuedRun::CountUnfinished(const std::optional<RunFailure>& failure) const {
  JobStatus& status = job->status;
  if (failure) {
    ++status.failed[static_cast<std::size_t>(failure->fault)];
    status.last_failure = failure->why;
    if (failure->fault == RunFault::kPluginLost) status.paused = true;
    if (ticket) ticket->report.failed.push_back({status.name, *failure});
  } else {
    ++status.cancelled;
    if (ticket) ticket->report.cancelled.push_back(status.name);
  }
}

}  // namespace sash
