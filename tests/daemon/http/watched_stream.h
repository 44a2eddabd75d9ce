// WatchedStream: a real engine with its jobs, whose partitions, clock and source a test directs.
//
// Thread safety: belongs to the test's thread, but for HoldRuns(); routes may be asked from any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/daemon/http/route_answers.h"
#include "tests/support/engine_harness.h"
#include "windows/base/mutex.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/jobs/result_history.h"

namespace sash {

class WatchedStream final : public ResultSink {
 public:
  struct Options {
    std::vector<WindowSpec> windows;
    TimePolicy policy{};
    std::uint32_t partitions = 1;
    std::vector<JobSpec> jobs{};
  };
  explicit WatchedStream(Options options);
  ~WatchedStream() override;

  // An edge of the partition, so many seconds after the start of 2026.
  void Add(std::uint32_t partition, double seconds);
  void Refuse(std::uint32_t partition);
  void CaughtUp(std::uint32_t partition);

  // The engine takes what was added; without anything, it looks at the clock.
  void Process();
  // The clocks go on, and the engine sees it.
  void Pass(Duration time);

  // While it is so, no run ends.
  void HoldRuns(bool held);

  // The answer for the window.
  nlohmann::ordered_json Why(const std::string& window = "w") const {
    return routes_.Json("/api/v1/windows/" + window + "/why");
  }
  const RouteAnswers& routes() const { return routes_; }

  void Deliver(const CompletedRun& run) override;
  void Complete(const AdvanceReport&) override {}
  Status Flush() override { return Ok{}; }

  testing::EngineHarness engine;
  SourceStatus source;  // as it says of itself
  std::vector<std::string> not_ready;

 private:
  ApiSurroundings Surroundings();

  EventBatch batch_;
  std::int64_t offset_ = 0;
  Mutex mutex_;
  CondVar changed_;
  bool held_ SASH_GUARDED_BY(mutex_) = false;
  ResultHistory history_;
  EventFeed events_;
  EdgeTap tap_;

 public:
  JobScheduler scheduler;

 private:
  const RouteAnswers routes_;
};

}  // namespace sash
