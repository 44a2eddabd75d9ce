#include "daemon/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "tests/daemon/http/echo_server.h"
#include "tests/daemon/http/http_client.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

std::string ErrorCodeOf(const HttpReply& reply) {
  return nlohmann::json::parse(reply.body).at("error").at("code");
}

TEST_F(HttpServerTest, HandsTheDecodedTargetToTheHandler) {
  StartWith(OnFreePort());
  const HttpReply reply = Get(port(), "/a%2Fb/%E2%82%AC/%22?key=x%26y&n=1");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "GET|a/b|€|\"|key=x&y|n=1");
  EXPECT_EQ(reply.headers.at("content-type"), "text/plain");
  EXPECT_EQ(reply.headers.at("cache-control"), "no-store");
}

TEST_F(HttpServerTest, AnswersSeveralRequestsOnOneConnection) {
  StartWith(OnFreePort());
  HttpClient client(port());
  EXPECT_EQ(client.Request("GET", "/1").body, "GET|1");
  EXPECT_EQ(client.Request("GET", "/2").body, "GET|2");
  client.Send("GET /3 HTTP/1.1\r\nHost: x\r\n\r\nGET /4 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.Read().body, "GET|3");
  EXPECT_EQ(client.Read().body, "GET|4");
}

TEST_F(HttpServerTest, HeadIsGetWithoutTheBody) {
  StartWith(OnFreePort());
  HttpClient client(port());
  const HttpReply head = client.Request("HEAD", "/abc");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), "8");
  EXPECT_EQ(client.Request("GET", "/after").body, "GET|after");
}

TEST_F(HttpServerTest, HandsEveryMethodToTheHandler) {
  StartWith(OnFreePort());
  HttpClient client(port());
  for (const std::string method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"}) {
    const HttpReply reply = client.Request(method, "/a");
    EXPECT_EQ(reply.status, 200) << method;
    EXPECT_EQ(reply.body, method + "|a");
  }
}

TEST_F(HttpServerTest, ReadsNoBodyAndClosesAfterTheAnswer) {
  StartWith(OnFreePort());
  for (const std::string method : {"GET", "POST"}) {
    for (const char* body :
         {"Content-Length: 1000000\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"}) {
      HttpClient client(port());
      client.Send(method + " /a HTTP/1.1\r\nHost: x\r\n" + body);
      const HttpReply reply = client.Read();
      EXPECT_EQ(reply.body, method + "+body|a");
      EXPECT_EQ(reply.headers.at("connection"), "close");
      EXPECT_TRUE(client.AwaitEnd());
    }
  }
  HttpClient empty(port());
  empty.Send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(empty.Read().body, "POST|a");
  EXPECT_EQ(empty.Request("GET", "/b").body, "GET|b");
}

TEST_F(HttpServerTest, HandsHeadersInLowerCaseToTheHandler) {
  StartWith(OnFreePort(), [](const HttpRequest& request) {
    return HttpResponse{200, "text/plain",
                        request.headers.at("x-one") + "|" + request.headers.at("x-two")};
  });
  const HttpReply reply =
      HttpClient(port()).Request("GET", "/", "X-One: a\r\nX-TWO: b\r\nx-one: c\r\n");
  EXPECT_EQ(reply.body, "a, c|b");
}

TEST_F(HttpServerTest, AnAnswerThatTheClientHasIsSentWithoutABody) {
  StartWith(OnFreePort(), [](const HttpRequest&) {
    return HttpResponse{.status = 304, .headers = {{"ETag", "W/\"1\""}}, .tagged = true};
  });
  HttpClient client(port());
  for (int i = 0; i < 2; ++i) {  // the connection stays open
    const HttpReply reply = client.Request("GET", "/a");
    EXPECT_EQ(reply.status, 304);
    EXPECT_EQ(reply.headers.at("etag"), "W/\"1\"");
    EXPECT_FALSE(reply.headers.contains("content-type"));
    EXPECT_FALSE(reply.headers.contains("cache-control"));
  }
}

TEST_F(HttpServerTest, SendsTheHeadersOfAnAnswer) {
  StartWith(OnFreePort(), [](const HttpRequest&) {
    return HttpResponse{405, "text/plain", "no", {{"Allow", "GET, HEAD"}}};
  });
  const HttpReply reply = Get(port(), "/a");
  EXPECT_EQ(reply.status, 405);
  EXPECT_EQ(reply.headers.at("allow"), "GET, HEAD");
}

TEST_F(HttpServerTest, RefusesLongTargetsAndHeaders) {
  StartWith(OnFreePort());
  const HttpReply target = Get(port(), "/" + std::string(9000, 'a'));
  EXPECT_EQ(target.status, 414);
  EXPECT_EQ(ErrorCodeOf(target), "uri_too_long");
  HttpClient client(port());
  client.Send("GET /a HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(9000, 'a') + "\r\n\r\n");
  const HttpReply headers = client.Read();
  EXPECT_EQ(headers.status, 431);
  EXPECT_EQ(ErrorCodeOf(headers), "header_fields_too_large");
  EXPECT_EQ(Get(port(), "/" + std::string(8000, 'a')).status, 200);
}

TEST_F(HttpServerTest, RefusesEndlessHeaders) {
  StartWith(OnFreePort());
  HttpClient client(port());
  client.Send("GET /a HTTP/1.1\r\nHost: x\r\n");
  for (int i = 0; i < 1000; ++i) client.Send("X-More: " + std::string(1000, 'a') + "\r\n");
  EXPECT_TRUE(client.AwaitEnd());
  EXPECT_EQ(Get(port(), "/b").body, "GET|b");
}

TEST_F(HttpServerTest, RefusesWrongEncodings) {
  StartWith(OnFreePort());
  for (const char* target : {"/%", "/%zz", "/%FF", "/a?b=%", "/a?b=1&b=2"}) {
    const HttpReply reply = Get(port(), target);
    EXPECT_EQ(reply.status, 400) << target;
    EXPECT_EQ(ErrorCodeOf(reply), "bad_request");
  }
}

TEST_F(HttpServerTest, SurvivesWhatIsNotHttp) {
  StartWith(OnFreePort());
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00", 5), std::string("\r\n\r\n\r\n"), std::string(5000, 'x'),
        std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n")}) {
    HttpClient client(port());
    client.Send(bytes);
  }
  EXPECT_EQ(Get(port(), "/a").body, "GET|a");
}

TEST_F(HttpServerTest, AHandlerThatThrowsIsAnInternalError) {
  StartWith(OnFreePort(),
            [](const HttpRequest&) -> HttpResponse { throw std::runtime_error("broken"); });
  const HttpReply reply = Get(port(), "/a");
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(ErrorCodeOf(reply), "internal");
}

TEST_F(HttpServerTest, SendsLargeBodiesWhole) {
  const std::string large(10 << 20, 'z');
  StartWith(OnFreePort(), [&](const HttpRequest&) {
    return HttpResponse{200, "text/plain", large};
  });
  EXPECT_EQ(Get(port(), "/").body, large);
}

TEST_F(HttpServerTest, IdleConnectionsDoNotBlockARequest) {
  StartWith(OnFreePort());
  std::vector<std::unique_ptr<HttpClient>> idle;
  for (int i = 0; i < 100; ++i) {
    idle.push_back(std::make_unique<HttpClient>(port()));
    ASSERT_TRUE(idle.back()->connected());
    if (i % 2 == 0) idle.back()->Send("GET /slow HTTP/1.1\r\nHos");
  }
  EXPECT_EQ(Get(port(), "/quick").body, "GET|quick");
}

TEST_F(HttpServerTest, BeyondTheLimitConnectionsWaitUntilIdleOnesAreCutOff) {
  HttpServerOptions options = OnFreePort();
  options.connections = 4;
  options.request_time = milliseconds(200);
  StartWith(options);
  std::vector<std::unique_ptr<HttpClient>> idle;
  for (int i = 0; i < 12; ++i) idle.push_back(std::make_unique<HttpClient>(port()));
  EXPECT_EQ(Get(port(), "/later").body, "GET|later");
}

TEST_F(HttpServerTest, CutsOffASilentConnection) {
  HttpServerOptions options = OnFreePort();
  options.request_time = milliseconds(100);
  StartWith(options);
  HttpClient client(port());
  EXPECT_TRUE(client.AwaitEnd());
}

TEST_F(HttpServerTest, CutsOffARequestThatDrips) {
  HttpServerOptions options = OnFreePort();
  options.request_time = milliseconds(300);
  StartWith(options);
  HttpClient client(port());
  std::atomic<bool> ended = false;
  const auto begun = std::chrono::steady_clock::now();
  // Never silent for long: an idle timeout would not cut it off.
  std::jthread dripping([&] {
    client.Send("GET /a HTTP/1.1\r\nX-Drip: ");
    while (!ended) {
      client.Send("x");
      std::this_thread::sleep_for(milliseconds(5));
    }
  });
  EXPECT_TRUE(client.AwaitEnd());
  ended = true;
  EXPECT_GE(std::chrono::steady_clock::now() - begun, milliseconds(300));
}

TEST_F(HttpServerTest, CutsOffAnIdleConnectionAfterItsAnswer) {
  HttpServerOptions options = OnFreePort();
  options.idle_time = milliseconds(100);
  StartWith(options);
  HttpClient client(port());
  EXPECT_EQ(client.Request("GET", "/a").status, 200);
  EXPECT_TRUE(client.AwaitEnd());
}

TEST_F(HttpServerTest, CutsOffAReaderThatDoesNotRead) {
  HttpServerOptions options = OnFreePort();
  options.connections = 1;
  options.answer_time = milliseconds(200);
  const std::string large(64 << 20, 'z');
  StartWith(options, [&](const HttpRequest& request) {
    return request.path[0] == "large" ? HttpResponse{200, "text/plain", large} : Echo(request);
  });
  HttpClient client(port());
  client.Send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  // There is room for one connection only: this one gets in when the first was cut off.
  EXPECT_EQ(Get(port(), "/a").body, "GET|a");
  EXPECT_LT(client.Read().body.size(), large.size());
}

TEST_F(HttpServerTest, SaysThatThePortIsTaken) {
  StartWith(OnFreePort());
  HttpServerOptions options;
  options.port = port();
  HttpServer second(options, Echo);
  const Status started = second.Start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(started.error().message, HasSubstr("http://127.0.0.1:" + std::to_string(port())));
  EXPECT_THAT(started.error().message, HasSubstr("the port is in use"));
  EXPECT_EQ(Get(port(), "/a").status, 200);
}

TEST_F(HttpServerTest, ListensOnLoopbackOnly) {
  for (const char* host : {"0.0.0.0", "::", "192.168.1.1", "example.org", ""}) {
    HttpServerOptions options = OnFreePort();
    options.host = host;
    const Status started = HttpServer(options, Echo).Start();
    ASSERT_FALSE(started) << host;
    EXPECT_THAT(started.error().message, HasSubstr("use 127.0.0.1"));
  }
}

TEST_F(HttpServerTest, StopsAndFreesThePort) {
  StartWith(OnFreePort());
  HttpServerOptions same;
  same.port = port();
  HttpClient idle(port());
  HttpClient used(port());
  EXPECT_EQ(used.Request("GET", "/a").status, 200);
  server_->Stop();
  server_->Stop();
  EXPECT_TRUE(idle.AwaitEnd());
  EXPECT_FALSE(HttpClient(same.port).connected());
  StartWith(same);
  EXPECT_EQ(Get(port(), "/b").body, "GET|b");
}

TEST_F(HttpServerTest, StopFinishesTheAnswerUnderWay) {
  std::latch handling(1);
  std::latch stopping(1);
  const std::string large(4 << 20, 'z');
  StartWith(OnFreePort(), [&](const HttpRequest&) {
    handling.count_down();
    stopping.wait();
    return HttpResponse{200, "text/plain", large};
  });
  auto answer = std::async(std::launch::async, [&] { return Get(port(), "/a").body; });
  handling.wait();
  std::jthread stopper([&] {
    stopping.count_down();
    server_->Stop();
  });
  EXPECT_EQ(answer.get().size(), large.size());
}

TEST_F(HttpServerTest, StopsWhileManyAsk) {
  StartWith(OnFreePort());
  std::vector<std::jthread> clients;
  std::latch asked(4);
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&, port = port()] {
      EXPECT_EQ(Get(port, "/a").status, 200);
      asked.count_down();
      while (true) {
        HttpClient client(port);
        if (!client.connected() || client.Request("GET", "/a").status == 0) return;
      }
    });
  }
  asked.wait();
  server_->Stop();
}

TEST_F(HttpServerTest, StopsWhenItNeverStarted) {
  HttpServer server(OnFreePort(), Echo);
  server.Stop();
  EXPECT_EQ(server.port(), 0);
}

}  // namespace
}  // namespace sash
