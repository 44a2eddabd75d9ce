#include "daemon/http/route_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <exception>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

bool Captures(const std::string& segment) { return segment.starts_with('{'); }

bool IsJson(const HttpRequest& request) {
  const auto type = request.headers.find("content-type");
  if (type == request.headers.end()) return false;
  std::string media = type->second.substr(0, type->second.find(';'));
  media.erase(media.find_last_not_of(" \t") + 1);
  std::ranges::transform(media, media.begin(), [](unsigned char c) { return std::tolower(c); });
  return media == kJsonContent;
}

std::string ParameterTrouble(const std::string& name, const std::vector<std::string>& known) {
  if (known.empty()) return fmt::format("unknown parameter '{}': this path takes none", name);
  return fmt::format("unknown parameter '{}': this path takes {}", name, fmt::join(known, ", "));
}

}  // namespace

RouteTable::Route& RouteTable::Add(std::string_view pattern,
                                   std::optional<std::vector<std::string>> parameters,
                                   HttpHandler handler) {
  const std::size_t space = pattern.find(' ');
  SASH_CHECK(space != std::string_view::npos && pattern.substr(space + 1).starts_with('/'));
  Route route{std::string(pattern.substr(0, space)),
              std::string(pattern.substr(space + 1)),
              {},
              std::move(parameters),
              false,
              std::move(handler),
              WorkLane::kQuick,
              0};
  std::string_view path = route.path;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    route.segments.emplace_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  routes_.push_back(std::move(route));
  return routes_.back();
}

RouteTable::Route& RouteTable::AddWithBody(std::string_view pattern, HttpHandler handler) {
  Add(pattern, std::vector<std::string>(), std::move(handler));
  routes_.back().takes_body = true;
  return routes_.back();
}

std::size_t RouteTable::BodyBytes(const HttpRequest& request) const {
  HttpRequest routed{.path = request.path};
  const auto found = std::ranges::find_if(routes_, [&](const Route& route) {
    return route.method == request.method && Matches(route, routed);
  });
  return found == routes_.end() ? 0 : found->body_bytes;
}

bool RouteTable::TakesBody(const HttpRequest& request) const {
  HttpRequest routed = request;
  return std::ranges::any_of(routes_, [&](const Route& route) {
    return route.takes_body && route.method == request.method && Matches(route, routed);
  });
}

WorkLane RouteTable::LaneOf(const HttpRequest& request) const {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  HttpRequest routed{.path = request.path};
  const auto found = std::ranges::find_if(routes_, [&](const Route& route) {
    return route.method == method && Matches(route, routed);
  });
  if (found == routes_.end()) return WorkLane::kQuick;
  const bool is_large = std::ranges::any_of(
      found->large_with, [&](const std::string& name) { return request.query.contains(name); });
  return is_large ? WorkLane::kLarge : found->lane;
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

HttpResponse RouteTable::Answer(const Route& route, const HttpRequest& request) {
  if (request.has_body && !route.takes_body) {
    return ErrorResponse(413, "content_too_large", "this request must not have a body");
  }
  if (route.takes_body && !IsJson(request)) {
    return ErrorResponse(415, "unsupported_media_type",
                         "the body must be JSON, with Content-Type: application/json");
  }
  if (route.parameters) {
    for (const auto& [name, value] : request.query) {
      if (std::ranges::find(*route.parameters, name) == route.parameters->end()) {
        return BadRequest(ParameterTrouble(name, *route.parameters));
      }
    }
  }
  return route.handler(request);
}

HttpResponse RouteTable::Handle(const HttpRequest& request) const try {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::vector<std::string> allowed;
  HttpRequest routed = request;
  for (const Route& route : routes_) {
    if (!Matches(route, routed)) continue;
    if (route.method == method) return Answer(route, routed);
    allowed.push_back(route.method == "GET" ? "GET, HEAD" : route.method);
  }
  if (allowed.empty()) {
    return NotFound(fmt::format("no such path: /{}", fmt::join(request.path, "/")));
  }
  const std::string methods = fmt::format("{}", fmt::join(allowed, ", "));
  HttpResponse refusal =
      ErrorResponse(405, "method_not_allowed",
                    fmt::format("{} is not allowed here; allowed: {}", request.method, methods));
  refusal.headers = {{"Allow", methods}};
  return refusal;
} catch (const std::exception& e) {
  return ErrorResponse(500, "internal", e.what());
}

}  // namespace sash
