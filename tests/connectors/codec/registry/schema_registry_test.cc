// The registry's client against a server that answers as a test says. The tests of sashd with the
// documented API, authentication and TLS are in tests/integration/kafka/schema_registry_test.py.
#include "connectors/codec/registry/schema_registry.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <string>
#include <thread>
#include <vector>

namespace sash {
namespace {

using Kind = RegisteredSchema::Kind;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr milliseconds kLong{20'000};

// Answers each connection with the next of its replies, and remembers the paths.
class RepliesServer {
 public:
  explicit RepliesServer(std::deque<std::string> replies) : replies_(std::move(replies)) {
    listening_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(listening_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listening_, 8), 0);
    ::getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~RepliesServer() {
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    ::close(listening_);
  }
  RepliesServer(const RepliesServer&) = delete;
  RepliesServer& operator=(const RepliesServer&) = delete;

  RegistrySpec Spec() const {
    return {.url = "http://127.0.0.1:" + std::to_string(port_) + "/registry"};
  }
  // After the last reply has been taken.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  void Serve() {
    while (!replies_.empty()) {
      const int connection = ::accept(listening_, nullptr, nullptr);
      if (connection < 0) return;
      std::string request;
      char bytes[4096];
      while (request.find("\r\n\r\n") == std::string::npos) {
        const ssize_t count = ::recv(connection, bytes, sizeof(bytes), 0);
        if (count <= 0) break;
        request.append(bytes, static_cast<std::size_t>(count));
      }
      const std::size_t begin = request.find(' ') + 1;
      paths_.push_back(request.substr(begin, request.find(' ', begin) - begin));
      const std::string reply = replies_.front();
      replies_.pop_front();
      EXPECT_EQ(::send(connection, reply.data(), reply.size(), MSG_NOSIGNAL),
                static_cast<ssize_t>(reply.size()));
      ::close(connection);
    }
  }

  std::deque<std::string> replies_;
  std::vector<std::string> paths_;
  int listening_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

std::string Reply(const std::string& status, const std::string& body) {
  return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nConnection: close\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(SchemaRegistryTest, ASchemaIsAskedForOnceHoweverOftenItIsNeeded) {
  RepliesServer server({Reply("200 OK", R"({"schema":"\"long\""})"),
                        Reply("404 Not Found", R"({"error_code":40403})")});
  SchemaRegistry registry(server.Spec());
  ASSERT_TRUE(registry.Await(7, kLong)) << registry.Trouble();
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(registry.Ask(7));
  EXPECT_EQ(registry.Find(7)->kind, Kind::kAvro);
  EXPECT_THAT(registry.Find(7)->texts, ElementsAre("\"long\""));
  ASSERT_TRUE(registry.Await(8, kLong));
  EXPECT_TRUE(registry.Ask(8)) << "the answer that there is none counts for a while";
  EXPECT_EQ(registry.Find(8)->kind, Kind::kUnknown);
  EXPECT_EQ(registry.Find(9), nullptr);
  EXPECT_EQ(registry.counts().requests, 2u);
  EXPECT_THAT(server.paths(), ElementsAre("/registry/schemas/ids/7", "/registry/schemas/ids/8"));
}

TEST(SchemaRegistryTest, WhatIsNotAnAnswerIsAskedForAgain) {
  RepliesServer server({Reply("503 Busy", ""), Reply("200 OK", "<html>"), "HTTP/1.1 200 OK\r\n",
                        Reply("200 OK", R"({"schema":"\"int\""})")});
  SchemaRegistry registry(server.Spec());
  ASSERT_TRUE(registry.Await(1, kLong)) << registry.Trouble();
  EXPECT_EQ(registry.Trouble(), "");
  EXPECT_EQ(registry.counts().failures, 3u);
}

TEST(SchemaRegistryTest, WhileThereIsNoAnswerItSaysWhy) {
  SchemaRegistry registry({.url = "http://127.0.0.1:1"});  // nothing listens there
  const auto deadline = std::chrono::steady_clock::now() + kLong;
  while (registry.Trouble().empty() && std::chrono::steady_clock::now() < deadline) {
    EXPECT_FALSE(registry.Await(1, milliseconds(10)));
  }
  EXPECT_THAT(registry.Trouble(),
              HasSubstr("the schema registry http://127.0.0.1:1 cannot be asked"));
  EXPECT_EQ(registry.Find(1), nullptr);
}

TEST(SchemaRegistryTest, TheSchemasThatASchemaUsesComeBeforeIt) {
  const std::string used = R"({"schema":"\"used\""})";
  RepliesServer server({Reply("200 OK", R"({"schema":"\"all\"","references":[)"
                                        R"({"name":"A","subject":"a/b","version":2},)"
                                        R"({"name":"C","subject":"c","version":1}]})"),
                        Reply("200 OK", R"({"schema":"\"first\"","references":[)"
                                        R"({"name":"U","subject":"u","version":1}]})"),
                        Reply("200 OK", used),
                        Reply("200 OK", R"({"schema":"\"second\"","references":[)"
                                        R"({"name":"U","subject":"u","version":1}]})"),
                        Reply("200 OK", used)});
  SchemaRegistry registry(server.Spec());
  ASSERT_TRUE(registry.Await(1, kLong)) << registry.Trouble();
  EXPECT_THAT(registry.Find(1)->texts,
              ElementsAre("\"used\"", "\"first\"", "\"second\"", "\"all\""));
  EXPECT_THAT(server.paths(),
              ElementsAre("/registry/schemas/ids/1", "/registry/subjects/a%2Fb/versions/2",
                          "/registry/subjects/u/versions/1", "/registry/subjects/c/versions/1",
                          "/registry/subjects/u/versions/1"));
}

TEST(SchemaRegistryTest, ItEndsWhileTheRegistryIsSilent) {
  const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(listening, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listening, 8), 0);
  ::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size);
  const auto begin = std::chrono::steady_clock::now();
  {
    SchemaRegistry registry({.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port))});
    EXPECT_FALSE(registry.Await(1, milliseconds(50)));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(12));
  ::close(listening);
}

}  // namespace
}  // namespace sash
