#include "windows/jobs/run_job.h"

#include <utility>

#include "windows/base/phase_clock.h"
#include "windows/jobs/kernel_run.h"

namespace sash {

std::optional<CompletedRun> RunJob(const JobSpec& job, const AdvancePtr& advance,
                                   const VertexDictionary& keys, const Clock& clock,
                                   const KernelProgress& progress, const CompletedRun* previous,
                                   bool triggered, const AnswerSource& ask, LostRuns* lost,
                                   std::optional<RunFailure>* failure, const Baseline* baseline) {
  PhaseClock<RunPhase> phases(clock, RunPhase::kPreparing);
  progress.Begin(RunPhase::kPreparing);
  KernelProgress::Iterated iterated;
  if (progress) iterated = [&](int iteration, double of) { return progress(iteration, of); };
  const KernelProgress timed(std::move(iterated), [&](RunPhase phase) {
    phases.Begin(phase);
    progress.Begin(phase);
  });
  std::optional<ExternalAnswer> answer;
  if (ask && !advance->provenance.empty) {
    answer = ask(timed);
    if (!answer) return std::nullopt;
  }
  const RunSetting setting{.job = job,
                           .view = advance->view,
                           .keys = keys,
                           .progress = timed,
                           .previous = previous,
                           .answer = answer ? &*answer : nullptr,
                           .advance = advance,
                           .lost = lost};
  KernelRun run = RunKernelOf(job.parameters, setting);
  if (failure != nullptr) *failure = std::move(run.failure);
  if (run.cancelled) return std::nullopt;
  auto result = std::make_shared<RunResult>();
  result->job = job.name;
  result->kernel = KernelOf(job.parameters);
  result->provenance = advance->provenance;
  result->parameters = job.parameters;
  result->mode = run.mode;
  result->drift = run.drift;
  result->fell_back = run.drift && run.warm && !run.warm->is_trusted;
  result->triggered = triggered;
  result->iterations = run.iterations;
  result->converged = run.converged;
  result->output = std::move(run.output);
  result->figures = std::move(run.figures);
  auto whole = std::make_shared<WholeVector>(std::move(run.whole));
  if (job.baseline) {
    timed.Begin(RunPhase::kFinishing);
    Compare(job, baseline != nullptr ? *baseline : Baseline(), keys, *advance, *result, *whole);
  }
  result->phases = phases.Read();
  result->seconds = ToSeconds(result->phases.total());
  return CompletedRun{std::move(result), std::move(whole), advance, run.warm};
}

}  // namespace sash
