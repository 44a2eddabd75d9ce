#include "connectors/sinks/webhook/webhook_transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// Keeps the beginning of a reply, and reads the rest.
std::size_t TakeHookReply(char* bytes, std::size_t one, std::size_t count, void* to) {
  auto& body = *static_cast<std::string*>(to);
  const std::size_t room = WebhookTransfer::kMostReplyBytes - body.size();
  body.append(bytes, std::min(room, one * count));
  return one * count;
}

int AskWhetherHookStops(void* gives_up, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<std::function<bool()>*>(gives_up))() ? 1 : 0;
}

long MillisecondsOf(std::chrono::nanoseconds time) {
  return std::max<long>(std::chrono::ceil<std::chrono::milliseconds>(time).count(), 1);
}

}  // namespace

struct WebhookTransfer::Parts {
  CURL* curl = nullptr;
  std::array<char, CURL_ERROR_SIZE> why = {};
  std::function<bool()> gives_up;
  std::string body;
};

WebhookTransfer::WebhookTransfer(const WebhookSinkSpec& spec, std::function<bool()> gives_up)
    : spec_(spec), parts_(std::make_unique<Parts>()) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  SASH_CHECK(ready == CURLE_OK);
  parts_->gives_up = std::move(gives_up);
  CURL* const curl = parts_->curl = curl_easy_init();
  SASH_CHECK(curl != nullptr);
  curl_easy_setopt(curl, CURLOPT_URL, spec_.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "sashd");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, parts_->why.data());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, MillisecondsOf(spec_.connect_timeout));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, MillisecondsOf(spec_.timeout));
  curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &TakeHookReply);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &parts_->body);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &AskWhetherHookStops);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &parts_->gives_up);
  if (!spec_.ca.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, spec_.ca.c_str());
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);  // only that file
  }
  if (!spec_.certificate.empty()) {
    curl_easy_setopt(curl, CURLOPT_SSLCERT, spec_.certificate.c_str());
    curl_easy_setopt(curl, CURLOPT_SSLKEY, spec_.key.c_str());
  }
}

WebhookTransfer::~WebhookTransfer() { curl_easy_cleanup(parts_->curl); }

Result<WebhookTransfer::Reply> WebhookTransfer::Post(const WebhookRequest& request) {
  CURL* const curl = parts_->curl;
  parts_->body.clear();
  parts_->why[0] = '\0';
  // Without "Expect:", a large body would first wait a second for "100 Continue".
  curl_slist* headers = curl_slist_append(nullptr, "Expect:");
  for (const std::string& header : request.headers) {
    headers = curl_slist_append(headers, header.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, nullptr);
  curl_slist_free_all(headers);
  if (code != CURLE_OK) {
    const char* const why = parts_->why[0] != '\0' ? parts_->why.data() : curl_easy_strerror(code);
    return Error{ErrorCode::kUnavailable, why};
  }
  Reply reply;
  curl_off_t seconds = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
  curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
  reply.retry_after = std::chrono::seconds(seconds);
  reply.body = std::move(parts_->body);
  return reply;
}

}  // namespace sash
