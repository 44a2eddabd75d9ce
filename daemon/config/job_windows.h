// What must be true of a job beyond the job itself: its window.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "windows/jobs/job_spec.h"
#include "windows/slide/window_spec.h"

namespace sash {

// Why a job with `visibility: live` cannot run on its window, and what would be right; nothing: it
// can, or it is not a live job, or there is no such window.
std::optional<std::string> WhyNotLive(const JobSpec& job, const std::vector<WindowSpec>& windows);

// The same for a job that asks when edges came (JobTraits::needs_slices).
std::optional<std::string> WhyWithoutSlices(const JobSpec& job,
                                            const std::vector<WindowSpec>& windows);

}  // namespace sash
