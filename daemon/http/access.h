// Access: who may ask for what, before any route is looked at.
//
// Without tokens everybody who reaches the server may ask for everything; it listens on a loopback
// address then. A page in a browser of the machine reaches it, too: what changes something, or
// looks into the process (/api/v1/debug), must come from a page of the server's own, or from no
// page, and whatever is asked must be asked by a name of this machine, since a page may have had
// its own name point to it. With tokens every request needs one.
//
// Thread safety: failed_tokens() may be called from any thread, the rest belongs to the server's.
//
// Invariants
//   (1) How long a token is compared does not depend on where it is wrong.
//   (2) No answer and no message holds a token.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/http/client_rates.h"
#include "daemon/http/http_message.h"
#include "windows/base/clock.h"

namespace sash {

struct AccessTokens {
  std::string read;   // for GET and HEAD, but of /api/v1/debug
  std::string admin;  // for everything
};

// Requests that were refused for their token, since the start.
struct FailedTokens {
  std::uint64_t missing = 0;
  std::uint64_t wrong = 0;
};

class Access {
 public:
  // Without tokens everything is allowed that comes from this machine.
  Access(std::optional<AccessTokens> tokens, const Clock& clock)
      : tokens_(std::move(tokens)), clock_(clock) {}

  // Why a request is refused; nothing: it is not.
  std::optional<HttpResponse> Admit(const HttpRequest& request);

  // Whether an admitted request carried a right token: so it is with tokens.
  bool HasToken() const { return tokens_.has_value(); }

  // `call`: with the client and what is the matter, for each request that is refused for its token.
  void OnFailedToken(std::function<void(const std::string& client, std::string_view what)> call) {
    on_failed_token_ = std::move(call);
  }
  FailedTokens failed_tokens() const { return {missing_, wrong_}; }

  // The same, for what is open to everybody, by whatever name.
  std::optional<HttpResponse> AdmitToOpen(const HttpRequest& request);

 private:
  std::optional<HttpResponse> CheckToken(const HttpRequest& request, bool admin_only);
  HttpResponse RefuseToken(const HttpRequest& request, std::string_view why,
                           std::atomic<std::uint64_t>& count);

  const std::optional<AccessTokens> tokens_;
  const Clock& clock_;
  ClientRates rates_;
  std::function<void(const std::string&, std::string_view)> on_failed_token_{};
  std::atomic<std::uint64_t> missing_ = 0;
  std::atomic<std::uint64_t> wrong_ = 0;
};

}  // namespace sash
