// RouteTable: from a request to the handler of its path.
//
// Thread safety: immutable once filled; Handle() is as safe as the handlers.
//
// Invariants
//   (1) Every request gets a response: 404 for an unknown path, 400 for a query parameter that the
//       route does not know, 500 when the handler throws.
//   (2) Routes are tried in the order they were added.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/http/http_message.h"

namespace sash {

class RouteTable {
 public:
  // `pattern` is a path; a segment in braces captures: "/api/v1/windows/{window}". `parameters` are
  // the query parameters it knows; without a list, it takes any.
  void Add(std::string_view pattern, std::optional<std::vector<std::string>> parameters,
           HttpHandler handler);

  HttpResponse Handle(const HttpRequest& request) const;

 private:
  struct Route {
    std::vector<std::string> segments;
    std::optional<std::vector<std::string>> parameters;
    HttpHandler handler;
  };

  static bool Matches(const Route& route, HttpRequest& request);

  std::vector<Route> routes_;
};

}  // namespace sash
