#include "tests/daemon/http/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace sash {

HttpClient::HttpClient(std::uint16_t port) {
  descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{.tv_sec = kPatience.count(), .tv_usec = 0};
  (void)setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    close(descriptor_);
    descriptor_ = -1;
  }
}

HttpClient::~HttpClient() {
  if (descriptor_ >= 0) close(descriptor_);
}

void HttpClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool HttpClient::Fill() {
  std::array<char, 4096> bytes;
  const ssize_t read = recv(descriptor_, bytes.data(), bytes.size(), 0);
  if (read <= 0) return false;
  received_.append(bytes.data(), static_cast<std::size_t>(read));
  return true;
}

HttpReply HttpClient::Read(bool head_only) {
  HttpReply reply;
  std::size_t end = std::string::npos;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) return reply;
  }
  std::string head = received_.substr(0, end + 2);
  received_.erase(0, end + 4);
  const std::size_t first = head.find("\r\n");
  reply.status = std::stoi(head.substr(head.find(' ') + 1, 3));
  head.erase(0, first + 2);
  while (!head.empty()) {
    const std::size_t colon = head.find(": ");
    const std::size_t line = head.find("\r\n");
    std::string name = head.substr(0, colon);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    reply.headers[name] = head.substr(colon + 2, line - colon - 2);
    head.erase(0, line + 2);
  }
  const std::size_t length =
      head_only || reply.status == 304 || reply.status == 204
          ? 0
          : static_cast<std::size_t>(std::stoul(reply.headers["content-length"]));
  while (received_.size() < length && Fill()) {
  }
  reply.body = received_.substr(0, length);
  received_.erase(0, length);
  return reply;
}

HttpReply HttpClient::Post(std::string_view target, std::string_view body, std::string_view headers,
                           std::string_view method) {
  Send(std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n" +
       "Content-Length: " + std::to_string(body.size()) + "\r\n" + std::string(headers) + "\r\n" +
       std::string(body));
  return Read();
}

HttpReply HttpClient::Request(std::string_view method, std::string_view target,
                              std::string_view headers) {
  Send(std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n" +
       std::string(headers) + "\r\n");
  return Read(method == "HEAD");
}

std::string HttpClient::AwaitText(std::string_view text) {
  std::size_t found = std::string::npos;
  while ((found = received_.find(text)) == std::string::npos && Fill()) {
  }
  std::string sent = received_.substr(0, found == std::string::npos ? found : found + text.size());
  received_.erase(0, sent.size());
  return sent;
}

bool HttpClient::AwaitEnd() {
  std::array<char, 4096> bytes;
  for (;;) {
    const ssize_t read = recv(descriptor_, bytes.data(), bytes.size(), 0);
    if (read == 0) return true;
    if (read < 0) return errno == ECONNRESET;
  }
}

HttpReply Get(std::uint16_t port, std::string_view target) {
  return HttpClient(port).Request("GET", target);
}

}  // namespace sash
