// ApiClient: asks a daemon. Requests go to one place, with one token; no redirection is followed.
//
// Thread safety: none. Two clients share nothing.
// Invariants:
// (1) An answer is what the daemon said, whatever its status; an error means that it said nothing.
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

  std::chrono::seconds patience{60};  // for an answer: jobs may hold what changes something
};

// http://HOST:PORT or https://..., with a path before /api when a proxy adds one; without the
// slash at the end. A text without :// means http. Fails, saying why, for anything else.
Result<std::string> CheckedUrl(const std::string& url);

// Whether what goes there stays on this machine.
bool IsLoopback(const std::string& url);

// Whether `settings` can be used at all: what is wrong with token and certificates.
Status Check(const ApiSettings& settings);

struct ApiAnswer {
  long status = 0;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

// What a refusal says: the message of the API, or what else came.
std::string RefusalText(const ApiAnswer& answer);

// For a segment of a path, or a value of a query.
std::string PercentEncoded(std::string_view text);

class Transfer;

class ApiClient {
 public:
  explicit ApiClient(ApiSettings settings);
  ~ApiClient();
  ApiClient(const ApiClient&) = delete;
  ApiClient& operator=(const ApiClient&) = delete;

  // `path` begins with a slash. With `json` as the body.
  Result<ApiAnswer> Ask(std::string_view method, std::string_view path,
                        const std::optional<std::string>& json = std::nullopt);

  const ApiSettings& settings() const { return settings_; }

 private:
  ApiSettings settings_;
  std::unique_ptr<Transfer> transfer_;  // its connection is used again
};

}  // namespace sash
