// Pipeline: the parts that an edge passes through, from the source to the sinks.
//
// Thread safety: Build(), Start(), Stop() and Finish() belong to the main thread. Each part
// documents which threads may use it; the parts that Build() makes exist once it has succeeded.
//
// Invariants
//   (1) Parts are built in the order of their dependencies, sinks before the parts that feed them,
//       and destroyed in reverse.
//
// It has more members and methods than other classes: each member is a part of the daemon, and most
// methods return a part. The work is done in the parts.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "daemon/alerts/alert_desk.h"
#include "daemon/config/config.h"
#include "daemon/memory/memory_limit.h"
#include "daemon/pipeline/asked_commits.h"
#include "daemon/pipeline/engine_thread.h"
#include "daemon/pipeline/export_set.h"
#include "daemon/pipeline/output_set.h"
#include "daemon/pipeline/pipeline_standing.h"
#include "daemon/pipeline/result_delivery.h"
#include "daemon/pipeline/source_factory.h"
#include "daemon/recovery/recovery.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/jobs/result_history.h"
#include "windows/jobs/work_desk.h"
#include "windows/slide/engine_listener.h"
#include "windows/slide/engine_stats.h"
#include "windows/slide/live_jobs.h"
#include "windows/slide/window_engine.h"

namespace sash {

// Callbacks that observe the pipeline.
struct PipelineObservers {
  // In the engine thread, before each of its rounds; null: there is no batch. Must not block.
  std::function<void(const EventBatch*)> on_round;
  std::function<void(const AdvancePtr&)> on_advance;   // in the engine thread, before its jobs
  std::function<void(const CompletedRun&)> on_result;  // one call at a time
  // The name of an alert, and what it tells as JSON; like on_result.
  std::function<void(const std::string&, const std::string&)> on_alert = [](const std::string&,
                                                                            const std::string&) {};
  std::function<void()> on_end_of_source;  // after the last window went to the jobs
};

class Pipeline final : private EngineListener {
 public:
  // `config` and the other arguments outlive it. A small `limit` makes the queues small.
  Pipeline(const Config& config, const std::optional<MemoryLimit>& limit, EventLog& log,
           PipelineObservers observers);

  // Returns an exit code when something cannot be built or started; the error has been logged.
  std::optional<int> Build();
  std::optional<int> Start();

  // Stops reading, and applies what has been read.
  void Finish();

  // Ends every thread; pending runs are dropped.
  void Stop();

  // Call it after Finish() and Stop(), when all results are safe: writes one more checkpoint, if
  // enabled.
  void KeepLastState() {
    if (recovery_) recovery_->Finish();
  }

  // Sends the last commit and leaves the broker.
  void CloseSource() { source_.reset(); }

  bool is_finite() const { return config_.source.is_finite(); }
  std::array<std::uint64_t, kRefusalReasons> RefusedByReason() const {
    return outputs_->RefusedByReason();
  }
  // Checks whether nearly all records are refused; the main thread calls it often.
  void LookAtRefusals() { outputs_->refusals().Look(source().status().records); }
  const RefusalWatch& refusals() const { return std::as_const(*outputs_).refusals(); }
  std::optional<std::string> WhyTooManyRefused() const {  // of a finite source that has ended
    return outputs_->WhyTooManyRefused(source().status().records);
  }
  SinkCounts CountSinks() const { return outputs_->CountSinks(); }
  PipelineStanding Standing() const;

  const Clock& clock() const { return clock_; }
  const VertexDictionary& keys() const { return keys_; }
  const BatchQueue& queue() const { return queue_; }
  const EngineStats& stats() const { return stats_; }
  StreamProgress& progress() { return progress_; }
  const StreamProgress& progress() const { return progress_; }
  ResultHistory& history() { return history_; }
  const ResultHistory& history() const { return history_; }
  DeadLetters& dead_letters() const { return outputs_->dead_letters(); }
  SinkSet& sinks() const { return outputs_->sinks(); }
  AlertDesk& alerts() const { return *alerts_; }
  ResultDelivery& delivery() { return *delivery_; }
  const ResultDelivery& delivery() const { return *delivery_; }
  WorkDesk& desk() { return desk_; }
  JobScheduler& jobs() { return *scheduler_; }
  const JobScheduler& jobs() const { return *scheduler_; }
  WindowEngine& engine() { return *engine_; }
  const WindowEngine& engine() const { return *engine_; }
  Source& source() const { return source_->source(); }
  const Recovery* recovery() const { return recovery_.get(); }  // null: nothing has to be kept
  ExportSet& exports() { return *exports_; }
  const ExportSet& exports() const { return *exports_; }

 private:
  void OnAdvance(AdvancePtr advance) override;
  void OnRecalled(const AdvancePtr& advance) override;
  void OnAllPassed(const std::string& window, std::int64_t end) override;
  bool keeps_slices() const override;
  bool keeps_places() const override { return exports_->slices() != nullptr; }
  void OnSlice(ClosedSlice slice) override;
  std::optional<int> BuildSinks();
  std::optional<int> BuildExports();
  WindowContext ContextOf(const std::string& window) const;  // for exports
  void Commit(std::uint64_t advances, const RewindPoint& point);
  Status MakeDurable();  // what must be durable before a state of the engine
  std::optional<int> BuildAlerts();
  void Round(std::optional<EventBatch> batch);  // in the engine thread
  std::optional<int> BuildSource();
  std::optional<int> BuildRecovery();
  std::optional<int> BuildEngine();
  OutputMode Mode() const;
  std::uint64_t AcknowledgedAdvances();  // in the thread that flushes
  bool IsAsked(const Advance& advance) const;

  const Config& config_;
  const std::optional<MemoryLimit>& limit_;
  EventLog& log_;
  const PipelineObservers observers_;
  SystemClock clock_;
  VertexDictionary keys_;
  PartitionTable partitions_;
  BatchQueue queue_;
  EngineStats stats_;
  StreamProgress progress_;
  ResultHistory history_;
  std::unique_ptr<OutputSet> outputs_;
  std::unique_ptr<AlertDesk> alerts_;  // in front of the sinks
  AskedCommits asked_;
  std::optional<ResultDelivery> delivery_;
  WorkDesk desk_;
  std::optional<JobScheduler> scheduler_;
  std::unique_ptr<Recovery> recovery_;  // null: nothing has to be kept
  std::optional<WindowEngine> engine_;
  std::unique_ptr<ExportSet> exports_;
  std::optional<EngineThread> engine_thread_;
  std::optional<LiveJobs> live_jobs_;
  std::unique_ptr<SourceHolder> source_;
};

}  // namespace sash
