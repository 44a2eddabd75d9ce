#include "daemon/control/live_tap.h"

#include <algorithm>
#include <vector>

#include "daemon/control/event_stream.h"
#include "daemon/control/invocation.h"

namespace sash {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTapPatience{60'000};

}  // namespace

LiveEnd ShowLiveTap(const ApiSettings& settings, const TapQuestion& question,
                    const std::function<int(std::string_view edge)>& print) {
  std::optional<Clock::time_point> end;
  if (question.time) end = Clock::now() + *question.time;
  std::uint64_t shown = 0;
  EventStream stream(settings, question.path);
  while (question.count.value_or(1) > 0) {
    std::chrono::milliseconds patience = kTapPatience;
    if (end) {
      patience =
          std::min(patience, std::chrono::ceil<std::chrono::milliseconds>(*end - Clock::now()));
      if (patience.count() <= 0) break;
    }
    for (const ApiEvent& event : stream.Wait({}, patience)) {
      if (event.kind != "edge") continue;
      if (const int code = print(event.data); code != kControlOk) return {code, ""};
      if (++shown == question.count) return {kControlOk, ""};
    }
    if (stream.state() == EventStream::State::kRefused) {
      return {kControlRefused, RefusalText(stream.answer())};
    }
    if (stream.state() == EventStream::State::kLost) return {kControlUnreachable, stream.why()};
  }
  return {kControlOk, ""};
}

}  // namespace sash
