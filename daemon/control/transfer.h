// Transfer: sends requests one after the other over one connection of libcurl, with these settings.
//
// Thread safety: none.
// Invariants:
// (1) Redirections are not followed, and paths are sent as they are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/control/api_client.h"

namespace sash {

class Transfer {
 public:
  explicit Transfer(const ApiSettings& settings);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // Receives chunks of the body as they arrive; returning false ends the transfer.
  using Body = std::function<bool(std::string_view)>;

  // `endless`: a stream that has no end but is never silent for long.
  void Prepare(std::string_view method, std::string_view path,
               const std::optional<std::string>& json, Body body, bool endless);

  // The status of the response, or why there is none.
  Result<long> Perform();

  // For a transfer that the caller drives: the CURL* and the meaning of its final CURLcode.
  void* handle() const;
  long status() const;
  std::string redirect() const;  // see ApiAnswer
  Error Failure(int code) const;

 private:
  struct Parts;

  const ApiSettings settings_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sash
