// Runs a job on an earlier advance of its window, for one reader: nothing that the job knows or
// keeps changes, and no sink gets the result, unless the reader has it delivered
// (JobScheduler::DeliverPast()).
//
// Thread safety: any thread. The run takes one thread, the caller's.
#pragma once

#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_result.h"
#include "windows/kernels/progress.h"

namespace sash {

// Whether a run needs the advance before it, too: the job compares windows (JobTraits).
bool NeedsEarlierAdvance(const JobSpec& job);

// The result is that of a full run (RunResult::past is true). `before`: the advance on which the
// job was due before; null: the job compares with an empty window. Returns nothing when `progress`
// asked the kernel to stop. `job` is not external.
std::optional<CompletedRun> RunOnPast(JobSpec job, const AdvancePtr& past, const AdvancePtr& before,
                                      const VertexDictionary& keys, const Clock& clock,
                                      const KernelProgress& progress);

}  // namespace sash
