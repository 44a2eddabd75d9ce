#include "connectors/codec/registry/registry_transfer.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <array>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

constexpr long kRegistryConnectMs = 5000;
constexpr long kRegistryAnswerMs = 15000;

std::size_t TakeReply(char* bytes, std::size_t one, std::size_t count, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + one * count > RegistryTransfer::kMostBytes) return 0;
  body.append(bytes, one * count);
  return one * count;
}

int AskWhetherToGiveUp(void* gives_up, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<std::function<bool()>*>(gives_up))() ? 1 : 0;
}

}  // namespace

struct RegistryTransfer::Parts {
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;
  std::array<char, CURL_ERROR_SIZE> why = {};
  std::function<bool()> gives_up;
  std::string body;
};

RegistryTransfer::RegistryTransfer(const RegistrySpec& spec, std::function<bool()> gives_up)
    : spec_(spec), parts_(std::make_unique<Parts>()) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  SASH_CHECK(ready == CURLE_OK);
  parts_->gives_up = std::move(gives_up);
  CURL* const curl = parts_->curl = curl_easy_init();
  SASH_CHECK(curl != nullptr);
  parts_->headers = curl_slist_append(
      nullptr, "Accept: application/vnd.schemaregistry.v1+json, application/json");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, parts_->headers);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "sashd");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, parts_->why.data());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, kRegistryConnectMs);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, kRegistryAnswerMs);
  curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &TakeReply);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &parts_->body);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &AskWhetherToGiveUp);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &parts_->gives_up);
  if (!spec_.user.empty()) {
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    curl_easy_setopt(curl, CURLOPT_USERNAME, spec_.user.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, spec_.password.text.c_str());
  }
  if (!spec_.ca.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, spec_.ca.c_str());
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);  // only that file
  }
  if (!spec_.certificate.empty()) {
    curl_easy_setopt(curl, CURLOPT_SSLCERT, spec_.certificate.c_str());
    curl_easy_setopt(curl, CURLOPT_SSLKEY, spec_.key.c_str());
  }
}

RegistryTransfer::~RegistryTransfer() {
  curl_easy_cleanup(parts_->curl);
  curl_slist_free_all(parts_->headers);
}

Result<RegistryTransfer::Reply> RegistryTransfer::Get(const std::string& path) {
  CURL* const curl = parts_->curl;
  parts_->body.clear();
  parts_->why[0] = '\0';
  curl_easy_setopt(curl, CURLOPT_URL, (spec_.url + path).c_str());
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) {
    const char* const why = parts_->why[0] != '\0' ? parts_->why.data() : curl_easy_strerror(code);
    return Error{ErrorCode::kUnavailable, fmt::format("cannot be asked ({})", why)};
  }
  Reply reply;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
  reply.body = std::move(parts_->body);
  return reply;
}

}  // namespace sash
