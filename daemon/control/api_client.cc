#include "daemon/control/api_client.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "daemon/control/json_value.h"
#include "daemon/control/printable.h"
#include "daemon/control/transfer.h"

namespace sash {
namespace {

constexpr std::size_t kMostShown = 200;

// A parsed URL of libcurl; freed on destruction.
class ParsedUrl {
 public:
  ParsedUrl() : url_(curl_url()) {}
  ~ParsedUrl() { curl_url_cleanup(url_); }
  ParsedUrl(const ParsedUrl&) = delete;
  ParsedUrl& operator=(const ParsedUrl&) = delete;

  std::optional<std::string> Parse(const std::string& text) {
    const CURLUcode code = curl_url_set(url_, CURLUPART_URL, text.c_str(), 0);
    if (code == CURLUE_OK) return std::nullopt;
    return curl_url_strerror(code);
  }
  // Empty when the URL has no such part.
  std::string Part(CURLUPart part) const {
    char* text = nullptr;
    if (curl_url_get(url_, part, &text, 0) != CURLUE_OK) return "";
    std::string copy = text;
    curl_free(text);
    return copy;
  }

 private:
  CURLU* url_;
};

bool IsLoopbackHost(const std::string& host) {
  if (host == "localhost" || host == "[::1]") return true;
  in_addr address{};  // 127.evil.example is not an address
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 && host.starts_with("127.");
}

}  // namespace

bool IsLoopback(const std::string& url) {
  ParsedUrl parsed;
  return !parsed.Parse(url) && IsLoopbackHost(parsed.Part(CURLUPART_HOST));
}

Result<std::string> CheckedUrl(const std::string& url) {
  const auto wrong = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("`{}` is not an address of a daemon: {}; an example is "
                             "http://127.0.0.1:9640",
                             Printable(url), why)};
  };
  const std::string whole = url.find("://") == std::string::npos ? "http://" + url : url;
  ParsedUrl parsed;
  if (const auto why = parsed.Parse(whole)) return wrong(*why);
  const std::string scheme = parsed.Part(CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return wrong("it is neither http:// nor https://");
  if (!parsed.Part(CURLUPART_USER).empty() || !parsed.Part(CURLUPART_PASSWORD).empty()) {
    // The message does not repeat the URL: it may hold a secret.
    return Error{ErrorCode::kInvalidArgument,
                 "an address cannot contain a user or password: use --token-file or SASHCTL_TOKEN"};
  }
  if (!parsed.Part(CURLUPART_QUERY).empty() || !parsed.Part(CURLUPART_FRAGMENT).empty()) {
    return wrong("it has a query or a fragment");
  }
  std::string checked = parsed.Part(CURLUPART_URL);
  checked.erase(checked.find_last_not_of('/') + 1);
  return checked;
}

Status Check(const ApiSettings& settings) {
  const auto wrong = [](std::string message) {
    return Error{ErrorCode::kInvalidArgument, std::move(message)};
  };
  if (!std::ranges::all_of(settings.token, [](char c) { return c > 0x20 && c < 0x7f; })) {
    return wrong("the token contains spaces or invalid characters");
  }
  if (!settings.ca_file.empty() && !std::ifstream(settings.ca_file)) {
    return wrong(fmt::format("--ca-file: `{}` cannot be read", Printable(settings.ca_file)));
  }
  if (!settings.token.empty() && settings.url.starts_with("http:") && !IsLoopback(settings.url)) {
    return wrong(fmt::format("others on the network path to {} could read the token: use https://",
                             Printable(settings.url)));
  }
  return Ok{};
}

std::string RefusalText(const ApiAnswer& answer) {
  const Result<JsonValue> json = ReadJson(answer.body);
  if (json) {
    const JsonValue& message = json.value()["error"]["message"];
    if (message.kind == JsonValue::Kind::kText) {
      // Several wrong keys take a line each.
      std::string text;
      std::string_view rest = message.text;
      while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        text += (text.empty() ? "" : "\n") + Printable(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      }
      return text;
    }
  }
  if (!answer.redirect.empty()) {
    return fmt::format("status {}: it redirects to {}, which is not followed", answer.status,
                       CutTo(Printable(answer.redirect), kMostShown));
  }
  const std::string body = Printable(answer.body);
  return fmt::format("status {}{}{}", answer.status, body.empty() ? "" : ": ",
                     CutTo(body, kMostShown));
}

ApiClient::ApiClient(ApiSettings settings)
    : settings_(std::move(settings)), transfer_(std::make_unique<Transfer>(settings_)) {}

ApiClient::~ApiClient() = default;

Result<ApiAnswer> ApiClient::Ask(std::string_view method, std::string_view path,
                                 const std::optional<std::string>& json) {
  ApiAnswer answer;
  const auto keep = [&](std::string_view piece) {
    answer.body += piece;
    return true;
  };
  transfer_->Prepare(method, path, json, keep, false);
  Result<long> status = transfer_->Perform();
  if (!status) return std::move(status).error();
  answer.status = status.value();
  answer.redirect = transfer_->redirect();
  return answer;
}

}  // namespace sash
