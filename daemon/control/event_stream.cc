#include "daemon/control/event_stream.h"

#include <curl/curl.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "daemon/control/transfer.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::size_t kLongestEvent = 256U << 20;  // a result may list a million vertices

}  // namespace

struct EventStream::Parts {
  Parts(const ApiSettings& settings, std::string of)
      : path(std::move(of)), transfer(settings), multi(curl_multi_init()) {
    SASH_CHECK(multi != nullptr);
  }
  ~Parts() {
    Leave();
    curl_multi_cleanup(multi);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void Leave() {
    if (std::exchange(joined, false)) curl_multi_remove_handle(multi, transfer.handle());
  }

  bool Take(std::string_view bytes) {
    if (transfer.status() != 200) {
      answer.body += bytes;
      return true;
    }
    state = State::kOpen;
    std::ranges::move(parser.Feed(bytes), std::back_inserter(events));
    return parser.held_bytes() <= kLongestEvent;
  }

  void End(int code) {
    Leave();
    answer.status = transfer.status();
    if (code == CURLE_OK && answer.status != 200) {
      state = State::kRefused;
      return;
    }
    state = State::kLost;
    why = code == CURLE_OK ? "the stream of events has ended" : transfer.Failure(code).message;
  }

  const std::string path;
  Transfer transfer;
  CURLM* const multi;
  bool joined = false;
  State state = State::kConnecting;
  std::string why;
  ApiAnswer answer;
  EventParser parser;
  std::vector<ApiEvent> events;
};

EventStream::EventStream(const ApiSettings& settings, std::string path)
    : parts_(std::make_unique<Parts>(settings, std::move(path))) {
  Connect();
}

EventStream::~EventStream() = default;

void EventStream::Connect() {
  Parts& parts = *parts_;
  parts.Leave();
  parts.state = State::kConnecting;
  parts.why.clear();
  parts.answer = {};
  parts.parser = {};
  parts.transfer.Prepare(
      "GET", parts.path, std::nullopt,
      [&parts](std::string_view bytes) { return parts.Take(bytes); }, true);
  parts.joined = curl_multi_add_handle(parts.multi, parts.transfer.handle()) == CURLM_OK;
  SASH_CHECK(parts.joined);
}

std::vector<ApiEvent> EventStream::Wait(std::span<const int> also,
                                        std::chrono::milliseconds patience) {
  Parts& parts = *parts_;
  std::vector<curl_waitfd> descriptors;
  for (const int descriptor : also) descriptors.push_back({descriptor, CURL_WAIT_POLLIN, 0});
  const State before = parts.state;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    int running = 0;
    curl_multi_perform(parts.multi, &running);
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(parts.multi, &left)) {
      if (message->msg == CURLMSG_DONE) {
        const CURLcode code = message->data.result;  // invalid after the handle is removed
        parts.End(code);
      }
    }
    const auto now = std::chrono::steady_clock::now();
    if (!parts.events.empty() || parts.state != before || now >= deadline) break;
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(deadline - now);
    int ready = 0;
    curl_multi_poll(parts.multi, descriptors.data(), static_cast<unsigned>(descriptors.size()),
                    static_cast<int>(rest.count()), &ready);
    if (std::ranges::any_of(descriptors,
                            [](const curl_waitfd& each) { return each.revents != 0; })) {
      break;
    }
  }
  return std::exchange(parts.events, {});
}

EventStream::State EventStream::state() const { return parts_->state; }

const std::string& EventStream::why() const { return parts_->why; }

const ApiAnswer& EventStream::answer() const { return parts_->answer; }

}  // namespace sash
