// Text of positions and lengths on a window's axis, for answers.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "windows/base/clock.h"
#include "windows/ingest/slice.h"
#include "windows/slide/window_spec.h"

namespace sash {

// The name in the configuration: "event_time".
std::string_view AxisName(WindowAxis axis);

// "2026-01-01T00:05:00.000Z", or "event 1200".
std::string PlaceText(WindowAxis axis, Position position);

// A rounded duration for people: "0.25 s", "12 s", "5.3 min", "2 h", "4.1 days".
std::string AboutText(Duration duration);

}  // namespace sash
