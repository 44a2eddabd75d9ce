// The routes of the HTTP API. To add one: a line in one of the Add...Routes() and its handler
// there.
#pragma once

#include <string>
#include <vector>

#include "daemon/http/api_surroundings.h"
#include "daemon/http/route_table.h"

namespace sash {

// All of them; the table refers to `surroundings`' parts and copies its functions.
RouteTable MakeApiRoutes(const ApiSurroundings& surroundings);

void AddDaemonRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddWindowRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddJobRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddEventRoutes(const ApiSurroundings& surroundings, RouteTable& routes);

// A window after `advance`, as /api/v1/windows/{window} answers it: JSON in one line.
std::string AdvanceText(const Advance& advance);

// The answer of /readyz.
std::string ReadinessText(const std::vector<std::string>& not_ready);

// The vertex key that a request names, in its path or as ?key=. An error is for the client.
Result<VertexKey> RequestedKey(const HttpRequest& request, KeyKind kind);

}  // namespace sash
