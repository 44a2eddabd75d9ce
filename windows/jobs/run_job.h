// Runs one job on one advance. To add a kernel: its parameters in job_spec.h, its output in
// run_result.h, and an overload of Run() in run_job.cc.
#pragma once

#include <optional>

#include "windows/base/clock.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"
#include "windows/kernels/progress.h"

namespace sash {

// Nothing when `progress` asked the kernel to stop: a partial result is never published.
std::optional<CompletedRun> RunJob(const JobSpec& job, const AdvancePtr& advance,
                                   const VertexDictionary& keys, const Clock& clock,
                                   const KernelProgress& progress);

}  // namespace sash
