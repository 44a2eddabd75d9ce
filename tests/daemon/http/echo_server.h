// A server on a free port, whose handler answers with what it was asked.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "daemon/http/http_server.h"

namespace sash {

inline HttpServerOptions OnFreePort() {
  HttpServerOptions options;
  options.port = 0;
  return options;
}

// Answers with what it was asked.
inline HttpResponse Echo(const HttpRequest& request) {
  std::string body = request.method + (request.has_body ? "+body" : "");
  for (const std::string& segment : request.path) body += "|" + segment;
  for (const auto& [name, value] : request.query) body += "|" + name + "=" + value;
  return {200, "text/plain", body};
}

class HttpServerTest : public ::testing::Test {
 protected:
  void StartWith(HttpServerOptions options, HttpHandler handler = Echo) {
    server_ = std::make_unique<HttpServer>(std::move(options), std::move(handler));
    const Status started = server_->Start();
    ASSERT_TRUE(started) << started.error().message;
  }
  std::uint16_t port() const { return server_->port(); }

  std::unique_ptr<HttpServer> server_;
};

}  // namespace sash
