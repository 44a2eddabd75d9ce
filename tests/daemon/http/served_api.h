// The API of a TinyDaemon as clients use it, and edges for it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "daemon/http/api_routes.h"
#include "daemon/http/http_server.h"
#include "daemon/http/negotiation.h"
#include "tests/daemon/http/http_client.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {

// The API of a TinyDaemon, over a socket.
class Api {
 public:
  explicit Api(TinyDaemon& daemon) : routes_(MakeApiRoutes(daemon.surroundings())) {
    HttpServerOptions options;
    options.port = 0;
    server_ = std::make_unique<HttpServer>(options, Negotiated([this](const HttpRequest& request) {
                                             return routes_.Handle(request);
                                           }));
    const Status started = server_->Start();
    EXPECT_TRUE(started);
  }

  HttpReply Reply(const std::string& target, const std::string& headers = "") {
    return HttpClient(server_->port()).Request("GET", target, headers);
  }

  // All pages, following the links.
  std::vector<nlohmann::ordered_json> Pages(std::string target) {
    std::vector<nlohmann::ordered_json> pages;
    for (;;) {
      const HttpReply reply = Reply(target);
      EXPECT_EQ(reply.status, 200) << target;
      pages.push_back(nlohmann::ordered_json::parse(reply.body));
      const auto link = reply.headers.find("link");
      if (link == reply.headers.end() || pages.size() > 1000) return pages;
      EXPECT_TRUE(link->second.ends_with("; rel=\"next\"")) << link->second;
      target = link->second.substr(1, link->second.find('>') - 1);
    }
  }

  nlohmann::ordered_json Body(const std::string& target, int status = 200) {
    const HttpReply reply = Reply(target);
    EXPECT_EQ(reply.status, status) << target << ": " << reply.body;
    EXPECT_EQ(reply.headers.at("content-type"), "application/json");
    EXPECT_EQ(reply.body.back(), '\n');
    return nlohmann::ordered_json::parse(reply.body);
  }

  std::string ErrorMessage(const std::string& target, int status) {
    return Body(target, status).at("error").at("message");
  }

  std::uint16_t port() const { return server_->port(); }

 private:
  const RouteTable routes_;
  std::unique_ptr<HttpServer> server_;
};

// a -> b (twice), a -> c, b -> c, and d -> d by itself; then the window closes.
inline void AddTriangle(TinyDaemon& daemon) {
  using std::string;
  daemon.Add(string("a"), string("b"), 1, Weight::Integer(5));
  daemon.Add(string("a"), string("c"), 2);
  daemon.Add(string("a"), string("b"), 3, Weight::Real(0.5));
  daemon.Add(string("b"), string("c"), 4);
  daemon.Add(string("d"), string("d"), 5);
  daemon.EndSource();
}

}  // namespace sash
