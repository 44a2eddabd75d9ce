// A small HTTP server that answers each request with the next of its replies, and the last reply
// for ever. It keeps what it received.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sash::testing {

struct ReceivedRequest {
  std::string head;  // the request line and the headers
  std::string body;
};

class WebhookReceiver {
 public:
  static constexpr const char* kHang = "hang";  // a reply that never comes

  // Each reply: a status line's rest, with headers: "204 No Content\r\nRetry-After: 1".
  explicit WebhookReceiver(std::deque<std::string> replies) : replies_(std::move(replies)) {
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
  ~WebhookReceiver() {
    stopping_ = true;
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    ::close(listening_);
  }
  WebhookReceiver(const WebhookReceiver&) = delete;
  WebhookReceiver& operator=(const WebhookReceiver&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/hook"; }
  std::vector<ReceivedRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void Serve() {
    while (!stopping_) {
      const int connection = ::accept(listening_, nullptr, nullptr);
      if (connection < 0) return;
      const timeval patience{.tv_sec = 10, .tv_usec = 0};
      ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
      Answer(connection);
      ::close(connection);
    }
  }

  void Answer(int connection) {
    std::string text;
    std::size_t length = 0;
    for (std::size_t end = std::string::npos;
         end == std::string::npos || text.size() < end + 4 + length;) {
      char bytes[4096];
      const ssize_t count = ::recv(connection, bytes, sizeof(bytes), 0);
      if (count <= 0) return;
      text.append(bytes, static_cast<std::size_t>(count));
      end = text.find("\r\n\r\n");
      const std::size_t at = text.find("Content-Length: ");
      if (at != std::string::npos && at < end) length = std::stoul(text.substr(at + 16));
    }
    const std::size_t end = text.find("\r\n\r\n");
    std::string reply;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back({text.substr(0, end), text.substr(end + 4)});
      reply = replies_.front();
      if (replies_.size() > 1) replies_.pop_front();
    }
    if (reply == kHang) {
      char byte = 0;
      static_cast<void>(::recv(connection, &byte, 1, 0));  // until the sender closes
      return;
    }
    const std::string whole =
        "HTTP/1.1 " + reply + "\r\nConnection: close\r\nContent-Length: 5\r\n\r\nreply";
    static_cast<void>(::send(connection, whole.data(), whole.size(), MSG_NOSIGNAL));
  }

  mutable std::mutex mutex_;
  std::deque<std::string> replies_;
  std::vector<ReceivedRequest> requests_;
  int listening_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace sash::testing
