// ResultDelivery: passes finished runs to sinks, and commits once their results are safe.
//
// Thread safety: like ResultSink; another thread may Flush() once the scheduler has stopped.
//
// Invariants
//   (1) A rewind point is committed only when everything delivered up to its advance is durable,
//       including the dead letters for a topic.
//   (2) Failures of the sinks are logged once per change, cancelled and failed runs each,
//       skipped windows at most once a minute per job.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/dead_letters.h"
#include "daemon/metrics/daemon_metrics.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/ingest/rewind_point.h"
#include "windows/jobs/result_sink.h"

namespace sash {

struct DeliverySurroundings {
  ResultSink& sinks;
  DeadLetters& dead_letters;
  const Clock& clock;
  EventLog& log;
  // Commits the position from which to read again after a restart; the results up to this advance
  // are safe.
  std::function<void(std::uint64_t advances, const RewindPoint&)> commit;
  // The newest advance whose commit is safe: a restart repeats no result up to it.
  std::function<std::uint64_t()> acknowledged;
  std::function<void(const CompletedRun&)> on_result;  // for metrics and events
};

class ResultDelivery final : public ResultSink {
 public:
  explicit ResultDelivery(DeliverySurroundings surroundings) : around_(std::move(surroundings)) {}

  void Deliver(const CompletedRun& run) override;
  // Logs failures of sinks, too. Is not counted, and is no event.
  void DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) override;
  // Logs it at once: a restart runs the job again on this advance, and its result may then come
  // after later ones.
  void NoteUnfinished(const Advance& advance, const std::string& job,
                      const std::optional<RunFailure>& failure) override;
  void Complete(const AdvanceReport& report) override;
  Status Flush() override;
  // Flushes the results of the newest advances, so that the last results of a stream that falls
  // silent become durable and are committed; also retries after a failure.
  bool Rest() override;

  // Whether the last attempt to make results durable failed. Any thread may ask.
  bool failing() const { return failing_; }
  std::vector<DeliveryCounts> Counts() const { return {{"all", results_, failures_}}; }

 private:
  void LogFallback(const RunResult& result);
  void LogSkipped(const AdvanceReport& report);
  void LogLastSkipped();

  struct Skips {
    std::uint64_t unreported = 0;
    std::optional<SteadyTime> last_line;
  };

  const DeliverySurroundings around_;
  std::map<std::string, Skips> skips_;  // by job
  std::optional<RewindPoint> uncommitted_;
  std::uint64_t advances_ = 0;  // the advance of `uncommitted_`
  SteadyTime last_flush_{};
  bool rested_in_vain_ = false;  // the newest Rest() did not get everything committed
  std::atomic<bool> failing_ = false;
  std::atomic<std::uint64_t> results_ = 0;
  std::atomic<std::uint64_t> failures_ = 0;
};

}  // namespace sash
