// QueuedRun: a run of a job that waits or is under way. Its outcome is counted in the status of its
// job, and is in the report of its advance.
//
// Thread safety: none; JobScheduler serialises.
#pragma once

#include <memory>
#include <optional>

#include "windows/base/clock.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/registered_job.h"
#include "windows/jobs/run_fault.h"
#include "windows/jobs/run_result.h"
#include "windows/jobs/unreported_advances.h"

namespace sash {

struct QueuedRun {
  RegisteredJobPtr job;
  AdvanceTicketPtr ticket;  // null: a triggered run, or a recalled one
  AdvancePtr advance;       // of such a run
  SteadyTime asked{};       // likewise

  SteadyTime since() const { return ticket ? ticket->submitted : asked; }
  SteadyTime due() const { return ticket ? ticket->report.advance->due : asked; }
  const AdvancePtr& on() const { return ticket ? ticket->report.advance : advance; }
  bool is_triggered() const { return !ticket && advance->recalled_for == 0; }

  // A newer run has displaced this one, which has a ticket and is not outstanding any more.
  void CountSkipped() const;
  // It has a result, which was delivered at `delivered_at`, after it had waited for a runner and
  // its delivery had taken this long.
  void CountFinished(const std::shared_ptr<const RunResult>& result, Duration waited,
                     Duration delivered, SteadyTime delivered_at) const;
  // It failed, or without a failure it has passed its deadline.
  void CountUnfinished(const std::optional<RunFailure>& failure) const;
};

}  // namespace sash
