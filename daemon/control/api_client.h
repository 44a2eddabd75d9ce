// ApiClient: sends requests to a daemon: one address, one token; redirects are not followed.
//
// Thread safety: none. Two clients share nothing.
// Invariants:
// (1) Any HTTP response is a result, whatever its status; an error means that there was none.
// (2) The token is sent to the daemon's address only, and never over plain HTTP to another machine.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "windows/base/result.h"

namespace sash {

struct ApiSettings {
  std::string url;      // as CheckedUrl() returns it
  std::string token;    // empty: none
  std::string ca_file;  // empty: the certificates that the system trusts

  std::chrono::seconds patience{60};  // for a response: jobs may delay a change
};

// http://HOST:PORT or https://..., with a path before /api when a proxy adds one; without a slash
// at the end. A text without :// means http. For anything else, returns an error with the reason.
Result<std::string> CheckedUrl(const std::string& url);

// Whether requests to this address stay on this machine.
bool IsLoopback(const std::string& url);

// Whether `settings` can be used at all; an error for a bad token or bad certificates.
Status Check(const ApiSettings& settings);

struct ApiAnswer {
  long status = 0;
  std::string body;
  std::string redirect{};  // the target of a redirection, which is not followed; empty: none

  bool ok() const { return status >= 200 && status < 300; }
};

// The text of a refusal: the message of the API, or else the target of a redirection or the body.
std::string RefusalText(const ApiAnswer& answer);

class Transfer;

class ApiClient {
 public:
  explicit ApiClient(ApiSettings settings);
  ~ApiClient();
  ApiClient(const ApiClient&) = delete;
  ApiClient& operator=(const ApiClient&) = delete;

  // `path` begins with a slash. `json`, if given, is the body.
  Result<ApiAnswer> Ask(std::string_view method, std::string_view path,
                        const std::optional<std::string>& json = std::nullopt);

  const ApiSettings& settings() const { return settings_; }

 private:
  ApiSettings settings_;
  std::unique_ptr<Transfer> transfer_;  // keeps the connection open
};

}  // namespace sash
