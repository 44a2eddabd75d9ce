#include "daemon/pipeline/result_delivery.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "connectors/sinks/time_text.h"
#include "daemon/log/log_events.h"

namespace sash {
namespace {

// Making results durable costs about a millisecond: a stream that is catching up does it once for
// many advances.
constexpr std::chrono::milliseconds kFlushEvery{200};
constexpr std::chrono::seconds kRetryEvery{1};  // while no advance comes
constexpr std::chrono::minutes kSkippedEvery{1};

}  // namespace

void ResultDelivery::Deliver(const CompletedRun& run) {
  ++results_;
  around_.on_result(run);
  if (!run.result->provenance.is_final()) {
    (void)around_.sinks.DeliverPartial(run);  // the sinks count what they leave out
  } else if (!run.result->triggered) {
    around_.sinks.Deliver(run);
  }
  if (run.result->fell_back) LogFallback(*run.result);
}

void ResultDelivery::DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) {
  around_.sinks.DeliverPast(run, deliveries);
  const Provenance& about = run.result->provenance;
  for (const PastDelivery& each : deliveries) {
    if (each.state == PastDelivery::State::kLeftOut) continue;
    const bool has_failed = each.state == PastDelivery::State::kFailed;
    around_.log.Log(
        has_failed ? process_events::kPastFailed : process_events::kPastDelivered,
        fmt::format("job {}: its result for the earlier window {} ending {}, which a request wants "
                    "delivered, {} {}{}{}",
                    run.result->job, about.window, TimeText(about.window_end),
                    has_failed ? "failed to reach" : "is in", each.sink, has_failed ? ": " : "",
                    each.why),
        {{"job", run.result->job}, {"window", about.window}, {"sink", each.sink}});
  }
}

void ResultDelivery::LogFallback(const RunResult& result) {
  around_.log.Log(
      process_events::kJobDrifted,
      fmt::format("job {}: a warm run was {:.3g} from a full one on window {} ending {}, "
                  "more than its tolerance explains; its warm starts end",
                  result.job, *result.drift, result.provenance.window,
                  TimeText(result.provenance.window_end)),
      {{"job", result.job}, {"window", result.provenance.window}, {"drift", *result.drift}});
}

void ResultDelivery::NoteUnfinished(const Advance& advance, const std::string& job,
                                    const std::optional<RunFailure>& failure) {
  const Provenance& about = advance.provenance;
  if (failure) {
    around_.log.Log(process_events::kJobFailed,
                    fmt::format("job {}: no result for window {} ending {}: {}", job, about.window,
                                TimeText(about.window_end), failure->why),
                    {{"job", job}, {"window", about.window}, {"reason", NameOf(failure->fault)}});
  } else {
    around_.log.Log(process_events::kJobCancelled,
                    fmt::format("job {}: cancelled at its deadline on window {} ending {}", job,
                                about.window, TimeText(about.window_end)),
                    {{"job", job}, {"window", about.window}});
  }
}

void ResultDelivery::Complete(const AdvanceReport& report) {
  around_.sinks.Complete(report);
  LogSkipped(report);
  uncommitted_ = report.advance->rewind;
  advances_ = report.advance->number;
  if (around_.clock.Steady() - last_flush_ < kFlushEvery) return;
  (void)Flush().ok();  // a failure has been logged; the next advance tries again
}

void ResultDelivery::LogSkipped(const AdvanceReport& report) {
  const Provenance& about = report.advance->provenance;
  for (const std::string& job : report.skipped) {
    Skips& skips = skips_[job];
    ++skips.unreported;
    const SteadyTime now = around_.clock.Steady();
    if (skips.last_line && now - *skips.last_line < kSkippedEvery) continue;
    around_.log.Log(process_events::kJobSkipped,
                    fmt::format("job {}: does not keep up (overrun: skip): skipped {} window{}, "
                                "the newest {} ending {}",
                                job, skips.unreported, skips.unreported == 1 ? "" : "s",
                                about.window, TimeText(about.window_end)),
                    {{"job", job}, {"window", about.window}, {"skipped", skips.unreported}});
    skips = {.unreported = 0, .last_line = now};
  }
  LogLastSkipped();
}

// Reports skipped windows that are not logged yet, for jobs that keep up again.
void ResultDelivery::LogLastSkipped() {
  const SteadyTime now = around_.clock.Steady();
  for (auto& [job, skips] : skips_) {
    if (skips.unreported == 0 || now - *skips.last_line < kSkippedEvery) continue;
    around_.log.Log(process_events::kJobSkipped,
                    fmt::format("job {}: did not keep up (overrun: skip): skipped {} more window{} "
                                "since the last message",
                                job, skips.unreported, skips.unreported == 1 ? "" : "s"),
                    {{"job", job}, {"skipped", skips.unreported}});
    skips = {.unreported = 0, .last_line = now};
  }
}

bool ResultDelivery::Rest() {
  if (!uncommitted_ && !failing_) return false;
  const SteadyTime now = around_.clock.Steady();
  if (now - last_flush_ < (rested_in_vain_ ? kRetryEvery : kFlushEvery)) return true;
  (void)Flush().ok();
  rested_in_vain_ = uncommitted_ || failing_;
  return rested_in_vain_;
}

Status ResultDelivery::Flush() {
  last_flush_ = around_.clock.Steady();
  around_.sinks.Acknowledged(around_.acknowledged());
  Status flushed = around_.sinks.Flush();
  const bool was_failing = failing_.exchange(!flushed.ok());
  if (!flushed.ok()) ++failures_;
  if (!flushed.ok() && !was_failing) {
    around_.log.Log(process_events::kResultsFailed,
                    "results are not durable, committing stops: " + flushed.error().message);
  } else if (flushed.ok() && was_failing) {
    around_.log.Log(process_events::kResultsResumed,
                    "results are durable again, committing goes on");
  }
  if (!flushed.ok()) return flushed;
  // Dead letters come first: a committed record will not be refused again.
  if (!around_.dead_letters.MakeDurable().ok()) return Ok{};
  if (uncommitted_) {
    around_.commit(advances_, *uncommitted_);
    uncommitted_.reset();
  }
  return Ok{};
}

}  // namespace sash
