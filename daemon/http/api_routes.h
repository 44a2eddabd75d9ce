// The routes of the HTTP API. To add one: a line in one of the Add...Routes() and its handler
// there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/http/api_surroundings.h"
#include "daemon/http/route_table.h"

namespace sash {

// All of them; the table refers to `surroundings`' parts and copies its functions.
RouteTable MakeApiRoutes(const ApiSurroundings& surroundings);

// /metrics, /healthz and /readyz alone.
RouteTable MakeOpenRoutes(const ApiSurroundings& surroundings);

void AddOpenRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddConsoleRoutes(RouteTable& routes);
void AddDaemonRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddWindowRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddSliceRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddWhyRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddJobRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddResultRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddDiffRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddChangeRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddNeighbourhoodRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddEventRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddTapRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddDebugRoutes(RouteTable& routes);

// A window after `advance`, as /api/v1/windows/{window} answers it: JSON in one line.
std::string AdvanceText(const Advance& advance);
// The same of a window that may not have advanced yet: null.
std::string WindowText(const std::string& name, const Advance* advance);

// A job, as /api/v1/jobs/{job} answers it.
std::string JobText(const JobStatus& job);

// 404, and which windows there are.
HttpResponse NoWindow(const WindowEngine& engine, const std::string& name);

// 404: no such job, and which there are; a job without a result.
HttpResponse NoJob(const JobScheduler& jobs, const std::string& name);
HttpResponse NoResult(const std::string& job);

// How a result is told to clients: nobody takes a part of a list for the whole.
Listing AnswerListing();

// 503: a stream has as many readers as it may have.
HttpResponse TooManyReaders(std::string_view what);

// The answer of /readyz.
std::string ReadinessText(const std::vector<std::string>& not_ready,
                          const std::vector<std::string>& notes);

// The vertex key that a request names, in its path or as ?key=. An error is for the client.
Result<VertexKey> RequestedKey(const HttpRequest& request, KeyKind kind);

}  // namespace sash
