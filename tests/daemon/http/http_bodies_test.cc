// Requests with bodies, and answers that another thread makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "daemon/http/http_server.h"
#include "tests/daemon/http/http_client.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

HttpServerOptions TakingBodies() {
  HttpServerOptions options;
  options.port = 0;
  options.body_bytes = 1000;
  options.takes_body = [](const HttpRequest& request) { return request.path.at(0) == "take"; };
  return options;
}

HttpResponse EchoBody(const HttpRequest& request) {
  if (request.has_body && request.body.empty()) return ErrorResponse(413, "none", "none wanted");
  return {200, "text/plain", request.client + "|" + request.body};
}

class HttpBodiesTest : public ::testing::Test {
 protected:
  void StartWith(HttpHandler handler, HttpServerOptions options = TakingBodies()) {
    server_ = std::make_unique<HttpServer>(std::move(options), std::move(handler));
    const Status started = server_->Start();
    ASSERT_TRUE(started) << started.error().message;
  }
  // Answers at once, except /later: its answer is `pending`, and it counts `asked` down.
  void StartWithLater(const std::shared_ptr<PendingAnswer>& pending, std::latch& asked) {
    StartWith([pending, &asked](const HttpRequest& request) {
      HttpResponse response{200, "text/plain", "at once"};
      if (request.path.at(0) == "later") {
        response.pending = pending;
        asked.count_down();
      }
      return response;
    });
  }
  std::uint16_t port() const { return server_->port(); }

  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpBodiesTest, ABodyIsHandedOverWholeAndTheConnectionGoesOn) {
  StartWith(EchoBody);
  HttpClient client(port());
  EXPECT_EQ(client.Post("/take", "hello").body, "127.0.0.1|hello");
  const std::string most(1000, 'x');
  EXPECT_EQ(client.Post("/take", most).body, "127.0.0.1|" + most);
  EXPECT_EQ(client.Request("GET", "/take").body, "127.0.0.1|");
}

TEST_F(HttpBodiesTest, PiecesAndChunksAreOneBody) {
  StartWith(EchoBody);
  HttpClient client(port());
  client.Send(
      "POST /take HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc");
  client.Send("\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_EQ(client.Read().body, "127.0.0.1|abcde");
}

TEST_F(HttpBodiesTest, ABodyThatIsTooLongIsRefusedWhetherAnnouncedOrNot) {
  StartWith(EchoBody);
  EXPECT_EQ(HttpClient(port()).Post("/take", std::string(1001, 'x')).status, 413);
  HttpClient chunked(port());
  chunked.Send("POST /take HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 20; ++i) chunked.Send("64\r\n" + std::string(100, 'x') + "\r\n");
  chunked.Send("0\r\n\r\n");
  const HttpReply reply = chunked.Read();
  EXPECT_EQ(reply.status, 413);
  EXPECT_THAT(reply.body, HasSubstr("at most 1000 bytes"));
}

TEST_F(HttpBodiesTest, ABodyThatIsNotWantedIsNotRead) {
  StartWith(EchoBody);
  HttpClient client(port());
  client.Send("POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n");
  EXPECT_EQ(client.Read().status, 413) << "the answer comes before the body is sent";
  EXPECT_TRUE(client.AwaitEnd());
}

TEST_F(HttpBodiesTest, ABodyThatDoesNotComeIsCutOff) {
  HttpServerOptions options = TakingBodies();
  options.request_time = std::chrono::milliseconds(100);
  StartWith(EchoBody, std::move(options));
  HttpClient client(port());
  client.Send("POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_TRUE(client.AwaitEnd());
}

TEST_F(HttpBodiesTest, OthersAreServedWhileAnAnswerIsPending) {
  auto pending = std::make_shared<PendingAnswer>();
  std::latch asked(1);
  StartWithLater(pending, asked);
  HttpClient later(port());
  later.Send("POST /later HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  asked.wait();
  EXPECT_EQ(Get(port(), "/now").body, "at once");
  pending->Give({201, "text/plain", "here it is"});
  server_->Wake();
  const HttpReply reply = later.Read();
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.body, "here it is");
  EXPECT_EQ(later.Request("GET", "/now").body, "at once") << "the connection stays open";
}

TEST_F(HttpBodiesTest, PendingAnswersOfManyConnectionsFindTheirOwn) {
  Mutex mutex;
  std::deque<std::pair<std::string, std::shared_ptr<PendingAnswer>>> open;
  StartWith([&](const HttpRequest& request) {
    HttpResponse response;
    response.pending = std::make_shared<PendingAnswer>();
    const MutexLock lock(mutex);
    open.emplace_back(request.path.at(0), response.pending);
    return response;
  });
  std::jthread answerer([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const MutexLock lock(mutex);
      if (open.empty()) continue;
      open.back().second->Give({200, "text/plain", open.back().first});
      open.pop_back();
      server_->Wake();
    }
  });
  std::vector<std::jthread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, i] {
      HttpClient client(port());
      for (int j = 0; j < 20; ++j) {
        const std::string name = std::to_string(i) + "-" + std::to_string(j);
        EXPECT_EQ(client.Request("GET", "/" + name).body, name);
      }
    });
  }
  clients.clear();
}

TEST_F(HttpBodiesTest, WhenTheServerStopsWhatIsPendingIsRefused) {
  std::latch asked(1);
  StartWith([&](const HttpRequest&) {
    HttpResponse response;
    response.pending = std::make_shared<PendingAnswer>();
    asked.count_down();
    return response;
  });
  HttpClient client(port());
  client.Send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  asked.wait();
  server_->Stop();
  EXPECT_EQ(client.Read().status, 503);
}

TEST_F(HttpBodiesTest, WhileTheServerStopsNothingBecomesPending) {
  std::latch asked(2);
  HttpServerOptions options = TakingBodies();
  options.stop_time = HttpClient::kPatience;
  StartWith(
      [&](const HttpRequest& request) {
        HttpResponse response{200, "text/plain", "at once"};
        if (request.path.at(0) == "now") return response;
        if (request.path.at(0) == "large") response.body = std::string(64 << 20, 'x');
        if (request.path.at(0) != "large") response.pending = std::make_shared<PendingAnswer>();
        if (request.path.at(0) != "second") asked.count_down();
        return response;
      },
      options);
  HttpClient second(port());
  EXPECT_EQ(second.Request("GET", "/now").status, 200);
  HttpClient first(port());
  first.Send("GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n");
  std::optional<HttpClient> large(port());  // does not read, so it delays the stop
  large->Send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  asked.wait();
  std::jthread stopper([&] { server_->Stop(); });
  EXPECT_EQ(first.Read().status, 503) << "the server is stopping";
  EXPECT_EQ(second.Request("GET", "/second").status, 503);
  large.reset();
}

TEST_F(HttpBodiesTest, AClientThatGoesAwayWhileItsAnswerIsPendingIsForgotten) {
  auto pending = std::make_shared<PendingAnswer>();
  std::latch asked(1);
  StartWithLater(pending, asked);
  {
    HttpClient gone(port());
    gone.Send("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n");
    asked.wait();
  }
  pending->Give({200, "text/plain", "too late"});
  server_->Wake();
  EXPECT_EQ(Get(port(), "/now").body, "at once");
}

}  // namespace
}  // namespace sash
