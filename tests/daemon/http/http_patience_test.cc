// Clients that could disturb others: idle clients, clients with many requests, and clients whose
// requests can be read in two ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <latch>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/http/http_server.h"
#include "tests/daemon/http/http_client.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr const char* kToken = "X-Token: right\r\n";

class HttpPatienceTest : public ::testing::Test {
 protected:
  static HttpServerOptions Guarded() {
    HttpServerOptions options;
    options.port = 0;
    options.connections = 16;
    options.connections_per_address = 8;
    options.admit = [](const HttpRequest& request) -> std::optional<HttpResponse> {
      if (request.headers.contains("x-token")) return std::nullopt;
      return ErrorResponse(401, "unauthorised", "a token is needed");
    };
    options.exempt = [](const HttpRequest&) { return true; };
    return options;
  }

  void StartWith(HttpServerOptions options, HttpHandler handler) {
    server_ = std::make_unique<HttpServer>(std::move(options), std::move(handler));
    const Status started = server_->Start();
    ASSERT_TRUE(started) << started.error().message;
  }
  void StartWith(HttpServerOptions options) {
    StartWith(std::move(options), [](const HttpRequest& request) {
      return HttpResponse{200, "text/plain", request.path.at(0)};
    });
  }
  std::unique_ptr<HttpClient> Connect(std::string_view sent = "") const {
    auto client = std::make_unique<HttpClient>(server_->port());
    client->Send(sent);
    return client;
  }

  std::latch begun_{1};  // of a download; they outlive the server
  std::latch release_{1};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpPatienceTest, PatientClientsTakeNoPlaceFromOthers) {
  StartWith(Guarded());
  HttpClient holder(server_->port());
  ASSERT_EQ(holder.Request("GET", "/a", kToken).status, 200);
  std::vector<std::unique_ptr<HttpClient>> patient;
  for (int i = 0; i < 25; ++i) {
    patient.push_back(Connect());
    patient.push_back(Connect("GET /a HTTP/1.1\r\nHost: x\r\nX-Slow: "));
    patient.push_back(Connect("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nab"));
    patient.push_back(Connect("GET /a HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_EQ(HttpClient(server_->port()).Request("GET", "/new", kToken).body, "new");
    EXPECT_EQ(holder.Request("GET", "/old", kToken).body, "old");
  }
  EXPECT_GT(server_->connections().evicted, 0u);
  EXPECT_LE(server_->connections().open, 16u);
}

TEST_F(HttpPatienceTest, TokenHoldersOfOneAddressAreNotLimitedByIt) {
  StartWith(Guarded());
  std::vector<std::unique_ptr<HttpClient>> holders;
  for (int i = 0; i < 12; ++i) {
    holders.push_back(Connect());
    ASSERT_EQ(holders.back()->Request("GET", "/a", kToken).status, 200);
  }
  for (const auto& holder : holders) EXPECT_EQ(holder->Request("GET", "/b", kToken).body, "b");
}

TEST_F(HttpPatienceTest, ARefusedTokenEndsTheConnection) {
  StartWith(Guarded());
  HttpClient client(server_->port());
  const HttpReply reply = client.Request("GET", "/a");
  EXPECT_EQ(reply.status, 401);
  EXPECT_EQ(reply.headers.at("connection"), "close");
  EXPECT_TRUE(client.AwaitEnd());
}

TEST_F(HttpPatienceTest, AConnectionEndsAfterSoManyRequests) {
  HttpServerOptions options;
  options.port = 0;
  options.most_requests = 3;
  StartWith(options);
  HttpClient client(server_->port());
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(client.Request("GET", "/a").headers.contains("connection"));
  }
  EXPECT_EQ(client.Request("GET", "/a").headers.at("connection"), "close");
  EXPECT_TRUE(client.AwaitEnd());
}

TEST_F(HttpPatienceTest, AConnectionEndsAtItsAgeHoweverPoliteItIs) {
  HttpServerOptions options;
  options.port = 0;
  options.most_age = milliseconds(300);
  StartWith(options);
  HttpClient busy(server_->port());
  const auto begun = std::chrono::steady_clock::now();
  while (!busy.Request("GET", "/a").headers.contains("connection")) {
    ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_GE(std::chrono::steady_clock::now() - begun, milliseconds(290));
  EXPECT_TRUE(busy.AwaitEnd());
}

TEST_F(HttpPatienceTest, HealthIsToldWhileOtherAnswersTakeLong) {
  std::latch release(1);
  std::latch busy(3);
  HttpServerOptions options;
  options.port = 0;
  options.lane = [](const HttpRequest& request) {
    if (request.path[0] == "health") return WorkLane::kHealth;
    if (request.path[0] == "metrics") return WorkLane::kMetrics;
    return request.path[0] == "large" ? WorkLane::kLarge : WorkLane::kQuick;
  };
  StartWith(options, [&](const HttpRequest& request) {
    if (request.path[0] != "health") {
      busy.count_down();
      release.wait();
    }
    return HttpResponse{200, "text/plain", request.path[0]};
  });
  std::vector<std::unique_ptr<HttpClient>> waiting;
  for (const char* path : {"metrics", "quick", "large"}) {
    waiting.push_back(Connect(std::string("GET /") + path + " HTTP/1.1\r\nHost: x\r\n\r\n"));
  }
  busy.wait();
  EXPECT_EQ(Get(server_->port(), "/health").body, "health");
  release.count_down();
  EXPECT_EQ(waiting[0]->Read().body, "metrics");
  EXPECT_EQ(waiting[1]->Read().body, "quick");
  EXPECT_EQ(waiting[2]->Read().body, "large");
}

// A body of one piece, which says at which priority it was made.
class Download final : public BodyStream {
 public:
  Download(std::latch& begun, std::latch& release) : begun_(begun), release_(release) {}

  WorkLane lane() const override { return WorkLane::kDownloads; }
  std::string KeepAlive() override { return {}; }

  std::optional<std::string> Next() override {
    if (std::exchange(is_over_, true)) return std::nullopt;
    begun_.count_down();
    release_.wait();
    return PriorityText();
  }

  static std::string PriorityText() { return std::to_string(getpriority(PRIO_PROCESS, 0)); }

 private:
  std::latch& begun_;
  std::latch& release_;
  bool is_over_ = false;
};

TEST_F(HttpPatienceTest, ADownloadHasALowPriorityAndNoAnswerWaitsForIt) {
  HttpServerOptions options;
  options.port = 0;
  options.lane = [](const HttpRequest& request) {
    return request.path[0] == "large" ? WorkLane::kLarge : WorkLane::kQuick;
  };
  StartWith(options, [&](const HttpRequest& request) {
    HttpResponse answer{200, "text/plain", Download::PriorityText()};
    if (request.path[0] == "file") {
      answer.stream = std::make_shared<Download>(begun_, release_);
      answer.stream_bytes = 2;
    }
    return answer;
  });
  const auto downloads = Connect("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
  begun_.wait();
  const std::string usual = Download::PriorityText();
  EXPECT_EQ(Get(server_->port(), "/quick").body, usual);
  EXPECT_EQ(Get(server_->port(), "/large").body, usual);
  release_.count_down();
  EXPECT_EQ(downloads->Read().body, "19");
}

TEST_F(HttpPatienceTest, ARequestThatCanBeReadInTwoWaysIsRefusedAndTheConnectionEnds) {
  HttpServerOptions options;
  options.port = 0;
  options.takes_body = [](const HttpRequest&) { return true; };
  StartWith(options);
  const std::string host = "Host: x\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  for (const auto& [headers, what] : std::vector<std::pair<std::string, std::string>>{
           {host + chunked + "Content-Length: 5\r\n", "not both"},
           {host + "Content-Length: 5\r\n" + chunked, "not both"},
           {host + "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length is given twice"},
           {host + "Content-Length: 5\r\ncontent-length: 5\r\n", "Content-Length is given twice"},
           {host + "Content-Length: +5\r\n", ""},
           {host + "Content-Length: 5, 5\r\n", ""},
           {host + "Content-Length: 0x5\r\n", ""},
           {host + "Transfer-Encoding: gzip, chunked\r\n", "must be chunked"},
           {host + "Transfer-Encoding: identity\r\n", "must be chunked"},
           {host + "Transfer-Encoding: xchunked\r\n", "must be chunked"},
           {host + chunked + chunked, "must be chunked"},
           {host + "Transfer-Encoding : chunked\r\n", ""},
           {"", "Host is missing"},
           {"Accept: */*\r\n", "Host is missing"},
           {host + "Host: y\r\n", "Host is given twice"},
           {"Host: x y\r\n", "Host must be a host and a port"},
           {"Host: x/a@y\r\n", "Host must be a host and a port"},
           {host + "Content-Length:\r\n 5\r\n", "must be on one line"},
           {host + "Transfer-Encoding:\r\n\tchunked\r\nContent-Length: 5\r\n", "on one line"},
           {host + "Accept: a\r\n  b\r\n c\r\nContent-Length: 5\r\n", "on one line"},
           {host + "A: b\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n", "on one line"}}) {
    SCOPED_TRACE(headers);
    HttpClient client(server_->port());
    client.Send("POST /a HTTP/1.1\r\n" + headers + "\r\n5\r\nabcde\r\n0\r\n\r\n" +
                "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");
    const HttpReply reply = client.Read();
    EXPECT_EQ(reply.status, 400);
    EXPECT_THAT(reply.body, HasSubstr(what));
    EXPECT_TRUE(client.AwaitEnd()) << "the rest must not be read as a request";
  }
  HttpClient old(server_->port());
  old.Send("GET /old HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.Read().body, "old") << "HTTP/1.0 has no Host";
  HttpClient right(server_->port());
  right.Send("POST /right HTTP/1.1\r\nHost:[::1]:80\r\nA:\r\nB: \t b \r\n" + chunked +
             "\r\n5\r\nabcde\r\n0\r\n\r\n");
  EXPECT_EQ(right.Read().body, "right");
}

}  // namespace
}  // namespace sash
