// What must be true of a job's baseline beyond the job itself: the other window and its jobs.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "windows/jobs/job_spec.h"
#include "windows/slide/window_spec.h"

namespace sash {

// Why results of `job` could not be compared with its baseline, and what would be right; nothing:
// they can be. `jobs`: all jobs; those of the name of `job` are ignored.
std::optional<std::string> WhyWithoutBaseline(const JobSpec& job, const std::vector<JobSpec>& jobs,
                                              const std::vector<WindowSpec>& windows);

}  // namespace sash
