// Claims about HTTP: every request is answered with a documented status, never with 500; errors are
// JSON with a message; no header breaks out of its line; only the right token gives access, and no
// response contains a token; the link to the next page leads there; a decoded target can be encoded
// again.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "daemon/http/access.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/negotiation.h"
#include "daemon/http/request_target.h"
#include "tests/fuzz/changed_daemon.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

using Json = nlohmann::json;

constexpr const char* kReadToken = "read-0123456789abcdef";
constexpr const char* kAdminToken = "admin-0123456789abcdef";

struct Api {
  ChangedDaemon daemon;
  RouteTable routes = MakeApiRoutes(daemon.surroundings());
  HttpHandler handle =
      Negotiated([this](const HttpRequest& request) { return routes.Handle(request); });
};

struct Asked {
  std::string target;
  std::string body;
  HttpRequest request;
};

// "METHOD target", "name: value" line by line, an empty line and the body.
Asked ReadRequest(Choices& choices) {
  Asked asked;
  const std::string_view first = choices.Line();
  const std::size_t space = first.find(' ');
  asked.request.method = first.substr(0, space);
  if (space != std::string_view::npos) asked.target = first.substr(space + 1);
  while (!choices.rest().empty()) {
    const std::string_view line = choices.Line();
    if (line.empty()) break;
    const std::size_t colon = std::min(line.find(": "), line.size());
    std::string name(line.substr(0, colon));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    asked.request.headers.emplace(std::move(name), line.substr(std::min(colon + 2, line.size())));
  }
  asked.body = choices.rest();
  asked.request.has_body = !asked.body.empty();
  return asked;
}

// Percent-encodes every byte.
std::string Encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) encoded += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  return encoded;
}

void CheckTarget(const RequestTarget& target) {
  std::string text;
  for (const std::string& segment : target.path) text += "/" + Encoded(segment);
  char separator = '?';
  for (const auto& [name, value] : target.query) {
    text += separator + Encoded(name) + "=" + Encoded(value);
    separator = '&';
  }
  const Result<RequestTarget> again = ParseTarget(text);
  SASH_CHECK(again && again.value().path == target.path && again.value().query == target.query);
}

std::string Unzipped(const std::string& body) {
  z_stream stream{};
  SASH_CHECK(inflateInit2(&stream, 15 + 16) == Z_OK);
  std::string text(1 << 22, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  SASH_CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

const std::string* HeaderOf(const HttpResponse& answer, std::string_view name) {
  for (const auto& [each, value] : answer.headers) {
    if (each == name) return &value;
  }
  return nullptr;
}

void CheckAnswer(const HttpResponse& answer) {
  static const std::set<int> kStatuses = {200, 201, 204, 304, 400, 401, 403, 404,
                                          405, 409, 413, 415, 422, 429, 503};
  if (!kStatuses.contains(answer.status)) std::fprintf(stderr, "%s\n", answer.body.c_str());
  SASH_CHECK(kStatuses.contains(answer.status));
  for (const auto& [name, value] : answer.headers) {
    for (const std::string_view text : {std::string_view(name), std::string_view(value)}) {
      SASH_CHECK(std::ranges::none_of(text, [](unsigned char c) { return c < 32 || c == 127; }));
    }
  }
  const bool zipped = HeaderOf(answer, "Content-Encoding") != nullptr;
  const std::string body = zipped ? Unzipped(answer.body) : answer.body;
  if (answer.stream || answer.status == 204 || answer.status == 304) {
    SASH_CHECK(body.empty());
  } else if (answer.content_type == kJsonContent) {
    const Json json = Json::parse(body, nullptr, false);
    SASH_CHECK(!json.is_discarded());
    if (answer.status >= 400 && json.contains("error")) {
      SASH_CHECK(!json["error"]["code"].get<std::string>().empty());
      SASH_CHECK(!json["error"]["message"].get<std::string>().empty());
    } else {
      SASH_CHECK(answer.status < 400 || answer.status == 503);  // /readyz
    }
  }
}

void FollowLink(const Api& api, const HttpResponse& answer) {
  const std::string* const link = HeaderOf(answer, "Link");
  if (link == nullptr) return;
  SASH_CHECK(link->starts_with('<') && link->ends_with(">; rel=\"next\""));
  Result<RequestTarget> next = ParseTarget(link->substr(1, link->find('>') - 1));
  SASH_CHECK(next);
  const HttpResponse page = api.handle({.method = "GET",
                                        .path = std::move(next.value().path),
                                        .query = std::move(next.value().query)});
  SASH_CHECK(page.status == 200);
}

// A request that is admitted has the right token.
void CheckToken(const HttpRequest& request) {
  const auto given = request.headers.find("authorization");
  SASH_CHECK(given != request.headers.end());
  const std::string& text = given->second;
  const std::string token = text.substr(std::min(text.find(' ') + 1, text.size()));
  if (std::tolower(static_cast<unsigned char>(text[1])) == 'a') return;  // Basic: Base64
  const bool changes = request.method != "GET" && request.method != "HEAD";
  SASH_CHECK(token == kAdminToken || (token == kReadToken && !changes));
}

// Makes the response like the server.
HttpResponse Answer(const Api& api, Access& access, bool has_tokens, Asked& asked) {
  Result<RequestTarget> target = ParseTarget(asked.target);
  if (!target) return BadRequest(target.error().message);
  CheckTarget(target.value());
  asked.request.path = std::move(target.value().path);
  asked.request.query = std::move(target.value().query);
  if (auto refusal = access.Admit(asked.request)) return *std::move(refusal);
  if (has_tokens) CheckToken(asked.request);
  if (api.routes.TakesBody(asked.request)) asked.request.body = asked.body;
  HttpResponse answer = api.handle(asked.request);
  if (answer.pending) answer = answer.pending->Take().value();
  if (answer.stream) SASH_CHECK(answer.stream->Next().has_value());
  return answer;
}

}  // namespace

void HttpRequests(std::string_view input) {
  static const Api api;
  static const SystemClock clock;
  Choices choices(input);
  const bool has_tokens = choices.Below(2) == 1;
  const char* const clients[] = {"127.0.0.1", "::1", "192.0.2.7"};
  const char* const client = clients[choices.Below(3)];
  Asked asked = ReadRequest(choices);
  asked.request.client = client;
  std::optional<AccessTokens> tokens;
  if (has_tokens) tokens = AccessTokens{kReadToken, kAdminToken};
  Access access(tokens, clock);

  const HttpResponse answer = Answer(api, access, has_tokens, asked);
  CheckAnswer(answer);
  FollowLink(api, answer);
  for (const std::string_view token : {kReadToken, kAdminToken}) {
    // A JSON escape may end in the token's first letter: "\r", followed by the rest of the request.
    SASH_CHECK(input.find(token.substr(1)) != std::string_view::npos ||
               answer.body.find(token) == std::string::npos);
  }
}

}  // namespace sash::fuzz
