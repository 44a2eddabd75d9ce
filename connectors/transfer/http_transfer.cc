#include "connectors/transfer/http_transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

int AskWhetherToGiveUp(void* gives_up, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<std::function<bool()>*>(gives_up))() ? 1 : 0;
}

long MillisecondsOf(std::chrono::nanoseconds time) {
  return std::max<long>(std::chrono::ceil<std::chrono::milliseconds>(time).count(), 1);
}

// The header as libcurl takes it. libcurl sends nothing for "Name:", and "Name:" for "Name;".
std::string LineFor(const std::string& header) {
  const std::size_t colon = header.find(':');
  if (header.find_first_not_of(" \t", colon + 1) != std::string::npos) return header;
  return header.substr(0, colon) + ";";
}

}  // namespace

struct HttpTransfer::Parts {
  HttpTerms terms;
  std::function<bool()> gives_up{};
  CURL* curl = nullptr;
  std::array<char, CURL_ERROR_SIZE> why = {};
  std::string body{};

  static std::size_t TakeBody(char* bytes, std::size_t one, std::size_t count, void* to) {
    auto& parts = *static_cast<Parts*>(to);
    const std::size_t room = parts.terms.most_bytes - parts.body.size();
    if (one * count > room && parts.terms.refuses_longer) return 0;
    parts.body.append(bytes, std::min(room, one * count));
    return one * count;
  }
};

HttpTransfer::HttpTransfer(const HttpTerms& terms, std::function<bool()> gives_up)
    : parts_(new Parts{.terms = terms, .gives_up = std::move(gives_up)}) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  SASH_CHECK(ready == CURLE_OK);
  CURL* const curl = parts_->curl = curl_easy_init();
  SASH_CHECK(curl != nullptr);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "sashd");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, parts_->why.data());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, MillisecondsOf(terms.connect_timeout));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, MillisecondsOf(terms.timeout));
  curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Parts::TakeBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, parts_.get());
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &AskWhetherToGiveUp);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &parts_->gives_up);
  if (!terms.uses_proxies) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  if (!terms.user.empty()) {
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    curl_easy_setopt(curl, CURLOPT_USERNAME, terms.user.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, terms.password.c_str());
  }
  if (!terms.ca.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, terms.ca.c_str());
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);  // only that file
  }
  if (!terms.certificate.empty()) {
    curl_easy_setopt(curl, CURLOPT_SSLCERT, terms.certificate.c_str());
    curl_easy_setopt(curl, CURLOPT_SSLKEY, terms.key.c_str());
  }
}

HttpTransfer::~HttpTransfer() { curl_easy_cleanup(parts_->curl); }

Result<HttpTransfer::Reply> HttpTransfer::Get(const std::string& url, const Headers& headers) {
  curl_easy_setopt(parts_->curl, CURLOPT_HTTPGET, 1L);
  return Perform(url, headers);
}

Result<HttpTransfer::Reply> HttpTransfer::Post(const std::string& url, const Headers& headers,
                                               const std::string& body) {
  curl_easy_setopt(parts_->curl, CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(parts_->curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  return Perform(url, headers);
}

Result<HttpTransfer::Reply> HttpTransfer::Perform(const std::string& url, const Headers& headers) {
  CURL* const curl = parts_->curl;
  parts_->body.clear();
  parts_->why[0] = '\0';
  // Without "Expect:", a large body would first wait a second for "100 Continue".
  curl_slist* lines = curl_slist_append(nullptr, "Expect:");
  for (const std::string& header : headers) {
    lines = curl_slist_append(lines, LineFor(header).c_str());
  }
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, nullptr);
  curl_slist_free_all(lines);
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
