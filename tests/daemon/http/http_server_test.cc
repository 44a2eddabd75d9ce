#include "daemon/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <future>
#include <latch>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "tests/daemon/http/http_client.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

HttpServerOptions OnFreePort() {
  HttpServerOptions options;
  options.port = 0;
  return options;
}

HttpResponse Echo(const HttpRequest& request) {
  std::string body = request.method + (request.has_body ? "+body" : "");
  for (const std::string& segment : request.path) body += "|" + segment;
  for (const auto& [name, value] : request.query) body += "|" + name + "=" + value;
  return {200, "text/plain", body};
}

std::string ErrorCodeOf(const HttpReply& reply) {
  return nlohmann::json::parse(reply.body).at("error").at("code");
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

// A body that sends the pieces that a test puts into it, then nothing.
class TestStream final : public BodyStream {
 public:
  std::optional<std::string> Next() override {
    const MutexLock lock(mutex_);
    if (pieces_.empty()) return ended_ ? std::nullopt : std::optional(std::string());
    std::string piece = pieces_.front();
    if (!endless_) pieces_.pop_front();
    return piece;
  }
  std::string KeepAlive() override { return "(alive)"; }

  void Put(std::string piece) {
    const MutexLock lock(mutex_);
    pieces_.push_back(std::move(piece));
  }
  void End() {
    const MutexLock lock(mutex_);
    ended_ = true;
  }
  void Repeat(std::string piece) {
    const MutexLock lock(mutex_);
    pieces_.push_back(std::move(piece));
    endless_ = true;
  }

 private:
  Mutex mutex_;
  std::deque<std::string> pieces_ SASH_GUARDED_BY(mutex_);
  bool ended_ SASH_GUARDED_BY(mutex_) = false;
  bool endless_ SASH_GUARDED_BY(mutex_) = false;
};

class HttpStreamTest : public HttpServerTest {
 protected:
  void Stream(HttpServerOptions options) {
    StartWith(std::move(options), [this](const HttpRequest& request) {
      return request.path[0] == "stream"
                 ? HttpResponse{.content_type = "text/plain", .stream = stream_}
                 : Echo(request);
    });
  }
  std::unique_ptr<HttpClient> Ask() {
    auto client = std::make_unique<HttpClient>(port());
    client->Send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    return client;
  }

  const std::shared_ptr<TestStream> stream_ = std::make_shared<TestStream>();
};

TEST_F(HttpStreamTest, SendsEachPieceAsItComes) {
  Stream(OnFreePort());
  stream_->Put("one.");
  const auto client = Ask();
  EXPECT_THAT(client->AwaitText("one."), HasSubstr("Transfer-Encoding: chunked"));
  for (const std::string piece : {"two.", "three."}) {
    stream_->Put(piece);
    server_->Wake();
    EXPECT_THAT(client->AwaitText(piece), HasSubstr(piece));
  }
  EXPECT_EQ(Get(port(), "/a").body, "GET|a") << "other clients are served in the meantime";
  stream_->End();
  server_->Wake();
  EXPECT_THAT(client->AwaitText("\r\n0\r\n\r\n"), HasSubstr("0\r\n\r\n"));
  client->Send("GET /after HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client->Read().body, "GET|after");
}

TEST_F(HttpStreamTest, TheMoreStreamsTheLongerTheyGatherWhatHappens) {
  using std::chrono::milliseconds;
  EXPECT_EQ(HttpServer::PauseBetweenPieces(0), milliseconds(20));
  EXPECT_EQ(HttpServer::PauseBetweenPieces(1), milliseconds(20));
  EXPECT_EQ(HttpServer::PauseBetweenPieces(20), milliseconds(20));
  EXPECT_EQ(HttpServer::PauseBetweenPieces(100), milliseconds(100));
}

TEST_F(HttpStreamTest, SendsAPieceThatIsLargerThanAnyBuffer) {
  Stream(OnFreePort());
  std::string large;
  for (int i = 0; i < 300'000; ++i) large += std::to_string(i) + ",";
  stream_->Put(large);
  stream_->Put("end.");
  const std::string sent = Ask()->AwaitText("end.");
  EXPECT_GT(sent.size(), large.size());
  EXPECT_THAT(sent, HasSubstr("299999,"));
}

TEST_F(HttpStreamTest, BreaksALongSilence) {
  HttpServerOptions options = OnFreePort();
  options.silence = milliseconds(20);
  Stream(options);
  const auto client = Ask();
  for (int i = 0; i < 3; ++i) EXPECT_THAT(client->AwaitText("(alive)"), HasSubstr("(alive)"));
}

TEST_F(HttpStreamTest, CutsOffAReaderThatDoesNotRead) {
  HttpServerOptions options = OnFreePort();
  options.connections = 1;
  options.piece_time = milliseconds(200);
  Stream(options);
  stream_->Repeat(std::string(1 << 20, 'z'));
  const auto client = Ask();
  // There is room for one connection only: this one gets in when the first was cut off.
  EXPECT_EQ(Get(port(), "/a").body, "GET|a");
}

TEST_F(HttpStreamTest, ASilentReaderIsNotCutOff) {
  HttpServerOptions options = OnFreePort();
  options.piece_time = options.idle_time = milliseconds(300);
  options.silence = milliseconds(400);
  Stream(options);
  const auto client = Ask();
  for (int i = 0; i < 2; ++i) EXPECT_THAT(client->AwaitText("(alive)"), HasSubstr("(alive)"));
}

TEST_F(HttpStreamTest, AReaderThatHasLeftIsForgotten) {
  HttpServerOptions options = OnFreePort();
  options.connections = 1;
  options.silence = std::chrono::hours(1);
  Stream(options);
  stream_->Put("one.");
  auto client = Ask();
  client->AwaitText("one.");
  client.reset();
  EXPECT_EQ(Get(port(), "/a").body, "GET|a");
  EXPECT_EQ(stream_.use_count(), 1);
}

TEST_F(HttpStreamTest, ReadersThatLeaveInTheMiddleAreForgotten) {
  HttpServerOptions options = OnFreePort();
  options.silence = std::chrono::hours(1);
  Stream(options);
  stream_->Repeat(std::string(1 << 20, 'z'));
  for (int i = 0; i < 20; ++i) Ask()->AwaitText("zz");
  EXPECT_EQ(Get(port(), "/a").body, "GET|a");
  EXPECT_EQ(stream_.use_count(), 1);
}

TEST_F(HttpStreamTest, StopEndsStreamsSilentAndBusyOnes) {
  Stream(OnFreePort());
  std::vector<std::unique_ptr<HttpClient>> clients;
  stream_->Put("one.");
  clients.push_back(Ask());
  clients[0]->AwaitText("one.");
  clients.push_back(Ask());  // silent from the start, or not started yet
  stream_->Repeat(std::string(1 << 20, 'z'));
  clients.push_back(Ask());  // reads nothing of an endless body
  server_->Stop();
  EXPECT_TRUE(clients[0]->AwaitEnd());
  EXPECT_EQ(stream_.use_count(), 1);
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
