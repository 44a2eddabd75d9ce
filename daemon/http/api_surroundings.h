// What the HTTP API answers from; everything outlives the server and may be used by any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "connectors/sinks/result_json.h"
#include "daemon/http/change_request.h"
#include "daemon/http/edge_tap.h"
#include "daemon/http/event_feed.h"
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
  std::vector<std::string> notes{};      // what is so from the start, and may not be what was meant
  std::function<std::string()> metrics;  // in Prometheus' text format
  Changer change{};
  // A run as the JSON object of a result. Kept results have neither `whole` nor `advance`.
  std::function<JsonPieces(const CompletedRun&, const Listing&)> result;
};

}  // namespace sash
