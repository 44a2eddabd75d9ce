#include "daemon/http/route_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

bool Captures(const std::string& segment) { return segment.starts_with('{'); }

std::string ParameterTrouble(const std::string& name, const std::vector<std::string>& known) {
  if (known.empty()) return fmt::format("unknown parameter '{}': this path takes none", name);
  return fmt::format("unknown parameter '{}': this path takes {}", name, fmt::join(known, ", "));
}

}  // namespace

void RouteTable::Add(std::string_view pattern, std::optional<std::vector<std::string>> parameters,
                     HttpHandler handler) {
  SASH_CHECK(pattern.starts_with('/'));
  Route route{{}, std::move(parameters), std::move(handler)};
  while (!pattern.empty()) {
    pattern.remove_prefix(1);
    const std::size_t end = std::min(pattern.find('/'), pattern.size());
    route.segments.emplace_back(pattern.substr(0, end));
    pattern.remove_prefix(end);
  }
  routes_.push_back(std::move(route));
}

bool RouteTable::Matches(const Route& route, HttpRequest& request) {
  if (route.segments.size() != request.path.size()) return false;
  request.captured.clear();
  for (std::size_t i = 0; i < route.segments.size(); ++i) {
    const std::string& segment = route.segments[i];
    if (Captures(segment)) {
      request.captured[segment.substr(1, segment.size() - 2)] = request.path[i];
    } else if (segment != request.path[i]) {
      return false;
    }
  }
  return true;
}

HttpResponse RouteTable::Handle(const HttpRequest& request) const try {
  HttpRequest routed = request;
  const auto route =
      std::ranges::find_if(routes_, [&](const Route& r) { return Matches(r, routed); });
  if (route == routes_.end()) {
    return NotFound(fmt::format("no such path: /{}", fmt::join(request.path, "/")));
  }
  if (route->parameters) {
    for (const auto& [name, value] : request.query) {
      if (std::ranges::find(*route->parameters, name) == route->parameters->end()) {
        return BadRequest(ParameterTrouble(name, *route->parameters));
      }
    }
  }
  return route->handler(routed);
} catch (const std::exception& e) {
  return ErrorResponse(500, "internal", e.what());
}

}  // namespace sash
