#include "daemon/forecast/first_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "daemon/config/scalar_text.h"

namespace sash {
namespace {

// The least `every` of the jobs on the window; empty: it has no job.
std::optional<std::uint32_t> LeastEvery(const Config& config, const WindowSpec& window) {
  std::optional<std::uint32_t> least;
  for (const JobSpec& job : config.jobs) {
    if (IsLive(job)) continue;
    if (job.window == window.name) least = std::min(least.value_or(job.every), job.every);
  }
  return least;
}

std::string Time(std::int64_t nanoseconds) { return FormatDuration(Duration(nanoseconds)); }

std::int64_t Slides(const Config& config, const WindowSpec& window) {
  return window.slide * static_cast<std::int64_t>(LeastEvery(config, window).value_or(1));
}

std::string Amount(const WindowSpec& window, std::int64_t amount) {
  return window.by == WindowAxis::kEvents ? fmt::format("{} events", amount) : Time(amount);
}

// "slide 5s", "every 2 slides of 5s", "slide 7d, offset 4d"
std::string SlideText(const Config& config, const WindowSpec& window) {
  const std::uint32_t every = LeastEvery(config, window).value_or(1);
  const std::string slide = Amount(window, window.slide);
  const std::string offset = window.offset == 0 ? "" : ", offset " + Amount(window, window.offset);
  if (every == 1) return "slide " + slide + offset;
  return fmt::format("every {} slides of {}{}", every, slide, offset);
}

// The wait after the events have arrived.
std::string WaitText(const Config& config) {
  if (config.source.is_replay()) return "at the end of the file at the latest";
  const TimePolicy& time = config.source.time;
  return fmt::format(
      "every partition has to reach that time, unless it is read to its end and silent for {}; "
      "when all are silent, time {}",
      FormatDuration(time.idle_after),
      time.on_silence == SilencePolicy::kHold ? "stops (on_silence: hold)"
                                              : "follows the clock (on_silence: clock)");
}

}  // namespace

std::int64_t FirstResultWithin(const Config& config, const WindowSpec& window) {
  const std::int64_t slides = Slides(config, window);
  return window.by == WindowAxis::kEventTime ? slides + config.source.time.disorder.count()
                                             : slides;
}

std::string FirstResultText(const Config& config, const WindowSpec& window) {
  const std::int64_t within = FirstResultWithin(config, window);
  const std::string slide = SlideText(config, window);
  std::string text;
  switch (window.by) {
    case WindowAxis::kEventTime:
      text = fmt::format(
          "first result within {} of event time after the first event ({}, disorder {})",
          Time(within), slide, FormatDuration(config.source.time.disorder));
      break;
    case WindowAxis::kProcessingTime:
      text = fmt::format("first result within {} after the first event has arrived ({})",
                         Time(within), slide);
      break;
    case WindowAxis::kEvents:
      text = fmt::format("first result after {}, with the next one or when all is read ({})",
                         Amount(window, within), slide);
      break;
  }
  if (window.length) {
    text += fmt::format(", of a whole window within {}", Amount(window, *window.length + within));
  }
  if (window.by == WindowAxis::kEventTime) text += "; " + WaitText(config);
  return text;
}

void TellFirstResults(const Config& config, Findings& findings) {
  for (std::size_t i = 0; i < config.windows.size(); ++i) {
    const WindowSpec& window = config.windows[i];
    const std::string where = fmt::format("windows[{}] {}", i, window.name);
    if (LeastEvery(config, window)) {
      findings.Ok(where, FirstResultText(config, window));
    } else {
      findings.Warn(where, "no job uses it, so it has no results",
                    fmt::format("give a job `window: {}`, or leave it out", window.name));
    }
  }
}

}  // namespace sash
