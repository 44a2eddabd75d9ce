// DaemonMetrics: the counts of all parts of the process, for Prometheus.
//
// It keeps only what no other part keeps: how long advances and runs took, the numbers of the
// newest due results, and which views are pinned. All other values are read from their owners at
// the time of a scrape.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connectors/export/export_counts.h"
#include "connectors/sinks/alerts/alert_status.h"
#include "connectors/sinks/sink_counts.h"
#include "daemon/metrics/build_info.h"
#include "daemon/metrics/histogram.h"
#include "daemon/metrics/log_counts.h"
#include "daemon/metrics/pinned_views.h"
#include "daemon/metrics/result_figures.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/durable/journal.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/jobs/result_history.h"
#include "windows/jobs/run_result.h"
#include "windows/slide/engine_stats.h"
#include "windows/slide/window_engine.h"

namespace sash {

struct DeliveryCounts {
  std::string sink;  // the label in metrics: "all"
  std::uint64_t results = 0;
  std::uint64_t failures = 0;
};

struct DeadLetterCounts {
  std::uint64_t rotated = 0;  // written, then removed by rotation
  std::uint64_t lost = 0;     // never written
};

struct MemoryCounts {
  std::uint64_t used = 0;                  // what is compared with the limit, without the next two
  std::uint64_t reserved = 0;              // the temporary memory of the next advance and run
  std::uint64_t shared = 0;                // frozen snapshots in shared memory
  std::optional<std::uint64_t> limit;      // none: there is no limit
  std::optional<std::uint64_t> allocated;  // none: the allocator does not report it
  int state = 0;                           // 0 normal, 1 slowed, 2 full
};

// Counts of recovery: checkpoint.
struct CheckpointCounts {
  std::uint64_t checkpoints = 0;  // that are durable
  std::uint64_t failures = 0;     // attempts to write
  double seconds = 0;             // spent on writing
  std::uint64_t written = 0;      // bytes
  std::uint64_t bytes = 0;        // of the newest
  std::uint64_t waiting_slices = 0;
  double age_seconds = 0;       // of the newest, or since the start
  double recovery_seconds = 0;  // 0: the windows were not restored from one
};

struct ReloadCounts {
  std::uint64_t succeeded = 0;
  std::uint64_t failed = 0;
  bool last_succeeded = true;  // also before the first
};

struct HttpCounts {
  struct Listener {
    std::string name;           // "api", "metrics"
    std::uint64_t open = 0;     // connections
    std::uint64_t evicted = 0;  // closed to make room for others
    std::uint64_t refused = 0;  // rejected: no room
  };
  std::vector<Listener> listeners;
  std::uint64_t missing_tokens = 0;
  std::uint64_t wrong_tokens = 0;
};

// The objects that a scrape reads. All of them outlive the metrics, and any thread may use them.
// It has more members than other classes: there is one for each part that has counts.
struct MetricsSurroundings {
  const WindowEngine& engine;
  const EngineStats& stats;
  const StreamProgress& progress;
  const JobScheduler& jobs;
  const VertexDictionary& keys;
  const BatchQueue& buffer;
  const ResultHistory& history;
  const Clock& clock;
  BuildInfo build;
  std::function<SourceStatus()> source;
  std::function<std::array<std::uint64_t, kRefusalReasons>()> refused;  // by RefusalReason
  std::function<DeadLetterCounts()> dead_letters;
  std::function<std::vector<DeliveryCounts>()> delivery;
  std::function<SinkCounts()> sinks;
  std::function<std::vector<ExportCounts>()> exports;
  std::function<std::vector<AlertStatus>()> alerts = [] { return std::vector<AlertStatus>(); };
  std::function<MemoryCounts()> memory;
  std::function<std::optional<CheckpointCounts>()> checkpoints;  // none: recovery: replay
  std::function<std::optional<JournalFigures>()> journal;        // none: no journal is kept
  std::function<ReloadCounts()> reloads;
  std::function<HttpCounts()> http;
  std::function<std::vector<LogCounts>()> log;
};

class DaemonMetrics {
 public:
  explicit DaemonMetrics(MetricsSurroundings surroundings);

  // Called for every advance, in order.
  void AdvanceObserved(const AdvancePtr& advance);

  // Called for every finished run. The gauges of results follow the due runs, not the triggered
  // ones.
  void RunObserved(const RunResult& result);

  // Called when a job has been removed: a new job of the same name starts from zero.
  void JobLeft(const std::string& job);

  // All metrics in Prometheus' text format.
  std::string MetricsText() const;

 private:
  Histogram& AdvanceSeconds(const std::string& window) const;
  AdvancePhases AdvancePhasesOf(const std::string& window) const;
  std::shared_ptr<Histogram> RunSeconds(const std::string& job) const;
  std::optional<ResultFigures> FiguresOfJob(const std::string& job) const;

  const MetricsSurroundings around_;
  // By window; a removed window keeps its entry, so that counters never fall.
  mutable Mutex mutex_;
  mutable std::map<std::string, Histogram> advance_seconds_ SASH_GUARDED_BY(mutex_);
  std::map<std::string, AdvancePhases> advance_phases_ SASH_GUARDED_BY(mutex_);
  // By job.
  mutable std::map<std::string, std::shared_ptr<Histogram>> run_seconds_ SASH_GUARDED_BY(mutex_);
  std::map<std::string, ResultFigures> figures_ SASH_GUARDED_BY(mutex_);
  PinnedViews pinned_;
};

}  // namespace sash
