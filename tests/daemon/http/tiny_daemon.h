// TinyDaemon: a real engine with its jobs, fed with a few edges by a test.
//
// Thread safety: belongs to the test's thread; surroundings() may be used from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daemon/http/api_surroundings.h"
#include "daemon/http/work_waiters.h"
#include "windows/base/clock.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/partition_table.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/jobs/result_history.h"
#include "windows/jobs/work_desk.h"
#include "windows/slide/engine_stats.h"
#include "windows/slide/window_engine.h"

namespace sash {

class TinyDaemon final : public RefusalSink, public ResultSink, private EngineListener {
 public:
  // Windows: `now` (keep, multiversioned, live, tumbling 10 s, with a history of `retain`) and
  // `sums` (weigh, rebuild, 10 s by 5 s).
  // Jobs on `now`: ranks (pagerank), reach and split (bfs from `roots`, split with `separate`),
  // shape, and one job for each kernel in `more`, named after its kernel.
  explicit TinyDaemon(KeyKind kind = KeyKind::kString,
                      std::vector<VertexKey> roots = {std::string("a")},
                      const std::vector<JobParameters>& more = {}, Duration retain = {});
  ~TinyDaemon() override;

  // An edge at `seconds` after the start of 2026.
  void Add(const VertexKey& source, const VertexKey& target, double seconds,
           Weight weight = Weight());

  // Gives the edge added last a type.
  void SetType(std::string_view type) {
    batch_.NoteType(batch_.events().size() - 1, batch_.Store(type));
  }

  // Lets the engine process the added edges; returns when its jobs have run.
  void Process();
  void EndSource();

  ApiSurroundings surroundings();

  void Refuse(const RefusedRecord&) override {}
  void Deliver(const CompletedRun& run) override {
    events.AddResult(run.result);
    if (on_run) on_run(*run.result);
  }
  void Complete(const AdvanceReport&) override {}
  Status Flush() override { return Ok{}; }

  SourceStatus source_status;
  std::vector<std::string> not_ready;
  std::function<void(const AdvancePtr&)> on_advance;
  std::function<void(const RunResult&)> on_run;

  const SystemClock clock;
  VertexDictionary keys;
  PartitionTable partitions;
  EngineStats stats;
  StreamProgress progress;
  BatchQueue queue{1 << 20};
  std::vector<JobSpec> jobs;
  ResultHistory history;
  EventFeed events;
  EdgeTap tap;
  WorkDesk desk{clock, "p"};
  WorkWaiters waiters{desk};
  JobScheduler scheduler;
  WindowEngine engine;

 private:
  void OnAdvance(AdvancePtr advance) override;
  KeyRef Store(const VertexKey& key);

  PartitionIndex partition_ = 0;
  EventBatch batch_;
  std::int64_t offset_ = 0;
};

// 2026-01-01T00:00:00Z.
inline constexpr EventTime kStart{std::chrono::seconds(1767225600)};

}  // namespace sash
