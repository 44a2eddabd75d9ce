// HttpClient: one connection to a server on loopback, as bare as a socket.
//
// Thread safety: none. Every read gives up after kPatience, so that a test fails instead of
// hanging.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace sash {

struct HttpReply {
  int status = 0;                              // 0: the connection ended without a response
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class HttpClient {
 public:
  static constexpr std::chrono::seconds kPatience{20};

  explicit HttpClient(std::uint16_t port);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  bool connected() const { return descriptor_ >= 0; }
  void Send(std::string_view bytes);  // ignores a peer that has gone

  // With `head_only`, a body is announced but does not come.
  HttpReply Read(bool head_only = false);
  // `headers`: whole lines, each with its end.
  HttpReply Request(std::string_view method, std::string_view target,
                    std::string_view headers = "");

  // With a body; JSON, unless `headers` say something else.
  HttpReply Post(std::string_view target, std::string_view body,
                 std::string_view headers = "Content-Type: application/json\r\n",
                 std::string_view method = "POST");

  // Reads until `text` has come, or the end. Returns what was sent up to the end of `text`.
  std::string AwaitText(std::string_view text);

  // Waits until the server ends the connection; false when it does not.
  bool AwaitEnd();

 private:
  bool Fill();  // false at the end of the connection

  int descriptor_ = -1;
  std::string received_;
};

// One request on a connection of its own.
HttpReply Get(std::uint16_t port, std::string_view target);

}  // namespace sash
