#include "daemon/http/access.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "connectors/sinks/json_text.h"
#include "daemon/http/listening_socket.h"

namespace sash {
namespace {

constexpr std::string_view kBearer = "bearer ";
constexpr std::string_view kBasic = "basic ";

std::string_view HeaderOf(const HttpRequest& request, std::string_view name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string_view() : std::string_view(found->second);
}

bool StartsWithoutCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[i])) != lower[i]) return false;
  }
  return true;
}

// Takes the same time for all `given` of the same length.
bool IsSame(std::string_view given, std::string_view token) {
  std::uint8_t differs = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    differs |= static_cast<std::uint8_t>(given[i] ^ token[i % token.size()]);
  }
  return differs == 0;
}

// The token that the request carries: a bearer token, or the password of any user name, because
// that is what browsers ask for. Empty: no token.
std::string GivenToken(const HttpRequest& request) {
  std::string_view given = HeaderOf(request, "authorization");
  if (StartsWithoutCase(given, kBearer)) return std::string(given.substr(kBearer.size()));
  if (!StartsWithoutCase(given, kBasic)) return {};
  std::string encoded(given.substr(kBasic.size()));
  while (encoded.size() % 4 != 0) encoded += '=';  // some clients omit the padding
  const std::optional<std::string> pair = FromBase64(encoded);
  const std::size_t colon = pair ? pair->find(':') : std::string::npos;
  return colon == std::string::npos ? std::string() : pair->substr(colon + 1);
}

// A browser shows its own password dialog when Basic has a header line of its own. Requests by
// scripts of a page do not get that line: the console asks for the token itself.
HttpResponse Unauthorised(const HttpRequest& request, std::string_view why) {
  HttpResponse refusal = ErrorResponse(401, "unauthorised", why);
  refusal.headers = {{"WWW-Authenticate", R"(Bearer realm="sash")"}};
  if (HeaderOf(request, "sec-fetch-dest") != "empty") {
    refusal.headers.emplace_back("WWW-Authenticate", R"(Basic realm="sash")");
  }
  return refusal;
}

// The host without the port: of "localhost:9640" or "[::1]:9640".
std::string_view HostName(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return end == std::string_view::npos ? host : host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

// Judged by the Host header. A request without a Host header does not come from a browser.
bool IsToThisMachine(const HttpRequest& request) {
  const std::string_view host = HeaderOf(request, "host");
  if (host.empty()) return true;
  const std::string name(HostName(host));
  return name == "localhost" || IsLoopbackAddress(name);
}

// True unless a page from another host sends the request.
bool IsOfOwnPage(const HttpRequest& request) {
  const std::string_view site = HeaderOf(request, "sec-fetch-site");
  if (site == "cross-site" || site == "same-site") return false;
  const auto origin = request.headers.find("origin");
  if (origin == request.headers.end()) return true;
  const std::size_t scheme = origin->second.find("://");
  if (scheme == std::string::npos) return false;  // "null"
  return std::string_view(origin->second).substr(scheme + 3) == HeaderOf(request, "host");
}

// Needs the token for everything, whatever the method: debug requests show the inside of the
// process and cost it time.
bool IsDebug(const HttpRequest& request) {
  return request.path.size() >= 3 && request.path[0] == "api" && request.path[2] == "debug";
}

// Needs the token for everything, whatever the method: a request for work takes the work from the
// other workers.
bool IsWork(const HttpRequest& request) {
  return request.path.size() >= 5 && request.path[0] == "api" && request.path[2] == "jobs" &&
         request.path[4] == "work";
}

// The leases of a window are for readers; the id of a lease is known to its reader alone.
bool IsLease(const HttpRequest& request) {
  return request.path.size() >= 5 && request.path[0] == "api" && request.path[2] == "windows" &&
         request.path[4] == "leases";
}

}  // namespace

HttpResponse Access::RefuseToken(const HttpRequest& request, std::string_view why,
                                 std::atomic<std::uint64_t>& count) {
  ++count;
  if (on_failed_token_) on_failed_token_(request.client, why);
  return Unauthorised(request, why);
}

std::optional<HttpResponse> Access::CheckToken(const HttpRequest& request, bool admin_only) {
  const std::string given = GivenToken(request);
  if (given.empty()) {
    return RefuseToken(request, "a token is needed: Authorization: Bearer <token>", missing_);
  }
  const bool admin = IsSame(given, tokens_->admin);
  const bool read = IsSame(given, tokens_->read);
  if (!admin && !read) return RefuseToken(request, "the token is not the right one", wrong_);
  if (admin_only && !admin) {
    return ErrorResponse(
        403, "forbidden",
        "the token is for reading; changes, debug and work need http.tokens.admin");
  }
  return std::nullopt;
}

std::optional<HttpResponse> Access::AdmitToOpen(const HttpRequest& request) {
  if (!IsLoopbackAddress(request.client)) {
    if (const auto wait = rates_.Take(request.client, clock_.Steady())) {
      HttpResponse refusal = ErrorResponse(
          429, "too_many_requests",
          fmt::format("at most {} requests a second from one address", ClientRates::kPerSecond));
      refusal.headers = {{"Retry-After", std::to_string(wait->count())}};
      return refusal;
    }
  }
  return std::nullopt;
}

std::optional<HttpResponse> Access::Admit(const HttpRequest& request) {
  if (auto refusal = AdmitToOpen(request)) return refusal;
  const bool changes = request.method != "GET" && request.method != "HEAD";
  const bool acts = changes || IsDebug(request) || IsWork(request);
  const bool admin_only = acts && !IsLease(request);
  if (tokens_) {
    if (auto refusal = CheckToken(request, admin_only)) return refusal;
  } else if (!IsToThisMachine(request)) {
    return ErrorResponse(403, "forbidden",
                         fmt::format("without http.tokens, requests must be sent to a loopback "
                                     "address or localhost, not to '{}'",
                                     HeaderOf(request, "host")));
  }
  if (acts && !IsOfOwnPage(request)) {
    return ErrorResponse(403, "forbidden",
                         "requests from a page of another origin are not allowed");
  }
  return std::nullopt;
}

}  // namespace sash
