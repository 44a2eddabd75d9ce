// WindowSpec: what a window is (configuration: windows[]).
//
// Lengths and slides are on the window's axis: nanoseconds of event or processing time, or numbers
// of accepted edge events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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
  StoreSpec store() const {
    return {.kind = implementation, .duplicates = duplicates, .removals = removals};
  }
};

}  // namespace sash
