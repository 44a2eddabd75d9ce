// RouteAnswers: calls the routes of a TinyDaemon, or of other surroundings, without a socket.
//
// Thread safety: belongs to the test's thread.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "daemon/http/api_routes.h"
#include "daemon/http/negotiation.h"
#include "daemon/http/request_target.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {

class RouteAnswers {
 public:
  using Headers = std::map<std::string, std::string, std::less<>>;

  explicit RouteAnswers(TinyDaemon& daemon) : RouteAnswers(daemon.surroundings()) {}
  explicit RouteAnswers(const ApiSurroundings& around)
      : handler_(Negotiated([routes = MakeApiRoutes(around)](const HttpRequest& request) {
          return routes.Handle(request);
        })) {}

  HttpResponse Get(const std::string& target, Headers headers = {}) const {
    return Ask("GET", target, std::move(headers));
  }
  HttpResponse Post(const std::string& target) const { return Ask("POST", target, {}); }

  nlohmann::ordered_json Json(const std::string& target, int status = 200) const {
    const HttpResponse answer = Get(target);
    EXPECT_EQ(answer.status, status) << target << ": " << answer.body;
    return nlohmann::ordered_json::parse(answer.body);
  }

  std::string ErrorMessage(const std::string& target, int status) const {
    return Json(target, status).at("error").at("message");
  }

  // Empty if there is no such header.
  static std::string Header(const HttpResponse& answer, std::string_view name) {
    for (const auto& [each, value] : answer.headers) {
      if (each == name) return value;
    }
    return {};
  }

 private:
  HttpResponse Ask(const char* method, const std::string& target, Headers headers) const {
    Result<RequestTarget> parsed = ParseTarget(target);
    EXPECT_TRUE(parsed) << target;
    HttpRequest request{.method = method,
                        .path = std::move(parsed.value().path),
                        .query = std::move(parsed.value().query)};
    request.headers = std::move(headers);
    return handler_(request);
  }

  const HttpHandler handler_;
};

}  // namespace sash
