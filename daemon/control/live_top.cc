#include "daemon/control/live_top.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/control/event_stream.h"
#include "daemon/control/invocation.h"
#include "daemon/control/json_value.h"
#include "daemon/control/terminal.h"
#include "daemon/control/top_screen.h"
#include "windows/base/percent.h"

namespace sash {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenDrawings{100};
constexpr std::chrono::milliseconds kBetweenAttempts{1000};
constexpr std::chrono::milliseconds kTopPatience{60'000};
constexpr std::chrono::seconds kAnswerPatience{5};  // keys are not read meanwhile

class LiveTop {
 public:
  LiveTop(const ApiSettings& settings, const std::string& job, std::size_t rows)
      : client_(settings), rows_(rows), stream_(settings) {
    state_.job = job;
  }

  LiveEnd Run() {
    // Nothing is drawn before the first response.
    while (stream_.state() == EventStream::State::kConnecting) Meet(stream_.Wait({}, kTopPatience));
    if (auto end = FollowState()) return *end;
    Terminal terminal;
    while (true) {
      if (dirty_ && Clock::now() >= next_drawing_) {
        if (!Draw(terminal)) return {kControlRefused, ""};
      }
      Meet(stream_.Wait(terminal.descriptors(), Patience()));
      switch (terminal.Read()) {
        case Terminal::Input::kQuit:
          return {kControlOk, ""};
        case Terminal::Input::kRedraw:
          dirty_ = true;
          break;
        case Terminal::Input::kNothing:
          break;
      }
      if (auto end = FollowState()) return *end;
    }
  }

 private:
  std::chrono::milliseconds Patience() const {
    const auto until = [](Clock::time_point when) {
      return std::max(std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()),
                      std::chrono::milliseconds(0));
    };
    std::chrono::milliseconds patience = kTopPatience;
    if (dirty_) patience = std::min(patience, until(next_drawing_));
    if (next_attempt_) patience = std::min(patience, until(*next_attempt_));
    return patience;
  }

  bool Draw(Terminal& terminal) {
    dirty_ = false;
    next_drawing_ = Clock::now() + kBetweenDrawings;
    return terminal.Draw(TopScreen(state_, rows_, terminal.width(), terminal.height()));
  }

  void Meet(const std::vector<ApiEvent>& events) {
    for (const ApiEvent& event : events) {
      if (event.kind == "missed") stale_ = true;
      if (event.kind != "result" && event.kind != "job") continue;
      Result<JsonValue> data = ReadJson(event.data);
      if (!data || data.value()["job"].text != state_.job) continue;
      if (event.kind == "job") {
        // With another kernel or window it is a different job, which has no results yet.
        const std::string& change = data.value()["change"].text;
        stale_ = stale_ || change == "removed" || change == "changed" || change == "added";
      } else {
        TakeResult(std::move(data).value(), state_);
        dirty_ = true;
      }
    }
  }

  // Reacts to the state of the stream. Returns an end when there is nothing to follow any more.
  std::optional<LiveEnd> FollowState() {
    switch (stream_.state()) {
      case EventStream::State::kOpen:
        next_attempt_.reset();
        if (!std::exchange(open_, true)) stale_ = true;
        return std::exchange(stale_, false) ? Refresh() : std::nullopt;
      case EventStream::State::kConnecting:
        return std::nullopt;
      case EventStream::State::kRefused:
        // For example too many readers: there may be room later.
        return Lost(RefusalText(stream_.answer()), kControlRefused);
      case EventStream::State::kLost:
        return Lost(stream_.why(), kControlUnreachable);
    }
    return std::nullopt;
  }

  std::optional<LiveEnd> Lost(const std::string& why, int code) {
    if (!was_open_) return LiveEnd{code, why};
    open_ = false;
    if (!next_attempt_) {
      next_attempt_ = Clock::now() + kBetweenAttempts;
      state_.note = why + "; trying again";
      dirty_ = true;
    } else if (Clock::now() >= *next_attempt_) {
      next_attempt_.reset();
      stream_.Connect();
    }
    return std::nullopt;
  }

  // Requests the existing results, since no event reports them.
  std::optional<LiveEnd> Refresh() {
    const std::string path =
        fmt::format("/api/v1/jobs/{}/results?limit=2&top=1000", PercentEncoded(state_.job));
    const Result<ApiAnswer> answer = client_.Ask("GET", path);
    if (!answer) return Missed(answer.error().message);
    if (!answer.value().ok()) return LiveEnd{kControlRefused, RefusalText(answer.value())};
    Result<JsonValue> results = ReadJson(answer.value().body);
    if (!results || !results.value().is_list()) {
      return LiveEnd{kControlUnreachable, "the server did not respond like sashd"};
    }
    was_open_ = true;
    state_ = {.job = state_.job, .now = {}, .before = {}, .note = ""};
    std::vector<JsonValue>& items = results.value().items;  // newest first
    while (!items.empty()) {
      TakeResult(std::move(items.back()), state_);
      items.pop_back();
    }
    dirty_ = true;
    return std::nullopt;
  }

  // The stream of events works, but a request failed: it may succeed with the next event.
  std::optional<LiveEnd> Missed(const std::string& why) {
    if (!was_open_) return LiveEnd{kControlUnreachable, why};
    stale_ = true;
    state_.note = why;
    dirty_ = true;
    return std::nullopt;
  }

  ApiClient client_;
  const std::size_t rows_;
  EventStream stream_;
  TopState state_;
  bool open_ = false;
  bool was_open_ = false;  // the daemon has responded, and knows the job
  bool stale_ = false;     // results must be requested
  bool dirty_ = true;      // there is something new to draw
  Clock::time_point next_drawing_{};
  std::optional<Clock::time_point> next_attempt_;
};

}  // namespace

LiveEnd ShowLiveTop(ApiSettings settings, const std::string& job, std::size_t rows) {
  settings.patience = kAnswerPatience;
  return LiveTop(settings, job, rows).Run();
}

}  // namespace sash
