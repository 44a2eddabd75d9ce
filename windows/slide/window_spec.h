// WindowSpec: the definition of a window (configuration: windows[]).
//
// Lengths, slides and offsets are on the window's axis: nanoseconds of event or processing time, or
// numbers of accepted edge events.
//
// A window ends at the positions n * slide + offset, for every whole number n. So with a slide of a
// week and an offset of 4 days, weeks begin on Monday: 1970-01-01 was a Thursday.
//
// Thread safety: plain values and pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/ingest/window_filter.h"
#include "windows/ingest/window_filters.h"
#include "windows/store/window_policy.h"

namespace sash {

enum class WindowAxis : std::uint8_t { kEventTime, kProcessingTime, kEvents };
enum class EmptyWindows : std::uint8_t { kOnce, kSkip };

struct WindowSpec {
  std::string name;
  WindowAxis by = WindowAxis::kEventTime;
  std::optional<std::int64_t> length;  // a multiple of slide; empty: a landmark window ("forever")
  std::int64_t slide = 0;              // > 0
  std::int64_t offset = 0;             // at least 0, less than slide; 0 by events
  DuplicatesPolicy duplicates = DuplicatesPolicy::kKeep;
  EdgeIdentity identity = EdgeIdentity::kPair;
  StoreKind implementation = StoreKind::kMultiversioned;
  EmptyWindows empty_windows = EmptyWindows::kOnce;
  bool removals = true;  // whether the stream may hold removals
  // A window that ended at most this long before the newest one can be read again; 0: none can.
  // Landmark windows have 0.
  std::int64_t retain = 0;
  bool live = false;  // can also be read between advances (LiveWindow)
  // The filter of its events; both empty: all events. Windows by events have none.
  std::vector<std::string> types{};
  std::string where{};  // the engine does not interpret it
  // The text by which the engine knows the filter (FilterTexts).
  std::string filter() const { return FilterText(types, where); }
  // For a follower (FollowerOf(), HistorianOf()), the name of the window that it follows; else
  // empty.
  std::optional<std::string_view> leader() const {
    const std::size_t end = name.find(kFollows);
    if (end == std::string::npos) return std::nullopt;
    return std::string_view(name).substr(0, end);
  }
  static constexpr char kFollows = '/';  // not allowed in names that users give
  bool is_historian() const { return implementation == StoreKind::kArchive; }

  StoreSpec store() const {
    return {.kind = implementation,
            .duplicates = duplicates,
            .removals = removals,
            .identity = identity_of_duplicates()};
  }
  // In keep no edges are duplicates.
  EdgeIdentity identity_of_duplicates() const {
    return duplicates == DuplicatesPolicy::kKeep ? EdgeIdentity::kPair : identity;
  }
  friend bool operator==(const WindowSpec&, const WindowSpec&) = default;
};

// Limits for windows in a configuration; the engine itself accepts more. A shorter slide would
// publish more than a thousand windows for each second of time.
inline constexpr std::int64_t kShortestSlide = 1'000'000;  // nanoseconds
// The most panes of a window; each may have a slice.
inline constexpr std::int64_t kMostPanes = 10'000'000;
// The least bytes that windows, stores and checkpoints keep for a slice, without its edges.
inline constexpr std::int64_t kLeastSliceBytes = 512;

// How far `position` lies behind the window's newest end at or before it: at least 0, less than
// slide.
inline std::int64_t SinceEnd(const WindowSpec& window, std::int64_t position) {
  std::int64_t since = position % window.slide;
  if (since < 0) since += window.slide;
  since -= window.offset;
  return since < 0 ? since + window.slide : since;
}

// The end of the first window that holds `position`.
inline std::int64_t EndAfter(const WindowSpec& window, std::int64_t position) {
  return position + (window.slide - SinceEnd(window, position));
}

// The number of the window that ends at `end`: consecutive ends have consecutive numbers.
inline std::int64_t OrdinalOf(const WindowSpec& window, std::int64_t end) {
  return end / window.slide - (end % window.slide < 0 ? 1 : 0);
}

// The pane of the windows of one axis: the greatest common divisor of their slides and offsets. So
// every window begins and ends between two panes. 0: no window has this axis.
inline std::int64_t PaneOf(std::span<const WindowSpec> windows, WindowAxis axis) {
  std::int64_t pane = 0;
  for (const WindowSpec& window : windows) {
    if (window.by == axis) pane = std::gcd(std::gcd(pane, window.slide), window.offset);
  }
  return pane;
}

// The filters of the windows: each text once, in the order of its first window.
inline FilterTexts FiltersOf(std::span<const WindowSpec> windows) {
  FilterTexts filters;
  for (const WindowSpec& window : windows) {
    std::string filter = window.filter();
    if (filter.empty() || std::ranges::find(filters, filter) != filters.end()) continue;
    filters.push_back(std::move(filter));
  }
  return filters;
}

// Whether the window can join windows that have this pane.
inline bool FitsPane(const WindowSpec& window, std::int64_t pane) {
  return window.slide % pane == 0 && window.offset % pane == 0;
}

// The number of panes in the window and its history. `pane`: the pane of its axis.
inline std::int64_t PanesOf(const WindowSpec& window, std::int64_t pane) {
  return window.length ? *window.length / pane + window.retain / pane : 0;
}

// The follower of `leader` for a job that runs on, and compares, every `every`th window: it holds
// such a window until the next one has been published. The follower ends at every `every`th end of
// its leader, so it has the same offset. Empty if the windows are so far apart that a Position
// would overflow.
inline std::optional<WindowSpec> FollowerOf(const WindowSpec& leader, std::uint32_t every) {
  if (leader.slide > std::numeric_limits<std::int64_t>::max() / 4 / every) return std::nullopt;
  WindowSpec follower = leader;
  follower.name += WindowSpec::kFollows + std::to_string(every);
  follower.slide *= every;
  follower.live = false;
  return follower;
}

// The historian of `leader`, which has a length: the follower that holds the slices of every window
// of the leader that can be read again. `retain` is rounded up to a multiple of the slide.
inline WindowSpec HistorianOf(const WindowSpec& leader) {
  WindowSpec historian = leader;
  historian.name += WindowSpec::kFollows + std::string("history");
  const std::int64_t slides = leader.retain / leader.slide + (leader.retain % leader.slide != 0);
  historian.length = leader.length.value() + slides * leader.slide;
  historian.retain = 0;
  historian.live = false;
  historian.implementation = StoreKind::kArchive;
  return historian;
}

}  // namespace sash
