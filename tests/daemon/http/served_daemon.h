// ServedDaemon: a tiny daemon behind an HTTP server on a free port, for routes with streamed
// answers.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "daemon/http/api_routes.h"
#include "daemon/http/http_server.h"
#include "daemon/http/negotiation.h"
#include "tests/daemon/http/http_client.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {

class ServedDaemon : public ::testing::Test {
 protected:
  // The arguments are TinyDaemon's.
  template <typename... Arguments>
  explicit ServedDaemon(Arguments&&... arguments)
      : daemon_(std::forward<Arguments>(arguments)...),
        routes_(MakeApiRoutes(daemon_.surroundings())),
        server_(Options(), Negotiated([this](const HttpRequest& request) {
                  return routes_.Handle(request);
                })) {
    EXPECT_TRUE(server_.Start());
  }

  TinyDaemon daemon_;
  const RouteTable routes_;
  HttpServer server_;

 private:
  static HttpServerOptions Options() {
    HttpServerOptions options;
    options.port = 0;
    return options;
  }
};

}  // namespace sash
