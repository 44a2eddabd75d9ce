// Runs one job on one advance.
//
// Thread safety: may be called from any thread.
#pragma once

#include <functional>
#include <optional>

#include "windows/base/clock.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/comparison.h"
#include "windows/jobs/external_answer.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_fault.h"
#include "windows/jobs/run_result.h"
#include "windows/kernels/progress.h"

namespace sash {

class LostRuns;

// Gets the answer of an external job, and waits for it; nothing: there is none.
using AnswerSource = std::function<std::optional<ExternalAnswer>(const KernelProgress&)>;

// Returns nothing when `progress` asked the kernel to stop: a partial result is never published.
// `previous`: the job's previous result, for kernels that compare with it or start from it; null:
// there is none. `progress` gets each phase from kPreparing on.
// `lost`: gets the run of a plug-in that does not end; null: RunJob() waits until it ends.
// `failure`: if not null, gets the reason why a plug-in has no result.
// `ask`: gets the answer of an external job; it is not called if the window is empty. If it returns
// nothing, RunJob() returns nothing.
// `baseline`: for a job that has one; null: there is no result to compare with.
std::optional<CompletedRun> RunJob(const JobSpec& job, const AdvancePtr& advance,
                                   const VertexDictionary& keys, const Clock& clock,
                                   const KernelProgress& progress,
                                   const CompletedRun* previous = nullptr, bool triggered = false,
                                   const AnswerSource& ask = {}, LostRuns* lost = nullptr,
                                   std::optional<RunFailure>* failure = nullptr,
                                   const Baseline* baseline = nullptr);

}  // namespace sash
