// WindowSpec: what a window is (configuration: windows[]).
//
// Lengths and slides are on the window's axis: nanoseconds of event or processing time, or numbers
// of accepted edge events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "windows/store/window_policy.h"

namespace sash {

enum class WindowAxis : std::uint8_t { kEventTime, kProcessingTime, kEvents };
enum class EmptyWindows : std::uint8_t { kOnce, kSkip };

struct WindowSpec {
  std::string name;
  WindowAxis by = WindowAxis::kEventTime;
  std::optional<std::int64_t> length;  // a multiple of slide; none: a landmark window ("forever")
  std::int64_t slide = 0;              // > 0
  DuplicatesPolicy duplicates = DuplicatesPolicy::kKeep;
  StoreKind implementation = StoreKind::kMultiversioned;
  EmptyWindows empty_windows = EmptyWindows::kOnce;
  bool removals = true;  // whether the stream may hold removals
  // Of a follower (FollowerOf()), the name of the window that it follows.
  std::optional<std::string_view> leader() const {
    const std::size_t end = name.find(kFollows);
    if (end == std::string::npos) return std::nullopt;
    return std::string_view(name).substr(0, end);
  }
  static constexpr char kFollows = '/';  // in no name of a window that a user gives

  StoreSpec store() const {
    return {.kind = implementation, .duplicates = duplicates, .removals = removals};
  }
  friend bool operator==(const WindowSpec&, const WindowSpec&) = default;
};

// The bounds of what a window may ask for (the engine takes more: only a configuration is held to
// them). A shorter slide of time would publish more than a thousand windows for each second of it.
inline constexpr std::int64_t kShortestSlide = 1'000'000;  // nanoseconds
// Of the panes that a window is made of, each of which may hold a slice.
inline constexpr std::int64_t kMostPanes = 10'000'000;
// What a slice takes at least beside its edges: what windows, stores and checkpoints keep of it.
inline constexpr std::int64_t kLeastSliceBytes = 512;

// Of `pane`, that of its axis.
inline std::int64_t PanesOf(const WindowSpec& window, std::int64_t pane) {
  return window.length ? *window.length / pane : 0;
}

// What holds every `every`th window of `leader` until the next of them has been published: what a
// job that is due on these compares with. None: so far apart that positions do not reach.
inline std::optional<WindowSpec> FollowerOf(const WindowSpec& leader, std::uint32_t every) {
  if (leader.slide > std::numeric_limits<std::int64_t>::max() / 4 / every) return std::nullopt;
  WindowSpec follower = leader;
  follower.name += WindowSpec::kFollows + std::to_string(every);
  follower.slide *= every;
  return follower;
}

}  // namespace sash
