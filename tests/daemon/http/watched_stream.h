// WatchedStream: a real engine with its jobs; the test controls its partitions, clock and source.
//
// Thread safety: belongs to the test's thread, except HoldRuns(); routes may be called from any
// thread.
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
  // A window w of 10 s of event time that moves by its length; 2 s of disorder, idle after 10 s.
  static Options Tumbling(std::uint32_t partitions = 1, std::vector<JobSpec> jobs = {});

  explicit WatchedStream(Options options);
  ~WatchedStream() override;

  // Adds an edge of the partition, `seconds` after the start of 2026.
  void Add(std::uint32_t partition, double seconds);
  void Refuse(std::uint32_t partition);
  void CaughtUp(std::uint32_t partition);

  // Lets the engine process the added edges; without any, the engine only reads the clock.
  void Process();
  // Advances the clocks and lets the engine notice.
  void Pass(Duration time);

  // While runs are held, no run ends.
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
  SourceStatus source;  // as the source reports it
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

// `why`, an answer of Why(), has this reason, and its summary contains `said`.
void ExpectReason(const nlohmann::ordered_json& why, const char* reason, const std::string& said);

}  // namespace sash
