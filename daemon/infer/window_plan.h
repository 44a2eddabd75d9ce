// WindowPlan: a window and a disorder that fit the event times of a sample.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "windows/base/clock.h"

namespace sash {

struct WindowPlan {
  // Both 0: the records have no time, and the window keeps all edges.
  Duration length{};
  Duration slide{};
  Duration disorder{};
  std::string reason{};  // sentences for people
};

// `times`: the event times in the order of the records.
WindowPlan PlanWindow(const std::vector<EventTime>& times);

// The keys of the window as YAML: "name: last-1h, length: 1h, slide: 5m".
std::string WindowKeysText(const WindowPlan& plan);
std::string WindowName(const WindowPlan& plan);

}  // namespace sash
