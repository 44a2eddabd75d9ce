#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

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

std::string FormatExtent(std::int64_t extent, WindowAxis axis) {
  if (axis == WindowAxis::kEvents) return std::to_string(extent);
  return FormatDuration(Duration(extent));
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
  if (has_length && has_slide) CheckMultiple(window, spec);
}

}  // namespace

WindowSpec ReadWindow(const Section& window, bool removals, std::vector<std::string>& names) {
  WindowSpec spec;
  spec.removals = removals;
  ReadDistinctName(window, names, spec.name);
  const bool axis_known =
      !window.Has("by") || window.Choose("by", spec.by,
                                         {{"event_time", WindowAxis::kEventTime},
                                          {"processing_time", WindowAxis::kProcessingTime},
                                          {"events", WindowAxis::kEvents}});
  if (axis_known) ReadExtents(window, spec);
  window.Choose("duplicates", spec.duplicates,
                {{"keep", DuplicatesPolicy::kKeep},
                 {"drop", DuplicatesPolicy::kDrop},
                 {"weigh", DuplicatesPolicy::kWeigh}});
  window.Choose("implementation", spec.implementation,
                {{"multiversioned", StoreKind::kMultiversioned}, {"rebuild", StoreKind::kRebuild}});
  window.Choose("empty_windows", spec.empty_windows,
                {{"once", EmptyWindows::kOnce}, {"skip", EmptyWindows::kSkip}});
  return spec;
}

std::vector<WindowSpec> ReadWindows(const Section& root, bool removals) {
  std::vector<WindowSpec> windows;
  if (!root.Has("windows")) {
    root.FailMissing("windows",
                     "give at least one, such as [{name: last-5m, length: 5m, slide: 10s}]");
    return windows;
  }
  const Place place = root.At("windows");
  const bool countable =
      place.node->kind == YamlNode::Kind::kList || place.node->kind == YamlNode::Kind::kEmpty;
  std::vector<std::string> names;
  for (const Place& item : root.Items("windows", "a list of windows")) {
    windows.push_back(ReadWindow(Section(item, "windows[]", root.errors()), removals, names));
  }
  if (countable && windows.empty()) {
    root.Fail("windows",
              "is empty; give at least one window, such as {name: last-5m, length: 5m, "
              "slide: 10s}");
  }
  return windows;
}

}  // namespace sash
