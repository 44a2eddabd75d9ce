#include "windows/jobs/run_executor.h"

#include <utility>

#include "windows/base/check.h"
#include "windows/base/parallel.h"
#include "windows/jobs/run_job.h"

namespace sash {
namespace {

const Baseline* BaselineOf(const RunExecutor::Task& task) {
  return task.baseline ? &*task.baseline : nullptr;
}

}  // namespace

RunExecutor::RunExecutor(const VertexDictionary& keys, const Clock& clock,
                         const ResultHistory& history, WorkDesk* desk, std::size_t runners)
    : keys_(keys), clock_(clock), history_(history), desk_(desk), share_(runners, ThreadCount(0)) {}

RunExecutor::Outcome RunExecutor::Run(const Task& task, const KernelProgress& progress,
                                      const std::function<bool()>& is_wanted,
                                      const std::stop_token& stop) {
  return IsExternal(task.settings.parameters) ? RunElsewhere(task, progress, is_wanted, stop)
                                              : RunHere(task, progress);
}

RunExecutor::Outcome RunExecutor::RunHere(const Task& task, const KernelProgress& progress) {
  // The newest result of a job pins its view until the next one is there.
  const std::optional<CompletedRun> before =
      IsLive(task.settings) ? std::nullopt : history_.Latest(task.settings.name);
  const ThreadShare::Computing computing(share_);
  Outcome outcome;
  outcome.run =
      RunJob(task.settings, task.advance, keys_, clock_, progress, before ? &*before : nullptr,
             task.is_triggered, {}, &lost_, &outcome.failure, BaselineOf(task));
  return outcome;
}

RunExecutor::Outcome RunExecutor::RunElsewhere(const Task& task, const KernelProgress& progress,
                                               const std::function<bool()>& is_wanted,
                                               const std::stop_token& stop) {
  SASH_CHECK(desk_ != nullptr);
  Outcome outcome;
  const auto ask = [&](const KernelProgress& timed) {
    ExternalOutcome external = desk_->Run(
        task.settings, task.advance, is_wanted, [&] { timed.Begin(RunPhase::kComputing); }, stop);
    outcome.failure = std::move(external.failure);
    return std::move(external.answer);
  };
  outcome.run = RunJob(task.settings, task.advance, keys_, clock_, progress, nullptr,
                       task.is_triggered, ask, nullptr, nullptr, BaselineOf(task));
  return outcome;
}

void RunExecutor::Cancel(const std::string& job) {
  if (desk_ != nullptr) desk_->Cancel(job);
}

}  // namespace sash
