// Access: decides whether a request is allowed, before its route is looked up.
//
// With tokens, every request needs one. Without tokens, every client that reaches the server may
// send any request; the server then listens on a loopback address only. Web pages in a browser on
// this machine can reach that address too, so two rules apply. A request that changes something,
// inspects the process (/api/v1/debug) or takes work must come from a page of this server, or not
// from a page at all. Without tokens, every request must name this machine in its Host header,
// because a page can make its own host name resolve to the loopback address (DNS rebinding).
//
// Thread safety: failed_tokens() may be called from any thread; all other members belong to the
// server's thread.
//
// Invariants
//   (1) The time to compare a token does not depend on the position of its first wrong character.
//   (2) Answers and messages never contain a token.
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
  // For GET and HEAD, except /api/v1/debug and the work of external jobs; and for the leases of
  // windows, with every method.
  std::string read;
  std::string admin;  // for everything
};

// Requests refused because of their token, since the start.
struct FailedTokens {
  std::uint64_t missing = 0;
  std::uint64_t wrong = 0;
};

class Access {
 public:
  // Without tokens, every request from this machine is allowed.
  Access(std::optional<AccessTokens> tokens, const Clock& clock)
      : tokens_(std::move(tokens)), clock_(clock) {}

  // The refusal of a request; empty if the request is allowed.
  std::optional<HttpResponse> Admit(const HttpRequest& request);

  // Whether an admitted request carried a valid token. With tokens, every admitted request did.
  bool HasToken() const { return tokens_.has_value(); }

  // `call` gets the client and the reason, for each request that is refused because of its token.
  void OnFailedToken(std::function<void(const std::string& client, std::string_view what)> call) {
    on_failed_token_ = std::move(call);
  }
  FailedTokens failed_tokens() const { return {missing_, wrong_}; }

  // Checks the rate limit only: for paths that are open to every client, under any host name.
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
