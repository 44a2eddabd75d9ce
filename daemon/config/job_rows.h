// The keys of a job that are not in job_keys.cc: when it runs, and how long it may.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/config/key_row.h"
#include "windows/jobs/job_spec.h"

namespace sash {

struct JobContext {
  KeyKind keys;
  const std::vector<std::string>& windows;
  std::vector<std::string>& names;    // of earlier jobs
  std::optional<std::string> kernel;  // none: invalid
};

using JobRow = KeyRow<JobSpec, JobContext>;

// Read before `every`, which depends on it.
JobRow VisibilityRow();
JobRow EveryRow();
JobRow ThreadsRow();
JobRow DeadlineRow();
JobRow OverrunRow();
SectionSpec OverrunSection();

// Reports what a live job cannot have. WhyNotLive() says whether its window is live.
void CheckLive(const Section& job, const JobSpec& spec);

}  // namespace sash
