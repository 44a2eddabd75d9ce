#include "windows/jobs/run_delivery.h"

#include <utility>

namespace sash {

RunDelivery::RunDelivery(ResultHistory& history, ResultSink& sink, IsCompared is_compared)
    : history_(history), sink_(sink), is_compared_(std::move(is_compared)) {}

void RunDelivery::Deliver(CompletedRun run) {
  history_.Add(run);
  const RunResult& result = *run.result;
  const MutexLock lock(mutex_);
  if (!result.triggered && is_compared_(result.job, result.parameters)) {
    run.before = delivered_.Before(run.result);
  }
  if (run.advance->recalled_for == 0) sink_.Deliver(run);
}

std::optional<std::vector<PastDelivery>> RunDelivery::DeliverPast(const CompletedRun& run) {
  const MutexLock lock(mutex_);
  if (closed_) return std::nullopt;
  std::vector<PastDelivery> deliveries;
  sink_.DeliverPast(run, deliveries);
  return deliveries;
}

void RunDelivery::Close() {
  const MutexLock lock(mutex_);
  closed_ = true;
}

void RunDelivery::NoteUnfinished(const Advance& advance, const std::string& job,
                                 const std::optional<RunFailure>& failure) {
  const MutexLock lock(mutex_);
  sink_.NoteUnfinished(advance, job, failure);
}

void RunDelivery::Complete(const AdvanceReport& report) {
  const MutexLock lock(mutex_);
  sink_.Complete(report);
}

bool RunDelivery::Rest() {
  const MutexLock lock(mutex_);
  return sink_.Rest();
}

}  // namespace sash
