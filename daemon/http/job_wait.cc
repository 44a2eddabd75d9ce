#include "daemon/http/job_wait.h"

#include <fmt/format.h>

#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

struct Standing {
  std::string_view state;
  std::string summary;
};

Standing OfMissing(const JobStatus& status, const JobSpec& job, const Advance& newest) {
  if (newest.ordinal % job.every != 0) {
    const auto left = job.every - static_cast<std::uint64_t>(
                                      (newest.ordinal % job.every + job.every) % job.every);
    return {"not_due",
            fmt::format("is due on every {}th advance only, the next one in {}", job.every, left)};
  }
  if (status.failures() > 0) {
    return {"failed", fmt::format("has had {} failed runs; the newest one: {}", status.failures(),
                                  status.last_failure)};
  }
  if (status.cancelled > 0) {
    return {"cancelled",
            fmt::format("has had {} runs cancelled at their deadline", status.cancelled)};
  }
  return {"joined", "was added or resumed after the newest advance, and is due on the next one"};
}

// Seconds with one decimal; less than a second with two significant digits.
std::string SecondsAsText(double seconds) {
  return seconds < 1 ? fmt::format("{:.2g}", seconds) : fmt::format("{:.1f}", seconds);
}

Standing OfWaiting(const JobStatus& status, std::optional<double> patience) {
  if (!patience || status.waiting_seconds <= *patience) {
    return {"waiting", fmt::format("waits for other jobs (advances waiting: {})", status.waiting)};
  }
  return {"starving",
          fmt::format("has waited for other jobs for {} s, which is longer than {} s: more "
                      "`runners`, or a `deadline` or a larger `every` of the others would help",
                      SecondsAsText(status.waiting_seconds), SecondsAsText(*patience))};
}

Standing Of(const JobStatus& status, const JobSpec& job, std::optional<double> patience,
            const Advance* newest, bool up_to_date) {
  if (status.running) {
    return {"running", fmt::format("is running, iteration {}; {} more advances wait",
                                   status.iteration, status.waiting)};
  }
  if (status.waiting > 0) return OfWaiting(status, patience);
  if (status.paused) return {"paused", "is paused, so it is due on no advance until it is resumed"};
  if (IsLive(job)) {
    return {"live", fmt::format("runs on the live view of its window, every {:g} s if the window "
                                "has read more, and waits for no advance",
                                ToSeconds(*job.live_every))};
  }
  if (newest == nullptr) return {"waits_for_window", "waits for the first advance of its window"};
  if (up_to_date) return {"up_to_date", "has the result of the newest advance"};
  return OfMissing(status, job, *newest);
}

std::string Skipped(const JobStatus& status) {
  if (!status.last_skipped) return {};
  return fmt::format("; skipped advances so far: {}, most recently that of {}", status.skipped,
                     TimeText(*status.last_skipped));
}

}  // namespace

std::optional<double> Patience(const JobStatus& status, const JobSpec& job,
                               const WindowSpec& window) {
  if (IsLive(job)) return ToSeconds(*job.live_every);
  if (window.by != WindowAxis::kEvents) return ToSeconds(Duration(window.slide)) * job.every;
  if (status.runs == 0) return std::nullopt;
  return 3 * status.total_seconds / static_cast<double>(status.runs);
}

JobWait ExplainJob(const JobStatus& status, const JobSpec& job, const WindowSpec& window,
                   const Advance* newest, const RunResult* latest) {
  JobWait wait{.name = status.name, .state = {}, .summary = {}};
  if (latest != nullptr) wait.snapshot = latest->provenance.snapshot;
  const bool up_to_date = newest != nullptr && wait.snapshot == newest->provenance.snapshot;
  Standing standing = Of(status, job, Patience(status, job, window), newest, up_to_date);
  wait.state = standing.state;
  wait.summary = fmt::format("Job '{}' {}{}.", status.name, standing.summary, Skipped(status));
  return wait;
}

}  // namespace sash
