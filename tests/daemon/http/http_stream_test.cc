// Bodies that are sent piece by piece, while the handler makes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/daemon/http/echo_server.h"
#include "tests/daemon/http/http_client.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace sash
