// RouteTable: finds the handler for the path of a request.
//
// Thread safety: immutable once filled; Handle() is as safe as the handlers.
//
// Invariants
//   (1) Every request gets a response: 404 for an unknown path, 405 (with Allow) for a method that
//       the path does not support, 413 for a body that the route does not take, 400 for an unknown
//       query parameter, 500 when the handler throws.
//   (2) Routes are tried in the order they were added. GET answers HEAD.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/http/http_message.h"

namespace sash {

class RouteTable {
 public:
  struct Route {
    std::string method;
    std::string path;
    std::vector<std::string> segments;
    std::optional<std::vector<std::string>> parameters;
    bool takes_body = false;  // JSON
    HttpHandler handler;
    WorkLane lane = WorkLane::kQuick;  // makes its answers
    std::size_t body_bytes = 0;        // at most; 0: as many as the server takes usually
    // With one of these parameters, kLarge makes the answer.
    std::vector<std::string> large_with{};
  };

  // `pattern` is a method and a path; a segment in braces captures: "GET /api/v1/windows/{window}".
  // `parameters` are the accepted query parameters; without a list, every parameter is accepted.
  // The reference is valid until the next Add().
  Route& Add(std::string_view pattern, std::optional<std::vector<std::string>> parameters,
             HttpHandler handler);

  // A route whose handler gets the request's body, which must be JSON: 415 otherwise.
  Route& AddWithBody(std::string_view pattern, HttpHandler handler);

  // Whether the route of the request takes a body.
  bool TakesBody(const HttpRequest& request) const;

  // Route::body_bytes of the request's route; 0 if there is no route.
  std::size_t BodyBytes(const HttpRequest& request) const;

  // The lane of the request's route; kQuick if there is no route.
  WorkLane LaneOf(const HttpRequest& request) const;

  HttpResponse Handle(const HttpRequest& request) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  static bool Matches(const Route& route, HttpRequest& request);
  // The answer of `route`, after the checks of parameters and body.
  static HttpResponse Answer(const Route& route, const HttpRequest& request);

  std::vector<Route> routes_;
};

}  // namespace sash
