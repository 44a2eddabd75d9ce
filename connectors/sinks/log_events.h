// Log events of the sinks that write to files.
#pragma once

#include "windows/base/event_log.h"

namespace sash::sink_events {

inline constexpr LogEvent kFileMoved{"file.moved", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kFileDeleted{"file.deleted", LogSeverity::kWarning};
inline constexpr LogEvent kFileCut{"file.cut", LogSeverity::kWarning};
inline constexpr LogEvent kLineDamaged{"file.line_damaged", LogSeverity::kError};
inline constexpr LogEvent kTrailFailed{"file.trail_failed", LogSeverity::kWarning};

}  // namespace sash::sink_events
