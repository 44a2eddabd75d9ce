// Interfaces: the parts through which people, Prometheus and the service manager see the process.
//
// Thread safety: NotReady(), AdvanceObserved(), RunObserved(), Tell() and Wake() may be called from
// any thread, RoundObserved() belongs to the engine thread, the rest to the main thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/changes/config_reload.h"
#include "daemon/config/config.h"
#include "daemon/http/access.h"
#include "daemon/http/api_surroundings.h"
#include "daemon/http/edge_tap.h"
#include "daemon/http/event_feed.h"
#include "daemon/http/http_server.h"
#include "daemon/http/work_waiters.h"
#include "daemon/log/process_log.h"
#include "daemon/memory/memory_keeping.h"
#include "daemon/metrics/daemon_metrics.h"
#include "daemon/pipeline/pipeline.h"
#include "daemon/readiness.h"
#include "daemon/shutdown/drain.h"

namespace sash {

// The parts that are shown; all of them outlive the interfaces.
struct ShownParts {
  const Config& config;
  Pipeline& pipeline;
  const MemoryKeeping& memory;
  const ConfigReload& reload;
  ProcessLog& log;
  Changer change;
};

class Interfaces final : public ShownProcess {
 public:
  explicit Interfaces(ShownParts parts);

  // Called once the pipeline is built. Returns an exit code when something it needs cannot be read;
  // the error has been logged.
  std::optional<int> Build();

  // Returns an exit code when the address cannot be used; the error has been logged.
  std::optional<int> Start();
  void Stop() override;

  // Called before each round of the engine thread; null: a round without a batch.
  void RoundObserved(const EventBatch* batch) { tap_.Pass(batch); }
  void AdvanceObserved(const AdvancePtr& advance);
  void RunObserved(const CompletedRun& run);

  // Why nothing can be read now; empty when ready.
  std::vector<std::string> NotReady() const { return readiness_.NotReady(); }

  // Tells subscribers of the events whether the process is ready, if that has changed.
  void TellReadiness() { readiness_.Tell(); }

  // Notes what the stream is now, once a second.
  void LookAtStream();

  // Sends an event to its subscribers.
  void Tell(std::string_view kind, std::string json) { events_.Add(kind, std::move(json)); }

  // Called when a pending answer is complete.
  void Wake();

  // Called when a job has been removed: its metric series end.
  void JobLeft(const std::string& job);

  // Called once everything has started: until then the process is not ready.
  void SayStarted() { readiness_.SayStarted(); }
  void SayStopping() override { readiness_.SayStopping(); }

 private:
  ApiSurroundings Surroundings();
  HttpCounts CountHttp() const;
  std::optional<int> BuildApi();
  std::optional<int> StartServer(HttpServer& server, std::string_view what, std::string_view host);

  const ShownParts parts_;
  EventFeed events_;
  Readiness readiness_;
  EdgeTap tap_;
  StreamPast past_;
  WorkWaiters waiters_;
  std::optional<DaemonMetrics> metrics_;
  std::shared_ptr<const Access> access_;  // to the API, if it is served
  std::optional<HttpServer> http_;
  std::optional<HttpServer> open_http_;  // metrics and health, without authentication
};

}  // namespace sash
