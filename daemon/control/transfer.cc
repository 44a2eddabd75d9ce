#include "daemon/control/transfer.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

#include "daemon/control/printable.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr long kConnectSeconds = 10;
constexpr long kSilenceSeconds = 45;  // a stream of events sends something every 15

void Initialise() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  SASH_CHECK(code == CURLE_OK);
}

}  // namespace

struct Transfer::Parts {
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;
  std::array<char, CURL_ERROR_SIZE> why = {};
  Body body;
};

namespace {

std::size_t TakeBody(char* bytes, std::size_t one, std::size_t count, void* body) {
  const bool more = (*static_cast<Transfer::Body*>(body))({bytes, one * count});
  return more ? one * count : 0;
}

}  // namespace

Transfer::Transfer(const ApiSettings& settings)
    : settings_(settings), parts_(std::make_unique<Parts>()) {
  Initialise();
  parts_->curl = curl_easy_init();
  SASH_CHECK(parts_->curl != nullptr);
}

Transfer::~Transfer() {
  curl_easy_cleanup(parts_->curl);
  curl_slist_free_all(parts_->headers);
}

void* Transfer::handle() const { return parts_->curl; }

void Transfer::Prepare(std::string_view method, std::string_view path,
                       const std::optional<std::string>& json, Body body, bool endless) {
  CURL* const curl = parts_->curl;
  parts_->body = std::move(body);
  curl_easy_reset(curl);  // keeps the connection
  curl_slist_free_all(std::exchange(parts_->headers, nullptr));
  const auto header = [&](const std::string& line) {
    parts_->headers = curl_slist_append(parts_->headers, line.c_str());
  };
  if (!settings_.token.empty()) header("Authorization: Bearer " + settings_.token);
  if (endless) header("Accept: text/event-stream");
  header("Expect:");
  curl_easy_setopt(curl, CURLOPT_URL, (settings_.url + std::string(path)).c_str());
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "sashctl/" SASH_VERSION);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, parts_->why.data());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &TakeBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &parts_->body);
  if (!settings_.ca_file.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, settings_.ca_file.c_str());
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);  // only that file
  }
  if (IsLoopback(settings_.url)) curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  if (endless) {
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kSilenceSeconds);
  } else {
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, static_cast<long>(settings_.patience.count()));
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
  }
  if (method != "GET") {
    header("Content-Type: application/json");
    // Sets an empty body too, so that its length is sent.
    const std::string content = json.value_or("");
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(content.size()));
    curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, content.c_str());
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, std::string(method).c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, parts_->headers);
}

Result<long> Transfer::Perform() {
  parts_->why[0] = '\0';
  const CURLcode code = curl_easy_perform(parts_->curl);
  if (code != CURLE_OK) return Failure(code);
  return status();
}

long Transfer::status() const {
  long status = 0;
  curl_easy_getinfo(parts_->curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

std::string Transfer::redirect() const {
  const char* target = nullptr;
  curl_easy_getinfo(parts_->curl, CURLINFO_REDIRECT_URL, &target);
  return target != nullptr ? target : "";
}

Error Transfer::Failure(int code) const {
  std::string why = parts_->why[0] != '\0'
                        ? Printable(parts_->why.data())
                        : std::string(curl_easy_strerror(static_cast<CURLcode>(code)));
  long number = 0;
  curl_easy_getinfo(parts_->curl, CURLINFO_OS_ERRNO, &number);
  const bool https = settings_.url.starts_with("https:");
  std::string_view what = "cannot connect to";
  switch (code) {
    case CURLE_COULDNT_CONNECT:
      if (number != 0) why = std::strerror(static_cast<int>(number));
      why += "; does sashd run there? (--url or SASHCTL_URL says where)";
      break;
    case CURLE_PEER_FAILED_VERIFICATION:
      why += "; --ca-file names the certificates to trust";
      break;
    case CURLE_SSL_CONNECT_ERROR:
      why += "; is it plain http://?";
      break;
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
      what = "no answer from";
      if (!https) why += "; is it https://?";
      break;
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
      what = "no answer from";
      break;
    default:
      break;
  }
  return {ErrorCode::kUnavailable, fmt::format("{} {}: {}", what, settings_.url, why)};
}

}  // namespace sash
