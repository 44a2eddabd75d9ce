#include "daemon/http/entered_span.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "connectors/codec/time_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/json_response.h"
#include "daemon/http/live_answer.h"
#include "daemon/http/past_window.h"
#include "windows/slide/live_slices.h"

namespace sash {
namespace {

Result<EventTime> TimeOr(const HttpRequest& request, const std::string& name, EventTime usual) {
  const auto given = request.query.find(name);
  if (given == request.query.end()) return usual;
  Result<EventTime> time = ParseRfc3339(given->second);
  if (time) return time;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{}: `{}` {}", name, given->second, time.error().message)};
}

// Without `from` and `to`, the span of `window`. A span ends with the window at the latest.
Result<EnteredTimes> RequestedSpan(const HttpRequest& request, const EnteredTimes& window) {
  const Result<EventTime> from = TimeOr(request, "from", window.from);
  if (!from) return from.error();
  const Result<EventTime> to = TimeOr(request, "to", window.to);
  if (!to) return to.error();
  if (to.value() <= from.value()) {
    const bool is_given = request.query.contains("from");
    return Error{ErrorCode::kInvalidArgument,
                 is_given ? fmt::format("from: {} is not before to ({})", TimeText(from.value()),
                                        TimeText(to.value()))
                          : fmt::format("to: {} is not after {}, where the window begins; for "
                                        "an earlier span, give from too",
                                        TimeText(to.value()), TimeText(from.value()))};
  }
  return EnteredTimes{from.value(), std::max(from.value(), std::min(to.value(), window.to))};
}

// Whether history lacks slices since `from`. Before the first advance it has all.
bool IsForgotten(const WindowStatus& window, EventTime from) {
  if (window.history == nullptr) return true;
  const auto oldest = window.history->Oldest();
  return oldest ? from < oldest->provenance.window_start : window.newest != nullptr;
}

HttpResponse Forgotten(const WindowStatus& window, EventTime from) {
  return GoneWindow(window, fmt::format("the edges since {}", TimeText(from)));
}

ChosenSpan PublishedSpan(const WindowEngine& engine, const WindowStatus& window,
                         const HttpRequest& request) {
  std::optional<Provenance> shown = NewestPublished(window);
  if (NamesWindow(request)) {
    const ChosenWindow named = DescribeWindowOf(window, request);
    if (named.refusal) return {.refusal = named.refusal};
    shown = named.advance->provenance;
  }
  if (!shown) {
    return {.refusal = NotFound(fmt::format("window '{}' has not advanced yet", window.spec.name))};
  }
  const Result<EnteredTimes> span =
      RequestedSpan(request, {shown->window_start, shown->window_end});
  if (!span) return {.refusal = BadRequest(span.error().message)};
  const auto& [from, to] = span.value();
  if (IsForgotten(window, from)) return {.refusal = Forgotten(window, from)};
  WindowEngine::EnteredSlices entered =
      engine.Entered(window, from.time_since_epoch().count(), to.time_since_epoch().count());
  if (!entered.slices) return {.refusal = Forgotten(window, from)};
  return {.entered = {.span = span.value(),
                      .ids = std::move(entered.ids),
                      .slices = *std::move(entered.slices)}};
}

// The span of the live window. A landmark window begins with its first slice.
EnteredTimes WholeSpan(const WindowHistory& history, const LiveWindow& live) {
  Position begin = live.end - live.pane;
  if (live.begin) {
    begin = *live.begin;
  } else if (const auto all =
                 LiveSlices(history, live, std::numeric_limits<Position>::min(), live.end);
             all && !all->empty()) {
    begin = all->front()->begin();
  }
  return {EventTime(Duration(begin)), EventTime(Duration(live.end))};
}

HttpResponse NotRetained(const WindowStatus& window) {
  return ErrorResponse(
      422, "not_retained",
      fmt::format("window '{}' does not keep its slices, so the edges that entered "
                  "it cannot be listed; give it `retain` in the configuration",
                  window.spec.name));
}

ChosenSpan LiveSpan(const WindowStatus& window, const HttpRequest& request) {
  ChosenLive chosen = LiveWindowOf(window, request);
  if (chosen.refusal) return {.refusal = std::move(chosen.refusal)};
  if (window.history == nullptr) return {.refusal = NotRetained(window)};
  const EnteredTimes whole = WholeSpan(*window.history, *chosen.live);
  Result<EnteredTimes> span = RequestedSpan(request, whole);
  if (!span) return {.refusal = BadRequest(span.error().message)};
  EventTime& from = span.value().from;
  from = std::max(from, std::min(whole.from, span.value().to));
  if (IsForgotten(window, from)) return {.refusal = Forgotten(window, from)};
  auto slices = LiveSlices(*window.history, *chosen.live, from.time_since_epoch().count(),
                           span.value().to.time_since_epoch().count());
  if (!slices) return {.refusal = Forgotten(window, from)};
  return {.entered = {
              .span = span.value(), .live = std::move(chosen.live), .slices = *std::move(slices)}};
}

}  // namespace

ChosenSpan EnteredSpanOf(const WindowEngine& engine, const WindowStatus& window,
                         const HttpRequest& request) {
  return NamesView(request) ? LiveSpan(window, request) : PublishedSpan(engine, window, request);
}

}  // namespace sash
