#include "daemon/infer/window_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "connectors/sinks/time_text.h"
#include "daemon/config/scalar_text.h"

namespace sash {
namespace {

using namespace std::chrono_literals;

constexpr Duration kDay = 24h;

struct Choice {
  Duration length;
  Duration slide;
};
constexpr std::array<Choice, 14> kChoices = {{{100ms, 10ms},
                                              {1s, 100ms},
                                              {10s, 1s},
                                              {1min, 5s},
                                              {5min, 30s},
                                              {15min, 1min},
                                              {1h, 5min},
                                              {6h, 30min},
                                              {kDay, 1h},
                                              {7 * kDay, kDay},
                                              {28 * kDay, 7 * kDay},
                                              {84 * kDay, 7 * kDay},
                                              {364 * kDay, 28 * kDay},
                                              {1820 * kDay, 364 * kDay}}};

// The times between which nearly all lie. A few times far outside are mistakes.
struct Span {
  EventTime first;
  EventTime last;
  Duration length() const { return last - first; }
};

// Differences of times that are 300 years apart would not fit 64 bits of nanoseconds.
constexpr EventTime kFirstYear = std::chrono::sys_days(std::chrono::year(1930) / 1 / 1);
constexpr EventTime kLastYear = std::chrono::sys_days(std::chrono::year(2150) / 1 / 1);

bool IsFar(EventTime time) { return time < kFirstYear || time >= kLastYear; }

// Some of the times are not far.
Span UsualSpan(std::vector<EventTime> times) {
  std::erase_if(times, IsFar);
  std::ranges::sort(times);
  const std::size_t cut = times.size() / 100;
  const EventTime low = times[cut];
  const EventTime high = times[times.size() - 1 - cut];
  const Duration margin = std::max<Duration>(10 * std::min<Duration>(high - low, 730 * kDay), kDay);
  const auto first = std::ranges::lower_bound(times, low - margin);
  const auto behind = std::ranges::upper_bound(times, high + margin);
  return {*first, *(behind - 1)};
}

// The least difference of two times: 1h, if the times are whole hours. 0: all times are equal.
Duration StepOf(std::vector<EventTime> times, const Span& span) {
  std::erase_if(times, IsFar);
  std::ranges::sort(times);
  Duration least{};
  for (std::size_t i = 1; i < times.size(); ++i) {
    const Duration step = times[i] - times[i - 1];
    const bool is_inside = times[i - 1] >= span.first && times[i] <= span.last;
    if (is_inside && step > Duration() && (least == Duration() || step < least)) least = step;
  }
  return least;
}

// The longest window that is at most a third of the span, but never of slides that are shorter than
// the step of the times.
Choice Choose(Duration span, Duration step) {
  const Duration shortest = step == Duration() ? Duration(1s) : step;
  const Choice* best = kChoices.data();
  for (const Choice& choice : kChoices) {
    if (best->slide < shortest || choice.length * 3 <= span) best = &choice;
  }
  return *best;
}

// How far times are behind the latest one before them, without those outside the span.
struct Lags {
  Duration longest{};
  std::size_t outside = 0;
};

Lags LagsOf(const std::vector<EventTime>& times, const Span& span) {
  Lags lags;
  EventTime newest = span.first;
  for (const EventTime time : times) {
    if (time < span.first || time > span.last) {
      ++lags.outside;
      continue;
    }
    newest = std::max(newest, time);
    lags.longest = std::max<Duration>(lags.longest, newest - time);
  }
  return lags;
}

// The next longer whole unit, so that the text is short.
Duration RoundUp(Duration duration) {
  constexpr std::array<Duration, 9> kSteps = {1ms, 10ms, 100ms, 1s, 10s, 1min, 10min, 1h, kDay};
  for (const Duration step : kSteps) {
    if (duration <= 100 * step) return (duration + step - Duration(1)) / step * step;
  }
  return (duration + kDay - Duration(1)) / kDay * kDay;
}

}  // namespace

WindowPlan PlanWindow(const std::vector<EventTime>& times) {
  WindowPlan plan;
  if (times.empty()) {
    plan.reason =
        "The records have no time, so the window keeps all edges, and has a result every 10,000 "
        "edges. With `length: 100000` it keeps the newest edges only.";
    return plan;
  }
  if (std::ranges::all_of(times, IsFar)) {
    plan.length = kChoices.back().length;
    plan.slide = kChoices.back().slide;
    plan.disorder = plan.slide;
    plan.reason = "All times are before 1930 or after 2150: is their unit right?";
    return plan;
  }
  const Span span = UsualSpan(times);
  const Lags lags = LagsOf(times, span);
  const Choice best = Choose(span.length(), StepOf(times, span));
  plan.length = best.length;
  plan.slide = best.slide;
  plan.reason = fmt::format("The times of the sample are from {} to {}.", TimeText(span.first),
                            TimeText(span.last));
  if (lags.outside > 0) {
    plan.reason += fmt::format(" {} times are far outside.", lags.outside);
  }
  if (lags.longest == Duration()) {
    plan.disorder = std::min<Duration>(2s, plan.slide);
    plan.reason += " They are in order.";
    return plan;
  }
  plan.disorder = RoundUp(lags.longest);
  plan.reason += fmt::format(" An edge is up to {} behind earlier ones (disorder).",
                             FormatDuration(RoundUp(lags.longest)));
  if (lags.longest * 4 > span.length()) {
    plan.reason +=
        " The records are hardly in the order of their times: sort the file by time, "
        "then a short disorder is enough.";
  }
  return plan;
}

std::string WindowName(const WindowPlan& plan) {
  return plan.length == Duration() ? "all" : "last-" + FormatDuration(plan.length);
}

std::string WindowKeysText(const WindowPlan& plan) {
  if (plan.length == Duration()) return "name: all, by: events, length: forever, slide: 10000";
  return fmt::format("name: {}, length: {}, slide: {}", WindowName(plan),
                     FormatDuration(plan.length), FormatDuration(plan.slide));
}

}  // namespace sash
