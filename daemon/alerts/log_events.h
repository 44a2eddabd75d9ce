// The events that alerts log.
#pragma once

#include "windows/base/event_log.h"

namespace sash::alert_events {

inline constexpr LogEvent kFired{"alert.fired", LogSeverity::kWarning};
inline constexpr LogEvent kChanged{"alert.changed", LogSeverity::kInfo, LogPace::kAlways};

}  // namespace sash::alert_events
