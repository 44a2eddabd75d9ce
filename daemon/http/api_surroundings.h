// The parts of the daemon that the HTTP API reads. Each outlives the server and may be used by any
// thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "connectors/export/leases/lease_book.h"
#include "connectors/sinks/alerts/alert_status.h"
#include "connectors/sinks/result_json.h"
#include "daemon/http/change_request.h"
#include "daemon/http/edge_tap.h"
#include "daemon/http/event_feed.h"
#include "daemon/http/stream_past.h"
#include "daemon/http/work_waiters.h"
#include "windows/ingest/source.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/jobs/result_history.h"
#include "windows/slide/window_engine.h"

namespace sash {

struct ApiSurroundings {
  const WindowEngine& engine;
  const JobScheduler& jobs;
  const ResultHistory& history;
  const VertexDictionary& keys;
  EventFeed& events;
  EdgeTap& tap;
  std::string version;
  std::function<SourceStatus()> source;
  std::function<std::vector<std::string>()> not_ready;  // reasons; empty when ready
  std::vector<std::string> notes{};      // fixed at the start; possibly unintended settings
  std::function<std::string()> metrics;  // in Prometheus' text format
  Changer change{};
  // Writes a run as the JSON object of a result. Kept results have neither `whole` nor `advance`.
  std::function<JsonPieces(const CompletedRun&, const Listing&)> result;
  // Gives a result on an earlier window to the sinks of its job (JobScheduler::DeliverPast()). May
  // wait for other results that are delivered.
  std::function<std::optional<std::vector<PastDelivery>>(const CompletedRun&)> deliver_past{};
  // In the order of the configuration.
  std::function<std::vector<AlertStatus>()> alerts = [] { return std::vector<AlertStatus>(); };
  // The folder with the frozen snapshots of a window, if an export writes it.
  std::function<std::optional<std::string>(const std::string& window)> frozen =
      [](const std::string&) { return std::optional<std::string>(); };
  // The leases of the frozen snapshots of a window; null: no export writes them.
  std::function<LeaseBook*(const std::string& window)> leases = [](const std::string&) {
    return static_cast<LeaseBook*>(nullptr);
  };
  // The leases of each export of frozen snapshots.
  std::function<std::vector<LeaseBook*>()> lease_books = [] { return std::vector<LeaseBook*>(); };
  const StreamPast* past = nullptr;  // null: nobody looks at the stream
  // The work of external jobs.
  WorkDesk* work = nullptr;
  WorkWaiters* waiters = nullptr;
};

}  // namespace sash
