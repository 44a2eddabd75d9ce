// HttpClient: one connection to a server on loopback, a thin layer over a socket.
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
  void Send(std::string_view bytes);  // ignores a closed peer

  // With `head_only`, the answer announces a body but has none.
  HttpReply Read(bool head_only = false);
  // `headers`: complete lines with line ends.
  HttpReply Request(std::string_view method, std::string_view target,
                    std::string_view headers = "");

  // Sends a body: JSON, unless `headers` say otherwise.
  HttpReply Post(std::string_view target, std::string_view body,
                 std::string_view headers = "Content-Type: application/json\r\n",
                 std::string_view method = "POST");

  // Reads until `text` or the end. Returns everything up to the end of `text`.
  std::string AwaitText(std::string_view text);

  // Waits until the server closes the connection; false if it does not.
  bool AwaitEnd();

 private:
  bool Fill();  // false at the end of the connection

  int descriptor_ = -1;
  std::string received_;
};

// One request on its own connection.
HttpReply Get(std::uint16_t port, std::string_view target);

}  // namespace sash
