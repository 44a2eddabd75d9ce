#include "windows/jobs/past_run.h"

#include <memory>
#include <utility>

#include "windows/base/check.h"
#include "windows/jobs/kinds/kinds.h"
#include "windows/jobs/run_job.h"

namespace sash {

bool NeedsEarlierAdvance(const JobSpec& job) {
  return TraitsOfJob(job.parameters).compares_windows;
}

std::optional<CompletedRun> RunOnPast(JobSpec job, const AdvancePtr& past, const AdvancePtr& before,
                                      const VertexDictionary& keys, const Clock& clock,
                                      const KernelProgress& progress) {
  SASH_CHECK(!IsExternal(job.parameters));
  job.threads = 1;
  job.baseline.reset();  // its results are not kept
  job.order = ListOrder::kScore;
  std::optional<CompletedRun> previous;
  if (before) {
    auto result = std::make_shared<RunResult>();
    result->job = job.name;
    result->provenance = before->provenance;
    previous = CompletedRun{std::move(result), std::make_shared<WholeVector>(), before};
  }
  std::optional<CompletedRun> run =
      RunJob(job, past, keys, clock, progress, previous ? &*previous : nullptr, true);
  if (!run) return run;
  auto result = std::make_shared<RunResult>(*run->result);
  result->past = true;
  run->result = std::move(result);
  return run;
}

}  // namespace sash
