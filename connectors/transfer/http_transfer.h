// HttpTransfer: requests to a server over HTTP or HTTPS, one after the other. TLS is 1.2 or newer,
// and redirects are not followed.
//
// Thread safety: belongs to one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "windows/base/result.h"

namespace sash {

struct HttpTerms {
  std::chrono::nanoseconds connect_timeout{};
  std::chrono::nanoseconds timeout{};  // of a whole request
  std::string ca{};           // PEM file of the certificates that are trusted; empty: the system's
  std::string certificate{};  // PEM file of the client; empty: none
  std::string key{};          // PEM file of its private key
  std::string user{};         // empty: none
  std::string password{};
  bool uses_proxies = false;    // those of the environment
  std::size_t most_bytes = 0;   // of the body of a reply
  bool refuses_longer = false;  // a longer body is an error; otherwise its rest is not kept
};

class HttpTransfer {
 public:
  struct Reply {
    long status = 0;
    std::string body{};
    std::chrono::seconds retry_after{0};  // as the server asks; 0: it does not
  };
  using Headers = std::vector<std::string>;  // "Accept: application/json"; the value may be empty

  // `gives_up`: called at least once a second; when it returns true, the request fails.
  HttpTransfer(const HttpTerms& terms, std::function<bool()> gives_up);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  // kUnavailable: there is no reply; the message says why.
  Result<Reply> Get(const std::string& url, const Headers& headers);
  Result<Reply> Post(const std::string& url, const Headers& headers, const std::string& body);

 private:
  struct Parts;
  Result<Reply> Perform(const std::string& url, const Headers& headers);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace sash
