// The routes of the HTTP API. To add one: a line in one of the Add...Routes() and its handler
// there.
#pragma once

#include "daemon/http/api_surroundings.h"
#include "daemon/http/route_table.h"

namespace sash {

// All of them; the table refers to `surroundings`' parts and copies its functions.
RouteTable MakeApiRoutes(const ApiSurroundings& surroundings);

void AddDaemonRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddWindowRoutes(const ApiSurroundings& surroundings, RouteTable& routes);
void AddJobRoutes(const ApiSurroundings& surroundings, RouteTable& routes);

// The vertex key that a request names, in its path or as ?key=. An error is for the client.
Result<VertexKey> RequestedKey(const HttpRequest& request, KeyKind kind);

}  // namespace sash
