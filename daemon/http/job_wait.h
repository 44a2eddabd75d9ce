// JobWait: why a job has no result for the newest advance of its window yet.
//
// Thread safety: a value; the function is pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "windows/base/ids.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"
#include "windows/slide/window_spec.h"

namespace sash {

struct JobWait {
  std::string name;
  // running, waiting, starving, paused, up_to_date, waits_for_window, not_due, failed, cancelled,
  // joined or live.
  std::string_view state;
  std::string summary;
  std::optional<SnapshotId> snapshot{};  // of its newest result
};

// A job starves if it has waited for a runner for longer than this, in seconds: the time between
// two of its advances or live runs, or in windows by events three times its mean run. Nothing: it
// has no measure yet.
std::optional<double> Patience(const JobStatus& status, const JobSpec& job,
                               const WindowSpec& window);

// `newest` is null before the window's first advance, `latest` before the job's first result.
JobWait ExplainJob(const JobStatus& status, const JobSpec& job, const WindowSpec& window,
                   const Advance* newest, const RunResult* latest);

}  // namespace sash
