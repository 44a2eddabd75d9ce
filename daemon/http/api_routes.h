// The routes of the HTTP API. To add a route, add a line to one of the Add...Routes() functions,
// and its handler in the same file.
//
// Thread safety: tables are filled by one thread. Handlers, and the functions that make answers,
// may be called from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/http/api_surroundings.h"
#include "daemon/http/route_table.h"

namespace sash {

// All routes. The table keeps references to the parts of `surroundings` and copies its functions.
RouteTable MakeApiRoutes(const ApiSurroundings& surroundings);

// Only /metrics, /healthz and /readyz.
RouteTable MakeOpenRoutes(const ApiSurroundings& surroundings);

void AddOpenRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddConsoleRoutes(RouteTable& routes);
void AddDaemonRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddWindowRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddVertexRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddHistoryRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddEnteredRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddPathRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddSliceRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddWhyRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddJobRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddVertexHistoryRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddMemberRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddKeyRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddLeaseRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddWorkRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddAlertRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddResultRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddDiffRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddChangeRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddNeighbourhoodRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddEventRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddTapRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddDebugRoutes(RouteTable& routes);

// A window after `advance`, as /api/v1/windows/{window} answers it, but without its filter: JSON in
// one line.
std::string AdvanceText(const Advance& advance);
// The same for a window that may not have advanced yet; `advance` is null then.
std::string WindowText(const std::string& name, const Advance* advance);

// A job, as /api/v1/jobs/{job} answers it.
std::string JobText(const JobStatus& job);

// An alert, as /api/v1/alerts/{alert} answers it.
std::string AlertAnswerText(const AlertStatus& alert);

// 404, with the names of the existing windows.
HttpResponse NoWindow(const WindowEngine& engine, const std::string& name);

// 404: no such job, with the names of the existing jobs; or a job without a result.
HttpResponse NoJob(const JobScheduler& jobs, const std::string& name);
HttpResponse NoResult(const std::string& job);

// 404, with the names of `alerts`, which are all.
HttpResponse NoAlert(const std::vector<AlertStatus>& alerts, const std::string& name);

// 503: the stream already has the maximum number of readers.
HttpResponse TooManyReaders(std::string_view what);

// The answer of /readyz.
std::string ReadinessText(const std::vector<std::string>& not_ready,
                          const std::vector<std::string>& notes);

// The vertex key that a request names, in its path or as ?key=. An error is for the client.
Result<VertexKey> RequestedKey(const HttpRequest& request, KeyKind kind);

// `text` as a vertex key; errors call it `name`.
Result<VertexKey> ParseKey(std::string_view name, const std::string& text, KeyKind kind);

// Which vertices of a list in the order of their keys a request asks for.
struct KeyRange {
  std::optional<VertexKey> after{};  // those after this one; nothing: from the first
  std::size_t limit = 0;             // how many at most
};
// `after` and `limit` of a request. An error is for the client.
Result<KeyRange> RequestedKeys(const HttpRequest& request, KeyKind kind);

// The key as ParseKey() reads it.
std::string TextOfKey(const VertexKey& key);

}  // namespace sash
