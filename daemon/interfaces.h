// Interfaces: what people, Prometheus and the service manager see of the process.
//
// Thread safety: NotReady(), AdvanceObserved() and RunObserved() may be called from any thread, the
// rest belongs to the main thread.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/config_reload.h"
#include "daemon/http/event_feed.h"
#include "daemon/http/http_server.h"
#include "daemon/memory_keeping.h"
#include "daemon/metrics/daemon_metrics.h"
#include "daemon/pipeline.h"
#include "windows/base/event_log.h"

namespace sash {

// What is shown; everything outlives the interfaces.
struct ShownParts {
  const Config& config;
  Pipeline& pipeline;
  const MemoryKeeping& memory;
  const ConfigReload& reload;
  EventLog& log;
};

class Interfaces {
 public:
  explicit Interfaces(ShownParts parts);

  // Once the pipeline is built.
  void Build();

  // An exit code when the address cannot be had, which has been logged.
  std::optional<int> Start();
  void Stop();

  void AdvanceObserved(const AdvancePtr& advance);
  void RunObserved(const CompletedRun& run);

  // Why nothing can be read now; empty when ready.
  std::vector<std::string> NotReady() const;

  // Tells who follows the events whether the process is ready, when that is another than before.
  void TellReadiness();

  // From now on the process is not ready.
  void SayStopping();

 private:
  const ShownParts parts_;
  std::string readiness_;  // as it was told last, without figures
  EventFeed events_;
  std::optional<DaemonMetrics> metrics_;
  std::atomic<bool> stopping_ = false;
  std::optional<HttpServer> http_;
};

}  // namespace sash
