#include "daemon/config/window_extents.h"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/config/scalar_text.h"

namespace sash {
namespace {

// A length or slide on the axis of its window.
Result<std::int64_t> ParseExtent(std::string_view text, WindowAxis axis, std::string_view key) {
  const bool digits =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (axis == WindowAxis::kEvents) {
    if (digits) return IntegerBetween{1, Extent::kMostEvents}(text);
    return Wrong(
        fmt::format("`{}` is not a number of events; with `by: events` give one, such as "
                    "{}: 1000 (durations go with `by: event_time`)",
                    text, key));
  }
  const Result<Duration> duration = kPositiveDuration(text);
  if (duration) return std::int64_t{duration.value().count()};
  if (!digits) return duration.error();
  return Wrong(duration.error().message + " (numbers of events go with `by: events`)");
}

void CheckMultiple(const Section& window, const WindowSpec& spec) {
  if (!spec.length || *spec.length % spec.slide == 0) return;
  const std::int64_t below = *spec.length / spec.slide * spec.slide;
  const std::string above = FormatExtent(below + spec.slide, spec.by);
  window.Fail("length",
              fmt::format("{} is not a multiple of slide ({}); give {}",
                          FormatExtent(*spec.length, spec.by), FormatExtent(spec.slide, spec.by),
                          below == 0 ? above + " or another multiple"
                                     : FormatExtent(below, spec.by) + " or " + above));
}

// 630720000000 as 630,720,000,000
std::string Grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// Reports an error and returns false for a slide so short that disk and readers could not keep up.
bool CheckPace(const Section& window, const WindowSpec& spec) {
  if (spec.by == WindowAxis::kEvents || spec.slide >= kShortestSlide) return true;
  constexpr std::int64_t kSecond = 1'000'000'000;
  window.Fail(
      "slide",
      fmt::format("{} would publish up to {} windows for each second of {}; give at least {}, "
                  "which are {} a second",
                  FormatExtent(spec.slide, spec.by), Grouped(kSecond / spec.slide),
                  spec.by == WindowAxis::kEventTime ? "event time" : "time",
                  FormatExtent(kShortestSlide, spec.by), Grouped(kSecond / kShortestSlide)));
  return false;
}

// Reports a window that is cut into more slices than memory can hold.
void CheckPanes(const Section& window, const WindowSpec& spec) {
  const std::int64_t pane = PaneOf(std::span(&spec, 1), spec.by);
  if (auto why = WhyTooManyPanes(spec, pane)) window.Fail("length", *std::move(why));
}

void ReadOffset(const Section& window, bool has_slide, WindowSpec& spec) {
  if (!window.Has("offset")) return;
  if (spec.by == WindowAxis::kEvents) {
    window.Fail("offset",
                "goes with windows by time; with `by: events` a window ends at multiples of its "
                "slide, so leave it out");
    return;
  }
  Duration offset{};
  if (!window.Read("offset", offset)) return;
  spec.offset = offset.count();
  if (!has_slide || spec.offset < spec.slide) return;
  const std::int64_t within = spec.offset % spec.slide;
  window.Fail("offset",
              fmt::format("{} is not less than slide ({}); give {}, which means the same",
                          FormatExtent(spec.offset, spec.by), FormatExtent(spec.slide, spec.by),
                          FormatExtent(within, spec.by)));
  spec.offset = within;
}

void ReadRetain(const Section& window, WindowSpec& spec) {
  if (!window.Has("retain")) return;
  const bool events = spec.by == WindowAxis::kEvents;
  window.Require("retain", spec.retain,
                 events ? "a number of events such as 10000" : "a duration such as 1h",
                 [&](std::string_view text) { return ParseExtent(text, spec.by, "retain"); });
}

// "10s", "10s and `retain` 7300d"
std::string SpanText(const WindowSpec& window) {
  const std::string length = FormatExtent(*window.length, window.by);
  if (window.retain == 0) return length;
  return fmt::format("{} and `retain` {}", length, FormatExtent(window.retain, window.by));
}

std::string_view Shorter(const WindowSpec& window) {
  return window.retain == 0 ? "a shorter length" : "a shorter length or `retain`";
}

}  // namespace

std::string FormatExtent(std::int64_t extent, WindowAxis axis) {
  if (axis == WindowAxis::kEvents) return std::to_string(extent);
  return FormatDuration(Duration(extent));
}

void ReadExtents(const Section& window, WindowSpec& spec) {
  const bool events = spec.by == WindowAxis::kEvents;
  const bool has_length = window.Require(
      "length", spec.length,
      events ? "a number of events such as 10000, or forever" : "a duration such as 5m, or forever",
      [&](std::string_view text) -> Result<std::optional<std::int64_t>> {
        if (text == "forever") return std::optional<std::int64_t>();
        Result<std::int64_t> extent = ParseExtent(text, spec.by, "length");
        if (!extent) return std::move(extent).error();
        return std::optional(extent.value());
      });
  const bool has_slide = window.Require(
      "slide", spec.slide, events ? "a number of events such as 1000" : "a duration such as 10s",
      [&](std::string_view text) { return ParseExtent(text, spec.by, "slide"); });
  ReadOffset(window, has_slide, spec);
  ReadRetain(window, spec);
  if (has_length && has_slide) CheckMultiple(window, spec);
  if (has_slide && CheckPace(window, spec) && has_length) CheckPanes(window, spec);
}

std::optional<std::string> WhyTooManyPanes(const WindowSpec& window, std::int64_t pane) {
  const std::int64_t panes = PanesOf(window, pane);
  if (panes <= kMostPanes) return std::nullopt;
  return fmt::format(
      "{} in panes of {} ({}) are up to {} slices, more than memory holds; at most {}: "
      "give {}{}",
      SpanText(window), FormatExtent(pane, window.by),
      pane == window.slide ? "its slide"
                           : "the greatest common divisor of the slides and offsets of its axis",
      Grouped(panes), Grouped(kMostPanes), Shorter(window),
      pane == window.slide ? " or a longer slide"
                           : ", or slides and offsets with a greater common divisor");
}

std::optional<std::string> WhyNotWithin(const WindowSpec& window, std::int64_t pane,
                                        std::uint64_t limit_bytes) {
  const std::int64_t panes = PanesOf(window, pane);
  if (static_cast<std::uint64_t>(panes) <= limit_bytes / kLeastSliceBytes) return std::nullopt;
  return fmt::format(
      "{} in panes of {} are up to {} slices, and these alone take more than "
      "memory.limit ({}); give {}, a longer slide or a higher limit",
      SpanText(window), FormatExtent(pane, window.by), Grouped(panes), FormatSize(limit_bytes),
      Shorter(window));
}

}  // namespace sash
